/*
 * overlay - what a group of operations has written so far, read before the kv
 *
 *   overlay_begin(o)                     a savepoint for each operation
 *   overlay_put(o, key, value) ...       its writes
 *   overlay_undo(o)                      it failed: as if it had not been
 *   overlay_to_batch(o, batch)           the group: the last word on each key
 *   overlay_clear(o)
 *
 * Counts are kept as numbers and encoded once, at the end.
 *
 * Memory: keys and values are borrowed until overlay_clear().
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_OVERLAY_H
#define STORE_LOCAL_COMMIT_OVERLAY_H

#include "store/kv/kv.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

enum overlay_kind {
	OVERLAY_UNKNOWN, /* nothing known: ask the kv */
	OVERLAY_VALUE,
	OVERLAY_ABSENT, /* deleted, or known not to be there */
	OVERLAY_COUNTS, /* a partition record; no items: it is not there */
	OVERLAY_TOTALS, /* counts of a table or of an index; all zero: it is not there */
};

/* What is known of one key. */
struct overlay_state {
	enum overlay_kind kind;
	bool dirty; /* differs from the kv */
	bool fresh; /* OVERLAY_COUNTS: the kv had no such record when the group began */
	union {
		struct slice value;
		struct record_counts counts;
		struct totals totals;
	};
};

struct overlay_entry;
struct overlay_saved;

/*
 * Invariant: slots[i] is 0 or 1 + the number of an entry, at most half of them used.
 */
struct overlay {
	struct overlay_entry *entries; /* in order of first use */
	size_t n;
	size_t cap;
	uint32_t *slots;             /* hash table over the entries */
	size_t n_slots;              /* a power of two */
	struct overlay_saved *saved; /* states to go back to, oldest first */
	size_t n_saved;
	size_t cap_saved;
	uint32_t operation; /* number of the current one, from 1 */
};

void overlay_init(struct overlay *o);
void overlay_release(struct overlay *o);

/** overlay_begin - an operation starts: overlay_undo() comes back to here */
void overlay_begin(struct overlay *o);

/** overlay_undo - forget what was written since overlay_begin(); what was learnt may stay */
void overlay_undo(struct overlay *o);

/** overlay_find - what is known of @key; borrowed until the next change; NULL: nothing */
const struct overlay_state *overlay_find(const struct overlay *o, struct slice key);

/** overlay_set - @key's new state; a dirty one is part of the current operation */
void overlay_set(struct overlay *o, struct slice key, const struct overlay_state *state);

/** overlay_to_batch - every dirty key's state; Return: how many */
size_t overlay_to_batch(const struct overlay *o, struct kv_batch *b);

/** overlay_clear - empty, for the next group; keeps its memory */
void overlay_clear(struct overlay *o);

#endif
