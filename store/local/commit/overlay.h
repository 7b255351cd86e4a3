/*
 * overlay - the pending writes of a group of operations; reads look here before they ask the kv
 *
 *   overlay_begin(o)                     set a savepoint before each operation
 *   overlay_set(o, key, state) ...       its writes
 *   overlay_undo(o)                      if it failed: go back to the savepoint
 *   overlay_to_batch(o, batch)           at the end of the group: the last state of each key
 *   overlay_clear(o)
 *
 * Counts are kept as numbers and encoded once, at the end of the group.
 *
 * Memory: keys and values are borrowed until overlay_clear().
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_OVERLAY_H
#define STORE_LOCAL_COMMIT_OVERLAY_H

#include "store/kv/kv.h"
#include "store/local/records/record.h"

enum overlay_kind {
	OVERLAY_UNKNOWN, /* not known: ask the kv */
	OVERLAY_VALUE,
	OVERLAY_ABSENT, /* deleted, or known to be absent */
	OVERLAY_COUNTS, /* of a collection, a table or an index; absent if it has no items */
};

/* The known state of one key. */
struct overlay_state {
	enum overlay_kind kind;
	bool dirty; /* differs from the kv */
	bool fresh; /* OVERLAY_COUNTS: the kv had no such key when the group began */
	union {
		struct slice value;
		struct record_counts counts;
	};
};

struct overlay_entry;
struct overlay_saved;

/*
 * Invariant: slots[i] is 0 or 1 + the index of an entry; at most half of the slots are used.
 */
struct overlay {
	struct overlay_entry *entries; /* in order of first use */
	size_t n;
	size_t cap;
	uint32_t *slots;             /* hash table over the entries */
	size_t n_slots;              /* a power of two */
	struct overlay_saved *saved; /* states from before the current operation, oldest first */
	size_t n_saved;
	size_t cap_saved;
	uint32_t operation; /* number of the current operation, from 1 */
};

/** overlay_init - initialize an empty overlay */
void overlay_init(struct overlay *o);

/** overlay_release - free its memory */
void overlay_release(struct overlay *o);

/** overlay_begin - start an operation; overlay_undo() goes back to this state */
void overlay_begin(struct overlay *o);

/** overlay_undo - forget the writes since overlay_begin(); states that were only read may stay */
void overlay_undo(struct overlay *o);

/** overlay_find - the state of @key, borrowed until the next change; NULL if it is not known */
const struct overlay_state *overlay_find(const struct overlay *o, struct slice key);

/** overlay_set - set the state of @key; a dirty state belongs to the current operation, which must have begun */
void overlay_set(struct overlay *o, struct slice key, const struct overlay_state *state);

/** overlay_to_batch - add the states of all dirty keys to @b; Return: their number */
size_t overlay_to_batch(const struct overlay *o, struct kv_batch *b);

/** overlay_clear - remove all entries before the next group, and keep the memory */
void overlay_clear(struct overlay *o);

#endif
