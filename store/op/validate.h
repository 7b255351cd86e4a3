/* validate - checks limits and required members of a request, before any table is looked up */
#ifndef STORE_OP_VALIDATE_H
#define STORE_OP_VALIDATE_H

#include "store/op/op.h"

/**
 * op_validate - check @in as far as that is possible without a schema
 *
 * Checks table names, Limit, segments, counts of batches and transactions, tokens, ReturnValues, and
 * items to store with item_check(), except those of transactions.  Keys and expressions are checked later.
 * Sets c->older.
 *
 * Errors:  -ERR_VALIDATION  with DynamoDB's messages
 * Source:  BEHAVIOUR 10-13, 22
 */
int op_validate(struct call *c, const struct op_in *in) must_check;

/**
 * validate_envelop - insert "1 validation error detected: " before a message of PutItem, UpdateItem or DeleteItem
 * @status: 0 or -ERR_*, with the error in the call
 *
 * The service does so for faults that it finds before it looks up the table, except for the size of an item.
 * A message that has such a prefix is not changed.
 *
 * Return: @status
 */
int validate_envelop(struct call *c, int status) must_check;

/** validate_unwrap - remove the prefix again, for a PartiQL statement; Return: @status */
int validate_unwrap(struct call *c, int status) must_check;

/** validate_item - item_check() of an item to store, and its size */
int validate_item(struct call *c, const struct item *it) must_check;

/** validate_fault - fail if a value could not be decoded; Errors: -ERR_VALIDATION */
int validate_fault(struct call *c, const struct transact_fault *fault) must_check;

/**
 * validate_readable - fail if a value of @in could not be decoded, before @in is sent to another server
 *
 * Errors:  -ERR_VALIDATION  a value of a transaction could not be decoded
 */
int validate_readable(struct call *c, const struct op_in *in) must_check;

/** validate_fail_tags - fail because a resource would have too many tags; Return: -ERR_VALIDATION */
int validate_fail_tags(struct call *c) must_check;

/** validate_name - return true if @name is a valid name of a table */
bool validate_name(struct slice name);

/** validate_bucket - return true if @name is a valid name of a bucket: S3's rule; it has no slash and no leading dot */
bool validate_bucket(struct slice name);

/** validate_prefix - return true if @prefix is empty or a path that stays below a bucket */
bool validate_prefix(struct slice prefix);

#endif
