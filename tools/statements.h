/* statements - a text with PartiQL statements, taken apart at its semicolons */
#ifndef TOOLS_STATEMENTS_H
#define TOOLS_STATEMENTS_H

#include "store/base/slice.h"

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

#endif
