/*
 * told - what writes tell besides their result: capacity consumed, item collections touched
 *
 *   told_ask(c, &in->asked, in->table, &w);            before the leader runs it
 *   struct told told = told_begin(c, &in->asked);
 *   told_add(&told, &w, 1);                            each write, in the order of the request
 *   out->told = told_end(&told, CAPACITY_ANY);
 */
#ifndef STORE_LOCAL_WRITE_TOLD_H
#define STORE_LOCAL_WRITE_TOLD_H

#include "store/local/meter/capacity.h"
#include "store/local/write/write.h"

struct told_collection {
	const struct write *last;
};

struct told {
	struct call *c;
	struct capacity_sheet sheet;
	struct told_collection *collections;
	size_t n;
	size_t cap;
};

/** told_ask - have the funnel count what @asked asks for, and what a table with a budget must know */
void told_ask(struct call *c, const struct write_asked *asked, struct slice table, struct write *w);

struct told told_begin(struct call *c, const struct write_asked *asked);

/** told_add - count a write, its capacity @times times */
void told_add(struct told *t, const struct write *w, uint64_t times);

struct write_told told_end(const struct told *t, enum capacity_kind kind);

#endif
