/* statements - a text with PartiQL statements, taken apart at its semicolons */
#ifndef TOOLS_TEXT_STATEMENTS_H
#define TOOLS_TEXT_STATEMENTS_H

#include "store/base/core/call.h"
#include "store/model/value.h"

#include "tools/text/words.h"

/* Where the reading stands. */
struct statements {
	struct slice text;
	size_t at;
};

/**
 * statements_next - the next statement, without its semicolon; blanks and comments alone are none
 * @questions: how many parameters it has
 *
 * Return: false: no more
 */
bool statements_next(struct statements *s, struct slice *out, size_t *questions);

/**
 * statements_parameters - the words from @from on as values: JSON as an item has it, or a text: Acme, 5, true, {"S":"5"}
 *
 * Errors:  -ERR_*  JSON that is no value
 * Memory:  @c's
 */
int statements_parameters(struct call *c, const struct words *words, size_t from,
			  const struct value **out) __attribute__((warn_unused_result));

#endif
