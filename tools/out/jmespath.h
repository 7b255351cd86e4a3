/*
 * jmespath - JMESPath, the query language of the AWS command line's --query
 *
 *   Items[*].Artist.S    Items[?n.N > `5`].[a.S, b.S]    Table.{Name: TableName}    length(Items) | sort(@)
 *
 * It implements jmespath.org except map(), merge(), abs(), ceil(), floor(), avg() and to_array(). It evaluates while it
 * parses: the right side of a projection is parsed again for each element.
 */
#ifndef TOOLS_OUT_JMESPATH_H
#define TOOLS_OUT_JMESPATH_H

#include "store/base/text/json.h"

/**
 * jmespath - evaluate the expression @text on @json
 * @out: null if nothing matches; in the call's arena, or a part of @json
 *
 * Errors:  -ERR_USAGE  @text is not an expression, over 2,000 bytes or nested too deeply; a function got a value of a
 *                      wrong type; the result is too large. The message has the position.
 */
int jmespath(struct call *c, const char *text, const struct json *json, const struct json **out)
	must_check;

#endif
