/*
 * jmespath_text - lexical analysis of jmespath
 *
 * The functions read at j->at and move it past what they read. For jmespath_literal() and jmespath_raw() the opening
 * quote must be there; the others skip blanks first.
 */
#ifndef TOOLS_OUT_JMESPATH_TEXT_H
#define TOOLS_OUT_JMESPATH_TEXT_H

#include "tools/out/jmespath_int.h"

/** jmespath_wrong - record a fault of the syntax at j->at, unless there is one already; Return: null */
const struct json *jmespath_wrong(struct jmespath *j, const char *fault);

/** jmespath_blanks - skip blanks */
void jmespath_blanks(struct jmespath *j);

/** jmespath_at - return true if @token is next */
bool jmespath_at(struct jmespath *j, const char *token);

/** jmespath_take - take @token if it is next; Return: whether it was */
bool jmespath_take(struct jmespath *j, const char *token);

/** jmespath_expect - take @token, or record @fault */
void jmespath_expect(struct jmespath *j, const char *token, const char *fault);

/** jmespath_literal - read a literal in backquotes: JSON, or a string without its quotes */
const struct json *jmespath_literal(struct jmespath *j);

/** jmespath_raw - read a string in single quotes */
const struct json *jmespath_raw(struct jmespath *j);

/** jmespath_name - read a name, in double quotes or not; empty if there is none */
struct slice jmespath_name(struct jmespath *j);

/** jmespath_whole - read a whole number with its sign; false if there is none */
bool jmespath_whole(struct jmespath *j, long *out);

#endif
