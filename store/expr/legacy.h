/*
 * legacy - the parameters that came before expressions, as the trees that expressions become
 *
 * Each function stands beside the one of expr.h that binds a text: its result is asked and applied
 * in the same way.  That nothing is said in both ways is op_validate()'s to see.
 */
#ifndef STORE_EXPR_LEGACY_H
#define STORE_EXPR_LEGACY_H

#include "store/expr/expr.h"
#include "store/model/legacy.h"

/**
 * legacy_condition - Expected, QueryFilter or ScanFilter
 * @out: NULL, which is always true, when there is no condition
 *
 * Errors:  -ERR_VALIDATION  number and types of values, ConditionalOperator without use
 */
int legacy_condition(struct call *c, enum expr_kind kind, const struct conditions *in,
		     struct expr **out) __attribute__((warn_unused_result));

/**
 * legacy_key_condition - KeyConditions, which must be given
 *
 * Errors:  -ERR_VALIDATION  as legacy_condition(), and those of expr_key_condition()
 */
int legacy_key_condition(struct call *c, const struct schema *schema, const struct index *ix,
			 const struct conditions *in, struct keycond *out)
	__attribute__((warn_unused_result));

/**
 * legacy_projection - AttributesToGet
 * @out: NULL, which keeps everything, when it is not given
 *
 * Errors:  -ERR_VALIDATION  an empty name, a name twice
 */
int legacy_projection(struct call *c, const struct attributes_to_get *in,
		      struct expr_projection **out) __attribute__((warn_unused_result));

/**
 * legacy_update - AttributeUpdates
 * @out: NULL, which changes nothing, when there are none
 *
 * Errors:  -ERR_VALIDATION  an action without a value, or with one of a type that it does not have
 */
int legacy_update(struct call *c, const struct attribute_updates *in, struct expr_update **out)
	__attribute__((warn_unused_result));

#endif
