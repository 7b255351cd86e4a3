/*
 * call_ask - one request of the API, in JSON
 *
 * A remote server gets the request as typed, and its answer is not changed.  For other stores the request is decoded
 * and executed by the engine.
 */
#ifndef TOOLS_AWS_CALL_ASK_H
#define TOOLS_AWS_CALL_ASK_H

#include "tools/session/ctl.h"

struct call_ask {
	const char *word;    /* the operation: PutItem, put-item, put_item */
	enum op_type type;   /* OP_COUNT: unknown to itemctl */
	struct slice json;   /* the request */
	bool confirms;       /* ask before a table is deleted, also in local stores, as drop does */
	struct slice answer; /* result; empty: no request was sent, with --dry-run */
	struct op_in in;     /* result: the decoded request; only if ours */
	struct op_out out;   /* result: the answer; only if ours */
	bool ours; /* result: the engine executed the request, it was not passed to a server */
};

/**
 * call_ask - send the request to the open store
 *
 * Errors:  those of engine_execute(), with the reason of each action of a transaction;  -ERR_USAGE  unknown operation,
 *          not confirmed
 */
int call_ask(struct ctl *ctl, struct call *c, struct call_ask *a) must_check;

#endif
