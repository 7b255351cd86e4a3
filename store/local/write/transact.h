/* transact - the error of a cancelled transaction */
#ifndef STORE_LOCAL_WRITE_TRANSACT_H
#define STORE_LOCAL_WRITE_TRANSACT_H

#include "store/op/op.h"

/**
 * transact_cancel - fail with one reason for each action
 * @reasons: @n reasons in the call's arena
 *
 * Return: -ERR_CANCELED
 */
int transact_cancel(struct call *c, const struct cancel_reason *reasons, size_t n) must_check;

#endif
