/* call_scope - calls of the command line: their limit of memory, and one that ends with its scope */
#ifndef TOOLS_SYSTEM_CALL_SCOPE_H
#define TOOLS_SYSTEM_CALL_SCOPE_H

#include "store/base/core/call.h"
#include "store/base/core/cleanup.h"

enum { CALL_BUDGET = 256 * 1024 * 1024 }; /* soft limit of one request's memory, in bytes */

/* A call of its own until the scope ends: nothing that it made may be used after that. */
#define call_scope(name, now_ms) \
	cleanup(call_close) struct call name; \
	call_open(&(name), (now_ms), CALL_BUDGET)

#endif
