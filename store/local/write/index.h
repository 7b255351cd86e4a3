/*
 * index - the entries of secondary indexes, and what a change of an item means for them
 *
 *   old item   new item   entry
 *   -          has one    put
 *   has one    -          delete
 *   has one    other key  delete, put
 *   has one    same key   put, unless what is projected is the same
 *
 * Of an index that is being filled (backfill.h) each entry that is there is right, but not
 * each item's is there; so the old one is looked for before it is taken away.
 */
#ifndef STORE_LOCAL_WRITE_INDEX_H
#define STORE_LOCAL_WRITE_INDEX_H

#include "store/local/commit/txn.h"
#include "store/local/jobs/chores.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

/* An item's entry in one index. */
struct index_entry {
	bool there;              /* else the index is sparse and skips the item */
	struct slice key;        /* keyspace_item() */
	struct slice collection; /* keyspace_partition() */
	struct item projected;
	struct slice record;       /* put only */
	struct record_counts size; /* items = 1 */
};

/* The item that an entry is made of. */
struct index_source {
	const struct schema *schema;
	const struct item *item;
	const struct key_values *base; /* the table's key in it */
	struct slice record;           /* its record, unless it is stored */
	bool stored;                   /* it is in the table: no records are wanted */
	bool checked; /* its index keys were judged, like those of what is stored: what cannot be
			 in an index is not, and that is no error */
	uint64_t mtime_ns;
	uint64_t rendered_bytes;
	uint64_t item_bytes;
};

/**
 * index_entry - the entry of an item in one index
 *
 * Errors, Memory:  as index_entries()
 */
int index_entry(struct call *c, const struct index_source *from, const struct index *ix,
		struct index_entry *out) __attribute__((warn_unused_result));

/**
 * index_entries - the entries of an item, one for each index of the schema
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG  an index key of the wrong type, empty, too long
 * Memory:  in the call's arena; values are the item's
 */
int index_entries(struct call *c, const struct index_source *from, struct index_entry **out)
	__attribute__((warn_unused_result));

/**
 * index_update - write the difference between two sets of entries, with counts and totals
 * @old, @new: as index_entries() made them; nothing is there without an item
 * @ch:        told of every entry that goes
 */
int index_update(struct txn *t, struct call *c, const struct schema *s,
		 const struct index_entry *old, const struct index_entry *new, struct chores *ch)
	__attribute__((warn_unused_result));

/** index_fill - put the entry @e of an item that is older than its index, unless it is there */
int index_fill(struct txn *t, struct call *c, const struct schema *s, const struct index *ix,
	       const struct index_entry *e) __attribute__((warn_unused_result));

/** index_local_bytes - sum of the sizes of entries in local indexes; Source: BEHAVIOUR 2.13 */
uint64_t index_local_bytes(const struct schema *s, const struct index_entry *entries);

/** index_cost - halves of a write unit that the change of an entry costs; it may stay as it is: 0 */
uint64_t index_cost(const struct index_entry *old, const struct index_entry *new);

#endif
