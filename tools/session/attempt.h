/*
 * attempt - is everything all right with the actions of a transaction?  Asked of the store, which then does nothing
 *
 * They are sent with one action more, a condition that never holds, on an item that nobody has: so conditions, updates, keys
 * and items are looked at as if it were done.
 */
#ifndef TOOLS_SESSION_ATTEMPT_H
#define TOOLS_SESSION_ATTEMPT_H

#include "store/engine/engine.h"

/* The answer does not tell whether anything but that condition was in the way. */
enum { ATTEMPT_UNTRIED = 1 };

/**
 * attempt - @n actions, at least 1; more than a transaction may have beside the condition are sent twice
 *
 * Return:  0: nothing is in their way; ATTEMPT_UNTRIED
 * Errors:  as of the transaction; -ERR_CANCELED with a reason for each action;  -ERR_UNKNOWN_OPERATION  the server has no
 *          transactions;  -ERR_CORRUPT  the server has carried them out
 */
int attempt(struct engine *e, struct call *c, const struct transact_action *actions, size_t n)
	__attribute__((warn_unused_result));

/** attempt_put_codes - append "Transaction cancelled, ... [None, ConditionalCheckFailed]" of the reasons that there are */
void attempt_put_codes(struct buf *b, const struct error *e);

#endif
