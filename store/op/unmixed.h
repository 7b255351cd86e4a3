/*
 * unmixed - refuses requests with both expressions and the parameters that they replace
 *
 * Errors:  -ERR_VALIDATION  the request has both, or placeholders but no expression that could use them
 */
#ifndef STORE_OP_UNMIXED_H
#define STORE_OP_UNMIXED_H

#include "store/op/op.h"

/** unmixed_request - check a GetItem, PutItem, UpdateItem, DeleteItem, Query or Scan */
int unmixed_request(struct call *c, const struct op_in *in) must_check;

/** unmixed_batch_get - also refuses expressions for one table and older parameters for another */
int unmixed_batch_get(struct call *c, const struct batch_get_item_in *in) must_check;

int unmixed_transact_get(struct call *c, const struct transact_get *in) must_check;
int unmixed_transact(struct call *c, const struct transact_action *in) must_check;

#endif
