/*
 * unmixed - an operation is told what to do in expressions or in what came before them, not in both
 *
 * One function for each struct of op.h that has expressions.
 *
 * Errors:  -ERR_VALIDATION  it has both, or placeholders and no expression that could use them
 */
#ifndef STORE_OP_UNMIXED_H
#define STORE_OP_UNMIXED_H

#include "store/op/op.h"

int unmixed_get(struct call *c, const struct get_item_in *in) __attribute__((warn_unused_result));

/** unmixed_batch_get - nor the one for one table and the other for another */
int unmixed_batch_get(struct call *c, const struct batch_get_item_in *in)
	__attribute__((warn_unused_result));

int unmixed_transact_get(struct call *c, const struct transact_get *in)
	__attribute__((warn_unused_result));
int unmixed_transact(struct call *c, const struct transact_action *in)
	__attribute__((warn_unused_result));
int unmixed_write(struct call *c, const struct write_in *in) __attribute__((warn_unused_result));
int unmixed_update(struct call *c, const struct update_item_in *in)
	__attribute__((warn_unused_result));
int unmixed_query(struct call *c, const struct query_in *in) __attribute__((warn_unused_result));
int unmixed_scan(struct call *c, const struct read_in *in) __attribute__((warn_unused_result));

#endif
