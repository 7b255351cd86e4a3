/*
 * pending_items - items that wait for one of the same key, found by it, in the order in which they came
 *
 * What came with one page lies in one arena, which goes with the last of its items.
 */
#ifndef TOOLS_WRITE_PENDING_ITEMS_H
#define TOOLS_WRITE_PENDING_ITEMS_H

#include "store/base/core/buf.h"
#include "store/model/schema.h"

struct pending_batch;

struct pending_entry {
	struct item item;
	struct slice key; /* pending_items_key() of it */
	struct pending_batch *batch;
	struct pending_entry *chain;         /* of its slot */
	struct pending_entry *older, *newer; /* the list of all */
};

struct pending {
	struct pending_entry **slots;
	size_t n_slots; /* a power of two; 0: nothing was added yet */
	size_t n;
	struct pending_entry *oldest, *newest;
	struct pending_batch *batch; /* the one that is filled */
	size_t bytes;                /* of batches that are full */
};

/** pending_items_key - @out becomes the key of @it, as bytes; it has one, since it is from a table */
void pending_items_key(struct buf *out, const struct key_schema *k, const struct item *it);

/** pending_items_add - a copy; its key is not there yet */
void pending_items_add(struct pending *p, struct slice key, const struct item *it);

/** pending_items_full - what is added from here on belongs to another page */
void pending_items_full(struct pending *p);

/** pending_items_find - NULL: none has this key */
struct pending_entry *pending_items_find(const struct pending *p, struct slice key);

/** pending_items_drop - one of it; with the last one of its page its memory goes */
void pending_items_drop(struct pending *p, struct pending_entry *e);

/** pending_items_release - everything */
void pending_items_release(struct pending *p);

#endif
