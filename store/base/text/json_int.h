/* json_int - how json.c and json_check.c share the finding of faults */
#ifndef STORE_BASE_TEXT_JSON_INT_H
#define STORE_BASE_TEXT_JSON_INT_H

#include "store/base/text/json.h"

/** json_fail - fail with the place where @text can no longer become one JSON value, and why */
int json_fail(struct call *c, struct slice text) __attribute__((warn_unused_result));

/** json_fail_at - fail with the line and column of @offset and the reason @why */
int json_fail_at(struct call *c, struct slice text, size_t offset, const char *why)
	__attribute__((warn_unused_result));

#endif
