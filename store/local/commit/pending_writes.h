/*
 * pending_writes - the pending writes of a group of operations; reads look here before they ask the kv
 *
 *   pending_writes_begin(o)                     set a savepoint before each operation
 *   pending_writes_set(o, key, state) ...       its writes
 *   pending_writes_undo(o)                      if it failed: go back to the savepoint
 *   pending_writes_to_batch(o, batch)           at the end of the group: the last state of each key
 *   pending_writes_settle(o)                    if it was committed; otherwise pending_writes_clear(o)
 *
 * Counts are kept as numbers and encoded once, at the end of the group.
 *
 * Memory: keys and values are borrowed until pending_writes_settle() or pending_writes_clear().
 * Thread: the commit leader only.
 */
#ifndef STORE_LOCAL_COMMIT_PENDING_WRITES_H
#define STORE_LOCAL_COMMIT_PENDING_WRITES_H

#include "store/kv/kv.h"
#include "store/local/records/record.h"

enum pending_kind {
	PENDING_UNKNOWN, /* not known: ask the kv */
	PENDING_VALUE,
	PENDING_ABSENT, /* deleted, or known to be absent */
	PENDING_COUNTS, /* of a collection, a table or an index; absent if it has no items */
};

/* The known state of one key. */
struct pending_writes_state {
	enum pending_kind kind;
	bool dirty; /* differs from the kv */
	bool fresh; /* PENDING_COUNTS: the kv had no such key when the group began */
	union {
		struct slice value;
		struct record_counts counts;
	};
};

struct pending_writes_entry;
struct pending_writes_saved;

/* Most writers write many items of a collection in a row. */
enum { PENDING_KEPT = 4, PENDING_KEPT_BYTES = 64 };

/*
 * Invariant: slots[i] is 0 or 1 + the index of an entry; at most half of the slots are used.
 */
struct pending_writes {
	struct pending_writes_entry *entries; /* in order of first use */
	size_t n;
	size_t cap;
	uint32_t *slots;                    /* hash table over the entries */
	size_t n_slots;                     /* a power of two */
	struct pending_writes_saved *saved; /* before the current operation, oldest first */
	size_t n_saved;
	size_t cap_saved;
	uint32_t operation;                          /* number of the current operation, from 1 */
	char kept[PENDING_KEPT][PENDING_KEPT_BYTES]; /* keys of pending_writes_settle() */
};

/** pending_writes_init - initialize empty pending writes */
void pending_writes_init(struct pending_writes *o);

/** pending_writes_release - free its memory */
void pending_writes_release(struct pending_writes *o);

/** pending_writes_begin - start an operation; pending_writes_undo() goes back to this state */
void pending_writes_begin(struct pending_writes *o);

/** pending_writes_undo - forget the writes since pending_writes_begin(); states that were only read may stay */
void pending_writes_undo(struct pending_writes *o);

/** pending_writes_find - the state of @key, borrowed until the next change; NULL if it is not known */
const struct pending_writes_state *pending_writes_find(const struct pending_writes *o,
						       struct slice key);

/** pending_writes_set - set the state of @key; a dirty state belongs to the current operation, which must have begun */
void pending_writes_set(struct pending_writes *o, struct slice key,
			const struct pending_writes_state *state);

/** pending_writes_to_batch - add the states of all dirty keys to @b; Return: their number */
size_t pending_writes_to_batch(const struct pending_writes *o, struct kv_batch *b);

/**
 * pending_writes_settle - remove all entries before the next group, except a few counts that this group has changed
 *
 * The kv has these counts now, so the next group need not read them.
 */
void pending_writes_settle(struct pending_writes *o);

/** pending_writes_clear - remove all entries before the next group, and keep the memory */
void pending_writes_clear(struct pending_writes *o);

#endif
