/* call_request - the JSON request of the command call: from a word, a file or standard input */
#ifndef TOOLS_AWS_CALL_REQUEST_H
#define TOOLS_AWS_CALL_REQUEST_H

#include "store/base/core/call.h"

struct ctl;
struct words;

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

#endif
