/*
 * write - the one funnel that every change of an item goes through
 *
 *   caller's thread   write_bind(); write_prepare_put(), _update() or _key()      write_make.c
 *   leader            write_item(), or for a transaction write_test() of all, then write_apply()
 *
 *   read old -> condition -> update -> item, index entries, counts of table and indexes -> change
 *   -> the stream's record
 */
#ifndef STORE_LOCAL_WRITE_WRITE_H
#define STORE_LOCAL_WRITE_WRITE_H

#include "store/expr/expr.h"
#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"
#include "store/local/write/index.h"

struct capacity;

enum write_kind {
	WRITE_PUT,
	WRITE_UPDATE,
	WRITE_DELETE,
	WRITE_CHECK, /* a condition only */
	WRITE_TIME,  /* the time of last write only */
};

/* One item's write; made by write_prepare_*(), finished by the leader. */
struct write {
	struct local *local;
	const struct schema *schema;
	struct slice table; /* as the request named it; set by told_ask() */
	enum write_kind kind;
	bool service;       /* by the store itself: its time to live was over; a stream tells */
	bool measures;      /* collection_bytes is wanted */
	bool throttled;     /* it draws on the table's budgets; then it has a capacity */
	bool transactional; /* and pays twice */
	bool put_off;       /* a batch's: throttled, nothing was done */
	struct key_values values;         /* borrowed from the request */
	struct slice key;                 /* keyspace_item() */
	struct slice collection;          /* keyspace_partition() */
	struct slice totals;              /* keyspace_totals() */
	uint64_t mtime_ns;                /* put, update, time: time of last write */
	const struct expr *condition;     /* NULL: none */
	struct seen seen;                 /* part of the condition */
	const struct expr_update *update; /* update; NULL: the item need only be there */

	struct capacity *capacity; /* to be filled with what it costs; NULL: nobody asks */

	/* put; set by the leader when an update changes something */
	struct item item; /* of an update before that: the key */
	struct slice record;
	struct record_counts size;   /* items = 1 */
	struct index_entry *entries; /* one for each index of the schema */

	/* set by the leader */
	uint64_t siblings;         /* items of the collection before */
	uint64_t collection_bytes; /* after it; in the table and in its local indexes together */
	bool had_old;
	bool changed; /* other content than before, or one of the two absent */
	struct item old;
	struct slice old_record;
	struct record_counts old_size;
	struct index_entry *before; /* of each index; NULL: all of them stay as they are */
	struct index_entry *after;
	uint64_t seq; /* 0: nothing was written */
};

enum write_outcome { WRITE_REFUSED = 20 }; /* the condition is false; nothing is recorded */

/* What a request says of a write beside its key or item. */
struct write_said {
	const struct placeholders *ph;
	struct slice condition;
	const struct slice *update; /* NULL: the operation has no UpdateExpression */

	/* instead; NULL: the operation does not have them */
	const struct conditions *expected;
	const struct attribute_updates *updates;
};

/* The same, bound; NULL: nothing. */
struct write_words {
	const struct expr *condition;
	const struct expr_update *update;
};

/**
 * write_bind - the expressions of one write, before its table is looked up
 *
 * Errors:  -ERR_VALIDATION
 */
int write_bind(struct call *c, const struct write_said *said, struct write_words *out)
	__attribute__((warn_unused_result));

/**
 * write_prepare_put - check @it and encode all that does not depend on the item before it
 * @mtime_ns: time of last write; 0: now
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 * Memory:  borrows @it; all else in the call's arena
 */
int write_prepare_put(struct local *l, struct call *c, const struct schema *s,
		      const struct item *it, uint64_t mtime_ns, struct write *out)
	__attribute__((warn_unused_result));

/**
 * write_prepare_update - likewise for an update of the item with @key
 *
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG
 */
int write_prepare_update(struct local *l, struct call *c, const struct schema *s,
			 const struct item *key, const struct expr_update *update,
			 struct write *out) __attribute__((warn_unused_result));

/** write_prepare_key - likewise for what only needs the key: delete, check, time */
int write_prepare_key(struct local *l, struct call *c, const struct schema *s, enum write_kind kind,
		      const struct item *key, struct write *out)
	__attribute__((warn_unused_result));

/** write_bytes - its weight in the queue */
size_t write_bytes(const struct write *w);

/**
 * write_read - read the item as it is: had_old, old, old_size, siblings
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Thread:  the commit leader
 */
int write_read(struct txn *t, struct call *c, struct write *w) __attribute__((warn_unused_result));

/**
 * write_test - read the item as it is, evaluate the condition, compute what an update makes of it
 *
 * Return:  0, WRITE_REFUSED, TXN_REBIND, < 0
 * Errors:  -ERR_IO, -ERR_CORRUPT; as throttle_admit();  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG  an update
 * Thread: the commit leader
 */
int write_test(struct txn *t, struct call *c, struct write *w) __attribute__((warn_unused_result));

/**
 * write_apply - after write_test() answered 0
 *
 * Errors:  -ERR_COLLECTION_TOO_BIG, -ERR_IO, -ERR_CORRUPT;
 *          as throttle_admit(): nothing of it was put
 */
int write_apply(struct txn *t, struct call *c, struct write *w) __attribute__((warn_unused_result));

/**
 * write_item - both
 * @tell_old: the error of a false condition carries the item in the way
 *
 * Return:  0, TXN_REBIND, < 0
 * Errors:  -ERR_CONDITION and those of the two
 */
int write_item(struct txn *t, struct call *c, struct write *w, bool tell_old)
	__attribute__((warn_unused_result));

#endif
