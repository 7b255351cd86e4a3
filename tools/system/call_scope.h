/* call_scope - a struct call that ends with its scope, and the memory limit of calls in itemctl */
#ifndef TOOLS_SYSTEM_CALL_SCOPE_H
#define TOOLS_SYSTEM_CALL_SCOPE_H

#include "store/base/core/base.h"

enum { CALL_BUDGET = 256 * 1024 * 1024 }; /* soft limit of one request's memory, in bytes */

/* Declare and open a call that is closed at the end of the scope. Do not use its results after that. */
#define call_scope(name, now_ms) \
	cleanup(call_close) struct call name; \
	call_open(&(name), (now_ms), CALL_BUDGET)

#endif
