/*
 * legacy_check - what is wrong with the parameters that came before expressions, whatever the table
 *
 * expr/legacy.h makes trees of what passed here.
 *
 * Errors:  -ERR_VALIDATION  of each function, with DynamoDB's messages
 */
#ifndef STORE_MODEL_LEGACY_CHECK_H
#define STORE_MODEL_LEGACY_CHECK_H

#include "store/model/item.h"
#include "store/model/legacy_members.h"

/** legacy_check_filter - QueryFilter or ScanFilter: number and types of values, ConditionalOperator without use */
int legacy_check_filter(struct call *c, const struct conditions *in)
	__attribute__((warn_unused_result));

/** legacy_check_expected - Expected: likewise, and members that exclude each other */
int legacy_check_expected(struct call *c, const struct conditions *in)
	__attribute__((warn_unused_result));

/**
 * legacy_check_key_conditions - KeyConditions: number and types of values, number of conditions
 * @most: conditions that a key may have
 */
int legacy_check_key_conditions(struct call *c, const struct conditions *in, size_t most)
	__attribute__((warn_unused_result));

/** legacy_check_updates - AttributeUpdates: an action without a value, or with one of a type that it does not have */
int legacy_check_updates(struct call *c, const struct attribute_updates *in)
	__attribute__((warn_unused_result));

/** legacy_check_names - AttributesToGet: an empty name, a name twice */
int legacy_check_names(struct call *c, const struct attributes_to_get *in)
	__attribute__((warn_unused_result));

/** legacy_expected - a condition of Expected as one with a ComparisonOperator and a list of values */
struct condition legacy_expected(const struct condition *in);

#endif
