/* bare - finds comparisons with unquoted words or literals in an expression, without parsing it */
#ifndef TOOLS_TEXT_BARE_H
#define TOOLS_TEXT_BARE_H

#include "store/base/core/base.h"

/*
 * A comparison "name comparator word". DynamoDB reads an unquoted word as an attribute name. Borrowed from the
 * expression.
 */
struct bare {
	struct slice name;
	struct slice comparator;
	struct slice word;
};

/** bare_find - find the first comparison of a name with a word that is not in quotes; Return: false if there is none */
bool bare_find(struct slice expression, struct bare *out);

/** bare_name - the next name of a top-level attribute from *@at on, which moves past it; empty if there is none */
struct slice bare_name(struct slice expression, size_t *at);

/**
 * bare_literal - find the next comparison of a name or #alias with a literal or :placeholder, from *@at on
 * @at: moves past the literal
 * @out: ->comparator is a sign such as <=, BETWEEN, IN or begins_with; ->word is the literal as it is written
 *
 * The comparison must start at or after *@at: a literal right at *@at is not found.
 * Return: false if there is none
 */
bool bare_literal(struct slice expression, size_t *at, struct bare *out);

#endif
