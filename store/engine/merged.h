/*
 * merged - merges the items of several Querys of one table or index by sort key, or reads one Query or Scan
 *
 *   while ((r = merged_next(m, &item)) >= 0 && r != MERGED_END) {
 *           if (r == MERGED_READ) {
 *                   r = merged_read(m, c);       reads one page
 *           } else ... use item ...
 *   }
 *
 * It reads pages of any engine, and keeps one page for each request. The more requests, the smaller are the pages.
 */
#ifndef STORE_ENGINE_MERGED_H
#define STORE_ENGINE_MERGED_H

#include "store/engine/engine.h"
#include "store/model/shard_order.h"

enum { MERGED_END = 1, MERGED_READ };

struct merged;

struct merged_in {
	struct engine *engine;
	struct op_in *requests; /* OP_QUERY or OP_SCAN; their limit and start are overwritten */
	size_t n;               /* at least 1 */
	const struct shard_order *order; /* if n > 1: the items have its attributes; copied */
	bool backward;                   /* if n > 1: the direction of the requests */
	uint64_t most;                   /* most items that are wanted; 0: all */
	uint32_t page; /* if n is 1: most items in a page; 0: as many as the engine gives */
	uint64_t now_ms;
};

/** merged_open - open without reading; the requests of @in are borrowed until merged_close() */
struct merged *merged_open(const struct merged_in *in);
void merged_close(struct merged *m); /* @m may be NULL */

/** merged_bytes - return the bytes of memory in use now */
size_t merged_bytes(const struct merged *m);

/**
 * merged_next - get the next item, which is valid until the next call
 *
 * Return: 0; MERGED_END; MERGED_READ if merged_read() must read a page first
 */
int merged_next(struct merged *m, const struct item **out) must_check;

/** merged_read - read the page that merged_next() needs; Errors: as engine_execute(); the next call tries again */
int merged_read(struct merged *m, struct call *c) must_check;

#endif
