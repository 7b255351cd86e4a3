/* unquoted - expressions with unquoted texts (Status = SHIPPED, Date > 2024-01-01) or operators of other languages */
#ifndef TOOLS_SESSION_UNQUOTED_H
#define TOOLS_SESSION_UNQUOTED_H

#include "tools/session/ctl.h"

/* What unquoted_find() found. */
struct unquoted {
	struct slice text;  /* the first unquoted text, borrowed from the expression; empty: none */
	struct slice sign;  /* the first operator of another language; empty: none */
	const char *ours;   /* the operator here that replaces sign */
	bool clause;        /* an update had no clause, and got SET */
	struct slice fixed; /* the corrected expression, in the call's arena */
};

/**
 * unquoted_find - correct unquoted texts and operators of other languages
 * @field:  "FilterExpression", "ConditionExpression" or "UpdateExpression"
 * @sample: items whose attributes are names; NULL: each word that could be a name is one
 *
 * Return: true if something was corrected and the corrected expression has a valid syntax
 */
bool unquoted_find(struct call *c, const char *field, struct slice expression,
		   const struct page *sample, struct unquoted *out);

/** unquoted_has_clause - return true if @expression begins with SET, REMOVE, ADD or DELETE */
bool unquoted_has_clause(struct slice expression);

/**
 * unquoted_put_named - append the reason and the typed line with the corrected expression: "Quote text: LINE"
 *
 * Begins with "X was taken for an attribute name. " if only texts were corrected and the first one could be a name.
 */
void unquoted_put_named(struct buf *out, struct slice expression, const struct unquoted *found);

/** bare_value_is_quote - return true for ', " and ` */
bool bare_value_is_quote(char ch);

/** bare_value_word - the word that begins at @at, with '#', ':', '.', '[', ']' and '-'; may be empty */
struct slice bare_value_word(struct slice text, size_t at);

#endif
