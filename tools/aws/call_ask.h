/*
 * call_ask - one request of the API, in its JSON
 *
 * Another's server is asked in the words that were typed, and its answer comes as it is; a store of ours by its engine.
 */
#ifndef TOOLS_AWS_CALL_ASK_H
#define TOOLS_AWS_CALL_ASK_H

#include "tools/session/ctl.h"

struct call_ask {
	const char *word;    /* the operation, as PutItem, put-item, put_item */
	enum op_type type;   /* OP_COUNT: not known here */
	struct slice json;   /* the request */
	bool confirms;       /* a table is deleted as with drop: only if that is confirmed */
	struct slice answer; /* empty: nobody has answered, with --dry-run */
	struct op_in in;     /* as the engine took them; no type: it was another's server */
	struct op_out out;
	bool ours;
};

/**
 * call_ask - ask the store that is open
 *
 * Errors:  those of engine_execute(), with the reasons of each action of a transaction;  -ERR_USAGE  there is no such
 *          operation, not confirmed
 */
int call_ask(struct ctl *ctl, struct call *c, struct call_ask *a)
	__attribute__((warn_unused_result));

#endif
