/*
 * legacy_check - checks the parameters that are older than expressions, as far as no table is needed
 *
 * expr/legacy.h builds trees from parameters that have passed these checks.
 *
 * Errors:  -ERR_VALIDATION from each function, with DynamoDB's messages
 */
#ifndef STORE_MODEL_LEGACY_CHECK_H
#define STORE_MODEL_LEGACY_CHECK_H

#include "store/model/item.h"
#include "store/model/legacy_members.h"

/** legacy_check_filter - check QueryFilter or ScanFilter: number and types of values, an unused ConditionalOperator */
int legacy_check_filter(struct call *c, const struct conditions *in) must_check;

/** legacy_check_expected - check Expected in the same way, and members that exclude each other */
int legacy_check_expected(struct call *c, const struct conditions *in) must_check;

/**
 * legacy_check_key_conditions - check KeyConditions: number and types of values, number of conditions
 * @most: greatest number of conditions
 */
int legacy_check_key_conditions(struct call *c, const struct conditions *in, size_t most)
	must_check;

/** legacy_check_updates - check AttributeUpdates: actions without a value, or with one of a wrong type */
int legacy_check_updates(struct call *c, const struct attribute_updates *in) must_check;

/** legacy_check_names - check AttributesToGet: empty names, names that are there twice */
int legacy_check_names(struct call *c, const struct attributes_to_get *in) must_check;

/** legacy_expected - return a condition of Expected in the form with a ComparisonOperator and a list of values */
struct condition legacy_expected(const struct condition *in);

#endif
