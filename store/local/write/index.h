/*
 * index - entries of secondary indexes, and their changes when an item changes
 *
 *   old item   new item   entry
 *   -          has one    put
 *   has one    -          delete
 *   has one    other key  delete, put
 *   has one    same key   put, unless the projected attributes are the same
 *
 * In an index that is being filled (index_job.h) all entries are correct, but those of some items are missing. So the
 * leader looks for the old entry before it deletes it.
 */
#ifndef STORE_LOCAL_WRITE_INDEX_H
#define STORE_LOCAL_WRITE_INDEX_H

#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

/* An item's entry in one index. */
struct index_entry {
	bool there;              /* false: the item has no entry in the index */
	struct slice key;        /* keyspace_item() */
	struct slice collection; /* keyspace_collection() */
	struct item projected;
	struct slice record;       /* put only */
	struct record_counts size; /* items = 1 */
};

/* The item from which an entry is made. */
struct index_source {
	const struct schema *schema;
	const struct item *item;
	const struct key_values *base; /* the table's key in the item */
	struct slice record;           /* the item's record, unless it is stored */
	bool stored; /* the item is in the table already: entries are made without records */
	/* The index keys have been checked, as those of stored items: a key that cannot be in an index is no error. */
	bool checked;
	uint64_t mtime_ns;
	uint64_t rendered_bytes;
	uint64_t item_bytes;
};

/**
 * index_entry - make the entry of an item in one index
 *
 * Errors, Memory:  as index_entries()
 */
int index_entry(struct call *c, const struct index_source *from, const struct index *ix,
		struct index_entry *out) must_check;

/**
 * index_entries - make the entries of an item, one for each index of the schema
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG  an index key of the wrong type, empty, too long
 * Memory:  in the call's arena; values borrow the item's
 */
int index_entries(struct call *c, const struct index_source *from, struct index_entry **out)
	must_check;

/**
 * index_update - write the difference between two sets of entries, with counts and totals
 * @old, @updated: from index_entries(); all with there == false if there is no item
 * @tasks:        counts the entries that are deleted
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Thread:  the commit leader
 */
int index_update(struct txn *t, struct call *c, const struct schema *s,
		 const struct index_entry *old, const struct index_entry *updated,
		 struct tasks *tasks) must_check;

/**
 * index_fill - put the entry @e of an item that is older than the index, unless the entry exists
 *
 * Errors, Thread:  as index_update()
 */
int index_fill(struct txn *t, struct call *c, const struct schema *s, const struct index *ix,
	       const struct index_entry *e) must_check;

/** index_local_bytes - sum of the sizes of entries in local indexes; Source: BEHAVIOUR 2.13 */
uint64_t index_local_bytes(const struct schema *s, const struct index_entry *entries);

/** index_cost - halves of a write unit that the change of an entry costs; 0 if it does not change */
uint64_t index_cost(const struct index_entry *old, const struct index_entry *updated);

#endif
