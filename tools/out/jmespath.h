/*
 * jmespath - the language of --query of the AWS command line: a part of an answer
 *
 *   Items[*].Artist.S    Items[?n.N > `5`].[a.S, b.S]    Table.{Name: TableName}    length(Items) | sort(@)
 *
 * All of jmespath.org but map(), merge(), abs(), ceil(), floor(), avg() and to_array().
 */
#ifndef TOOLS_OUT_JMESPATH_H
#define TOOLS_OUT_JMESPATH_H

#include "store/base/text/json.h"

/**
 * jmespath - what @text picks from @json
 * @out: null if there is no such thing; in the call's arena, or a part of @json
 *
 * Errors:  -ERR_USAGE  it is no such expression (message says where), or a function got a value of another type
 */
int jmespath(struct call *c, const char *text, const struct json *json, const struct json **out)
	__attribute__((warn_unused_result));

#endif
