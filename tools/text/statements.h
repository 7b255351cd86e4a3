/* statements - splits a text into PartiQL statements at semicolons, or at GO on a line of its own */
#ifndef TOOLS_TEXT_STATEMENTS_H
#define TOOLS_TEXT_STATEMENTS_H

#include "store/base/core/call.h"
#include "store/model/value.h"

#include "tools/text/words.h"

/* A text and the position of the next statement. */
struct statements {
	struct slice text;
	size_t at;
};

/**
 * statements_next - the next statement, without its semicolon; empty statements are skipped
 * @questions: number of its parameters
 *
 * Return: false if there are no more
 */
bool statements_next(struct statements *s, struct slice *out, size_t *questions);

/**
 * statements_parameters - convert the words from @from on to values: Acme, 5, true, {"S":"5"}
 * @from: at most words->n
 *
 * JSON is read as in an item; any other word is a string.
 *
 * Errors:  -ERR_*  JSON that is not a value
 * Memory:  @c's
 */
int statements_parameters(struct call *c, const struct words *words, size_t from,
			  const struct value **out) must_check;

#endif
