/*
 * pending_items - table of items that wait for an item with the same key, in the order of their arrival
 *
 * The items of a page share an arena, which is freed with the last of them.
 */
#ifndef TOOLS_WRITE_PENDING_ITEMS_H
#define TOOLS_WRITE_PENDING_ITEMS_H

#include "store/model/schema.h"

struct pending_batch;

struct pending_entry {
	struct item item;
	struct slice key; /* pending_items_key() of the item */
	struct pending_batch *batch;
	struct pending_entry *older, *newer; /* list of all entries */
};

struct pending {
	void *keys; /* the entries by their keys, for tsearch(3) */
	size_t n;
	struct pending_entry *oldest, *newest;
	struct pending_batch *batch; /* the current page */
	size_t bytes;                /* memory of the full pages */
};

/** pending_items_key - set @out to the key of @it, as bytes; @it is an item of a table and has a key */
void pending_items_key(struct buf *out, const struct key_schema *k, const struct item *it);

/** pending_items_add - add a copy of @it to the current page; no entry may have this key */
void pending_items_add(struct pending *p, struct slice key, const struct item *it);

/** pending_items_full - end the current page; the next item begins another one */
void pending_items_full(struct pending *p);

/** pending_items_find - the entry with this key, or NULL */
struct pending_entry *pending_items_find(const struct pending *p, struct slice key);

/** pending_items_drop - remove an entry; the last entry of a full page frees the memory of the page */
void pending_items_drop(struct pending *p, struct pending_entry *e);

/** pending_items_release - remove all entries and free all memory */
void pending_items_release(struct pending *p);

#endif
