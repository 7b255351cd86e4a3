/*
 * call_request - one request of the API, in JSON: read from a word, a file or standard input, and sent
 *
 * A remote server gets the request as typed, and its answer is not changed.  For other stores the request is decoded
 * and executed by the engine.
 */
#ifndef TOOLS_AWS_CALL_REQUEST_H
#define TOOLS_AWS_CALL_REQUEST_H

#include "tools/session/ctl.h"

/**
 * call_request_read - read and check the request
 * @words:   OPERATION [JSON | FILE | -]; at least the operation
 * @refuses: fail if a member is unknown and similar to a known one
 * @json:    in the call's arena, or the word itself; {} if there is no request
 *
 * Return: 0; -ERR_USAGE  no such file, or an unknown member; the errors of ctl_read_text()
 */
int call_request_read(const struct ctl *ctl, struct call *c, const struct words *words,
		      bool refuses, struct slice *json) must_check;

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
