/* json_int - functions of json_fault.c that json.c fails with */
#ifndef STORE_BASE_TEXT_JSON_INT_H
#define STORE_BASE_TEXT_JSON_INT_H

#include "store/base/text/json.h"

/** json_fail - fail with line and column of the fault of @text, which is not one JSON value, and the reason */
int json_fail(struct call *c, struct slice text) __attribute__((warn_unused_result));

/** json_fail_at - fail with the line and column of @offset <= @text.len, and the reason @why */
int json_fail_at(struct call *c, struct slice text, size_t offset, const char *why)
	__attribute__((warn_unused_result));

#endif
