/*
 * legacy - the parameters that came before expressions, as the trees that expressions become
 *
 * Each function stands beside the one of expr.h that binds a text: its result is asked and applied
 * in the same way.  What is in them passed model/legacy_check.h.
 */
#ifndef STORE_EXPR_LEGACY_H
#define STORE_EXPR_LEGACY_H

#include "store/expr/expr.h"
#include "store/model/legacy_members.h"

/** legacy_condition - Expected, QueryFilter or ScanFilter; NULL, which is always true: no condition */
struct expr *legacy_condition(struct call *c, enum expr_kind kind, const struct conditions *in);

/** legacy_key_condition - KeyConditions, of which there is one at least; Errors: none, so far */
int legacy_key_condition(struct call *c, const struct conditions *in, struct key_terms **out)
	__attribute__((warn_unused_result));

/** legacy_projection - AttributesToGet; NULL, which keeps everything: not given */
struct expr_projection *legacy_projection(struct call *c, const struct attributes_to_get *in);

/** legacy_update - AttributeUpdates; NULL, which changes nothing: there are none */
struct expr_update *legacy_update(struct call *c, const struct attribute_updates *in);

#endif
