/*
 * transfer - records of exports and imports, as FORMAT.md section 6 defines them
 *
 * They are kept for 90 days after the start of the transfer.
 */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/* The value is the letter in keys. */
enum transfer_kind { TRANSFER_EXPORT = 'e', TRANSFER_IMPORT = 'i' };

/** transfer_key - Return: key of the record of transfer @id, in the call's arena */
struct slice transfer_key(struct call *c, enum transfer_kind kind, struct slice id);

/** transfer_encode - append the record of @t */
void transfer_encode(struct buf *out, enum transfer_kind kind, const struct transfer *t);

/**
 * transfer_decode - decode the record of transfer @id
 *
 * Return:  0, -ERR_CORRUPT; any bytes are safe to pass
 * Memory:  the call's arena; slices borrow @id and @record
 */
int transfer_decode(struct call *c, enum transfer_kind kind, struct slice id, struct slice record,
		    struct transfer *out) __attribute__((warn_unused_result));

/**
 * transfer_of_token - find the transfer that was requested with @token, unless the token has expired
 *
 * Return:  0, KV_ABSENT, < 0
 * Thread:  the commit leader, inside an operation of the queue
 */
int transfer_of_token(struct txn *t, struct call *c, enum transfer_kind kind, struct slice token,
		      struct transfer *out) __attribute__((warn_unused_result));

/**
 * transfer_check_same - check that two requests with the same token have the same parameters
 *
 * Return:  0, -ERR_EXPORT_CONFLICT, -ERR_IMPORT_CONFLICT
 */
int transfer_check_same(struct call *c, enum transfer_kind kind, const struct transfer *a,
			const struct transfer *b) __attribute__((warn_unused_result));

/**
 * transfer_begin - set id, time and, if it is empty, token of @new; put its record into the operation's batch
 *
 * Thread:  the commit leader, inside an operation of the queue
 */
void transfer_begin(struct txn *t, struct call *c, enum transfer_kind kind, struct transfer *begun);

/** transfer_put - put the record of @what into the operation's batch;  Thread: as transfer_begin() */
void transfer_put(struct txn *t, struct call *c, enum transfer_kind kind,
		  const struct transfer *what);

/** transfer_write - write the record of @t; the commit is synced */
int transfer_write(struct local *l, struct call *c, enum transfer_kind kind,
		   const struct transfer *t) __attribute__((warn_unused_result));

/** transfer_forget - delete the record and the token of @t; the commit is synced */
int transfer_forget(struct local *l, struct call *c, enum transfer_kind kind,
		    const struct transfer *t) __attribute__((warn_unused_result));

/** transfer_describe - find by ARN;  Errors: -ERR_VALIDATION, -ERR_EXPORT_NOT_FOUND, -ERR_IMPORT_NOT_FOUND */
int transfer_describe(struct local *l, struct call *c, enum transfer_kind kind, struct slice arn,
		      struct transfer *out) __attribute__((warn_unused_result));

/** transfer_list - read a page of a list, newest first;  Errors: -ERR_VALIDATION  an invalid NextToken */
int transfer_list(struct local *l, struct call *c, enum transfer_kind kind,
		  const struct transfer_query *q, struct transfer_page *out)
	__attribute__((warn_unused_result));

/**
 * transfer_take_fn - called for each transfer
 * @t: NULL: the record is damaged; the call's error has the reason
 *
 * Return:  0: continue;  1: stop;  < 0: an error
 */
typedef int transfer_take_fn(void *arg, struct call *c, const struct transfer *t);

/** transfer_each - call @take for all transfers before @id (empty: all), newest first;  Return: 0, < 0 */
int transfer_each(struct local *l, struct call *c, enum transfer_kind kind, struct slice id,
		  transfer_take_fn *take, void *arg) __attribute__((warn_unused_result));

#endif
