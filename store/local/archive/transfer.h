/*
 * transfer - records of exports and imports: FORMAT.md section 6 in code
 *
 * They stay for 90 days after the transfer.
 */
#ifndef STORE_LOCAL_ARCHIVE_TRANSFER_H
#define STORE_LOCAL_ARCHIVE_TRANSFER_H

#include "store/local/commit/txn.h"
#include "store/local/records/local_int.h"

/* The letter in keys. */
enum transfer_kind { TRANSFER_EXPORT = 'e', TRANSFER_IMPORT = 'i' };

void transfer_key(struct buf *out, enum transfer_kind kind, struct slice id);

void transfer_encode(struct buf *out, enum transfer_kind kind, const struct transfer *t);

/**
 * transfer_decode - the transfer @id
 *
 * Errors:  -ERR_CORRUPT  (any bytes are safe to pass)
 * Memory:  slices borrow @id and @record
 */
int transfer_decode(struct call *c, enum transfer_kind kind, struct slice id, struct slice record,
		    struct transfer *out) __attribute__((warn_unused_result));

/**
 * transfer_of_token - inside an operation of the queue: the transfer that was asked for with @token not too
 * long ago
 *
 * Return: 0, KV_ABSENT, < 0
 */
int transfer_of_token(struct txn *t, struct call *c, enum transfer_kind kind, struct slice token,
		      struct transfer *out) __attribute__((warn_unused_result));

/**
 * transfer_check_same - is the one the same request as the other, whose token it has?
 *
 * Errors:  -ERR_EXPORT_CONFLICT, -ERR_IMPORT_CONFLICT
 */
int transfer_check_same(struct call *c, enum transfer_kind kind, const struct transfer *a,
			const struct transfer *b) __attribute__((warn_unused_result));

/** transfer_begin - likewise: give @new an id, a token if it has none, the time; and write it */
void transfer_begin(struct txn *t, struct call *c, enum transfer_kind kind, struct transfer *new);

/** transfer_put - likewise: change its record */
void transfer_put(struct txn *t, struct call *c, enum transfer_kind kind,
		  const struct transfer *what);

/** transfer_write - change its record, durably */
int transfer_write(struct local *l, struct call *c, enum transfer_kind kind,
		   const struct transfer *t) __attribute__((warn_unused_result));

/** transfer_forget - delete its record and its token, durably */
int transfer_forget(struct local *l, struct call *c, enum transfer_kind kind,
		    const struct transfer *t) __attribute__((warn_unused_result));

/** transfer_describe - by its ARN; Errors: -ERR_VALIDATION, -ERR_EXPORT_NOT_FOUND, -ERR_IMPORT_NOT_FOUND */
int transfer_describe(struct local *l, struct call *c, enum transfer_kind kind, struct slice arn,
		      struct transfer *out) __attribute__((warn_unused_result));

/** transfer_list - a page; Errors: -ERR_VALIDATION  a NextToken of somebody else's */
int transfer_list(struct local *l, struct call *c, enum transfer_kind kind,
		  const struct transfer_query *q, struct transfer_page *out)
	__attribute__((warn_unused_result));

/** Takes one; @t NULL: its record is damaged, as the call's error says.  Return: 0, 1: that is enough, < 0 */
typedef int transfer_take_fn(void *arg, struct call *c, const struct transfer *t);

/** transfer_each - all before @id, or simply all, from the newest to the oldest */
int transfer_each(struct local *l, struct call *c, enum transfer_kind kind, struct slice id,
		  transfer_take_fn *take, void *arg) __attribute__((warn_unused_result));

#endif
