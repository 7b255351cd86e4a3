/*
 * attempt - test of a transaction: the store checks the actions and executes none
 *
 * attempt() adds an action to the transaction: a condition that never holds, on an item that does not exist.  The store
 * then checks conditions, updates, keys and items as for a real transaction, but always cancels it.
 */
#ifndef TOOLS_SESSION_ATTEMPT_H
#define TOOLS_SESSION_ATTEMPT_H

#include "store/engine/engine.h"

/* The answer does not say whether another action failed as well. */
enum { ATTEMPT_UNTRIED = 1 };

/**
 * attempt - test @n actions, 1 to LIMIT_TRANSACTION; sends two transactions if the added condition makes one too large
 *
 * Return:  0: the transaction would succeed; ATTEMPT_UNTRIED
 * Errors:  those of TransactWriteItems;  -ERR_CANCELED  with a reason for each action;  -ERR_UNKNOWN_OPERATION  the
 *          server has no transactions;  -ERR_CORRUPT  the server executed the actions
 */
int attempt(struct engine *e, struct call *c, const struct transact_action *actions, size_t n)
	must_check;

/** attempt_put_codes - append the message of @e with its reasons: "Transaction cancelled, ... [None, ...]" */
void attempt_put_codes(struct buf *b, const struct error *e);

#endif
