/*
 * write - the functions through which every change of an item goes
 *
 *   caller's thread   write_bind(), write_prepare()      write_make.c
 *   leader            write_item(), or for a transaction write_test() of all, then write_apply() of all
 *
 *   read the old item -> condition -> update -> item, index entries, counts of table and indexes -> stream record
 *   -> published change
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
	WRITE_CHECK, /* only evaluate a condition */
	WRITE_TIME,  /* only set the time of last write */
};

/* The write of one item. */
struct write {
	struct local *local;
	const struct schema *schema;
	enum write_kind kind;
	/* That of a put, else the key; for an update, the leader sets it to the result. */
	struct item item;
	bool service; /* made by the store itself, because the item has expired; stream records show that */
	bool transactional; /* it pays twice */
	bool put_off;       /* in a batch: it was throttled, and nothing was done */
	uint64_t mtime_ns;  /* put, update, time: time of last write; 0: that of the call */
	const struct expr *condition;     /* NULL: none */
	struct seen seen;                 /* a second part of the condition */
	const struct expr_update *update; /* update; NULL: only make sure that the item exists */

	/* set by write_report_ask() */
	struct slice table;        /* the name or ARN in the request */
	struct capacity *capacity; /* receives the cost of the write; NULL: it is not needed */
	bool measures;             /* set collection_bytes */
	bool throttled;            /* it uses the table's budgets; then capacity is not NULL */

	/* set by write_prepare() */
	struct key_values values; /* borrowed from the item */
	struct slice key;         /* keyspace_item() */
	struct slice collection;  /* keyspace_collection() */
	struct slice totals;      /* keyspace_head() */

	/* set by write_prepare() for a put; for an update, set by the leader if it changes something */
	struct slice record;
	struct record_counts size;   /* items = 1; all zero for a delete */
	struct index_entry *entries; /* one for each index of the schema */

	/* set by the leader */
	uint64_t siblings;         /* items of the collection before the write */
	uint64_t rendered_bytes;   /* of the collection before the write: plain JSON lines */
	uint64_t collection_bytes; /* after it, in the table and its local indexes; see measures */
	bool had_old;              /* the item existed before */
	bool changed; /* the content differs, or the item existed only before or after the write */
	struct item old;
	struct slice old_record;
	struct record_counts old_size; /* all zero if it did not exist */
	struct index_entry *before;    /* one for each index; NULL: no entry changes */
	struct index_entry *after;     /* one for each index; NULL: no entry changes */
	uint64_t seq;                  /* 0: nothing was written */
};

enum write_outcome { WRITE_REFUSED = 20 }; /* the condition is false; nothing is written */

/* The parameters of a write in a request, besides its key or item. */
struct write_said {
	const struct placeholders *ph;
	struct slice condition;
	const struct slice *update; /* NULL: the operation has no UpdateExpression */

	/* the legacy parameters, used instead of expressions; NULL: the operation does not have them */
	const struct conditions *expected;
	const struct attribute_updates *updates;
};

/* The same, bound; NULL: there is none. */
struct write_words {
	const struct expr *condition;
	const struct expr_update *update;
};

/**
 * write_bind - bind the expressions of one write, before its table is looked up
 *
 * Errors:  -ERR_VALIDATION
 */
int write_bind(struct call *c, const struct write_said *said, struct write_words *out) must_check;

/**
 * write_prepare - check a write and encode everything that does not depend on the old item
 * @w: local, schema, kind and item are set; the other fields are zero, or set as their comments say
 *
 * An update is checked as far as that is possible without the item.
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG;  of a put -ERR_ITEM_TOO_BIG
 * Memory:  borrows the item; everything else is in the call's arena
 */
int write_prepare(struct call *c, struct write *w) must_check;

/** write_bytes - the approximate bytes that a write puts, for txn_op.bytes */
size_t write_bytes(const struct write *w);

/**
 * write_read - read the old item: sets had_old, old, old_record, old_size, siblings and rendered_bytes
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT
 * Thread:  the commit leader
 */
int write_read(struct txn *t, struct call *c, struct write *w) must_check;

/**
 * write_test - read the old item, evaluate the condition, and compute the result of an update
 *
 * Return:  0, WRITE_REFUSED, TXN_REBIND, < 0
 * Errors:  -ERR_IO, -ERR_CORRUPT; as throttle_admit();
 *          of an update: -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 * Thread:  the commit leader
 */
int write_test(struct txn *t, struct call *c, struct write *w) must_check;

/**
 * write_update - for write_test(): apply the update to w->old, or to the key if the item did not exist
 *
 * Sets w->item and w->changed; if that is true, also record, size and entries, as for a put.
 * Errors:  -ERR_VALIDATION, -ERR_KEY_TOO_LONG, -ERR_ITEM_TOO_BIG
 * Thread:  the commit leader
 */
int write_update(struct call *c, struct write *w) must_check;

/**
 * write_apply - put all changes of the write, after write_test() has returned 0 in the same run()
 *
 * Errors:  -ERR_COLLECTION_TOO_BIG, -ERR_IO, -ERR_CORRUPT;
 *          as throttle_admit(): then nothing was put
 * Thread:  the commit leader
 */
int write_apply(struct txn *t, struct call *c, struct write *w) must_check;

/** write_try - write_test(), then write_apply(); Return, Errors: those of the two; Thread: the commit leader */
int write_try(struct txn *t, struct call *c, struct write *w) must_check;

/**
 * write_item - write_try(), but a false condition is an error
 * @tell_old: if the condition is false, the error contains the old item
 *
 * Return:  0, TXN_REBIND, < 0
 * Errors:  -ERR_CONDITION and those of write_try()
 * Thread:  the commit leader
 */
int write_item(struct txn *t, struct call *c, struct write *w, bool tell_old) must_check;

/* ------------------------------------------------------------ many items: batch.c, transact.c */

/**
 * batch_load - put the items of @in in one operation, without a sync, also into a table that is still being created
 *
 * Errors:  -ERR_NO_TABLE  the table does not exist any more;  those of a put
 */
int batch_load(struct local *l, struct call *c, const struct load_items_in *in) must_check;

/**
 * transact_cancel - cancel a transaction with one reason for each action
 * @reasons: @n reasons in the call's arena
 *
 * Return: -ERR_CANCELED
 */
int transact_cancel(struct call *c, const struct cancel_reason *reasons, size_t n) must_check;

#endif
