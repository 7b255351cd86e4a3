/* batches - items in BatchWriteItem requests, sent in parallel; the last of several puts with one key wins */
#ifndef TOOLS_WRITE_BATCHES_H
#define TOOLS_WRITE_BATCHES_H

#include "store/engine/engine.h"

#include "tools/write/parallel.h"

struct batches {
	struct engine *engine;
	struct slice table;
	const struct key_schema *key;
	enum batch_kind kind;
};

/**
 * batches_write - put @items, or delete the keys
 * @done: [n]: the item is written; also filled on failure
 *
 * A batch has no key twice; a second action on a key is sent after the first one is done.  Unprocessed items are sent
 * again (parallel.h).
 * Errors:  those of BatchWriteItem and parallel_run()
 */
int batches_write(const struct batches *b, struct parallel *p, struct call *c,
		  const struct item *items, size_t n, bool *done) must_check;

#endif
