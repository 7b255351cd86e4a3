/* validate - limits and required fields of a request, before any table is looked up */
#ifndef STORE_OP_VALIDATE_H
#define STORE_OP_VALIDATE_H

#include "store/op/op.h"

/**
 * op_validate - what can be said of @in without the schema
 *
 * Table name, Limit, segments, batch and transaction counts, token, ReturnValues,
 * item_check() of every item.  Key shapes and expressions come later.
 *
 * Errors:  -ERR_VALIDATION  with DynamoDB's messages
 * Source:  BEHAVIOUR 10-13, 22
 */
int op_validate(struct call *c, const struct op_in *in) __attribute__((warn_unused_result));

/**
 * validate_envelop - give a refusal of PutItem, UpdateItem or DeleteItem the service's envelope
 * @status: 0 or -ERR_*, with the error in the call
 *
 * "1 validation error detected: " stands before what these operations refuse without looking at
 * the table, but for an item's size.  What is in an envelope already stays as it is.
 *
 * Return: @status
 */
int validate_envelop(struct call *c, int status) __attribute__((warn_unused_result));

/** validate_unwrap - the inverse, for a statement, whose refusals have no envelope */
int validate_unwrap(struct call *c, int status) __attribute__((warn_unused_result));

/** validate_item - item_check(), and the size that an item may have */
int validate_item(struct call *c, const struct item *it) __attribute__((warn_unused_result));

/** validate_fault - tell of a value that could not be read; Errors: -ERR_VALIDATION */
int validate_fault(struct call *c, const struct transact_fault *fault)
	__attribute__((warn_unused_result));

/**
 * validate_readable - could all values of @in be read? For who sends it to another server
 *
 * Errors:  -ERR_VALIDATION  those of a transaction could not
 */
int validate_readable(struct call *c, const struct op_in *in) __attribute__((warn_unused_result));

/** validate_fail_tags - a resource would have too many tags: -ERR_VALIDATION */
int validate_fail_tags(struct call *c) __attribute__((warn_unused_result));

/** validate_name_characters - has @name only those of a name: letters, digits, '_', '-', '.'? */
bool validate_name_characters(struct slice name);

/** validate_name - may a table be called so? */
bool validate_name(struct slice name);

/** validate_bucket - may a bucket?  S3's rule, and no path: no slash, no dot at its beginning */
bool validate_bucket(struct slice name);

/** validate_prefix - is it a path that stays beneath a bucket? */
bool validate_prefix(struct slice prefix);

#endif
