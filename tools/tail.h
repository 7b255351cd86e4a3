/*
 * tail - the changes of a table's stream, whoever serves it: ListStreams, DescribeStream, GetRecords
 *
 * All shards are read by turns; one that ends is followed by those that have come meanwhile.
 */
#ifndef TOOLS_TAIL_H
#define TOOLS_TAIL_H

#include "store/engine/engine.h"

enum tail_from { TAIL_NOW, TAIL_START, TAIL_SEQ };

struct tail;

/**
 * tail_open - find the table's stream and where to begin
 * @seq: TAIL_SEQ: the changes after this one; borrowed until tail_close()
 *
 * Errors:  -ERR_VALIDATION  the table has no stream;  those of the engine
 */
int tail_open(struct engine *e, struct call *c, struct slice table, enum tail_from from,
	      struct slice seq, struct tail **out) __attribute__((warn_unused_result));
void tail_close(struct tail *t);

typedef bool tail_fn(void *arg, const struct stream_record *record);

/**
 * tail_round - hand on what each shard has by now, a page at most
 * @n: how many there were
 *
 * Return:  0; TAIL_STOP: @fn answered false.
 * Errors:  those of the engine;  -ERR_TRIMMED  what was to be read is a day old and gone
 */
enum { TAIL_STOP = 1 };
int tail_round(struct tail *t, struct call *c, tail_fn *fn, void *arg, size_t *n)
	__attribute__((warn_unused_result));

#endif
