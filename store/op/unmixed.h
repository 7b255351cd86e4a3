/*
 * unmixed - an operation is told what to do in expressions or in what came before them, not in both
 *
 * One function for each struct of op.h that has both.
 *
 * Errors:  -ERR_VALIDATION  it has both
 */
#ifndef STORE_OP_UNMIXED_H
#define STORE_OP_UNMIXED_H

#include "store/op/op.h"

/** unmixed_get - GetItem, one table of BatchGetItem */
int unmixed_get(struct call *c, struct slice projection, const struct attributes_to_get *attributes)
	__attribute__((warn_unused_result));

int unmixed_write(struct call *c, const struct write_in *in) __attribute__((warn_unused_result));
int unmixed_update(struct call *c, const struct update_item_in *in)
	__attribute__((warn_unused_result));
int unmixed_query(struct call *c, const struct query_in *in) __attribute__((warn_unused_result));
int unmixed_scan(struct call *c, const struct read_in *in) __attribute__((warn_unused_result));

#endif
