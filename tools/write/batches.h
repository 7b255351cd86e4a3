/* batches - items as BatchWriteItem requests, sent in parallel; of puts with one key the last one wins */
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
 * @done: [n]: it is done; also filled on failure
 *
 * A batch has no key twice, and a second action on a key is sent when the first one is done.  What a
 * server leaves unprocessed is sent again (parallel.h).
 */
int batches_write(const struct batches *b, struct parallel *p, struct call *c,
		  const struct item *items, size_t n, bool *done)
	__attribute__((warn_unused_result));

#endif
