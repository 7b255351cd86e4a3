/*
 * legacy - turns the parameters that are older than expressions into bound trees
 *
 * Each function corresponds to the one of expr.h that binds a text, and its result is used
 * in the same way.  The caller has checked the parameters with model/legacy_check.h.
 */
#ifndef STORE_EXPR_LEGACY_H
#define STORE_EXPR_LEGACY_H

#include "store/expr/expr.h"
#include "store/model/legacy_members.h"

/** legacy_condition - Expected (EXPR_CONDITION), QueryFilter or ScanFilter (EXPR_FILTER); NULL, always true, if none */
struct expr *legacy_condition(struct call *c, enum expr_kind kind, const struct conditions *in);

/** legacy_key_condition - KeyConditions, at least one; Errors: -ERR_VALIDATION */
int legacy_key_condition(struct call *c, const struct conditions *in, struct key_terms **out)
	must_check;

/** legacy_projection - AttributesToGet; NULL, which keeps everything, if it is empty */
struct expr_projection *legacy_projection(struct call *c, const struct attributes_to_get *in);

/** legacy_update - AttributeUpdates; NULL, which changes nothing, if it is empty */
struct expr_update *legacy_update(struct call *c, const struct attribute_updates *in);

#endif
