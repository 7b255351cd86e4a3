/* unquoted - texts without their quotes in an expression: Status = SHIPPED, Date > 2024-01-01, and operators of other languages */
#ifndef TOOLS_SESSION_UNQUOTED_H
#define TOOLS_SESSION_UNQUOTED_H

#include "tools/session/ctl.h"

/* What was found. */
struct unquoted {
	struct slice
		text; /* the first text without quotes, borrowed from the expression; empty: none */
	struct slice sign;  /* the first operator of another language; empty: none */
	const char *ours;   /* what it is here */
	bool clause;        /* an update had no clause: SET */
	struct slice fixed; /* the whole expression as it was meant, in the call's arena */
};

/**
 * unquoted_find - is there a text without quotes, or an operator of another language, and is @expression right without?
 * @field:  "FilterExpression", "ConditionExpression" or "UpdateExpression"
 * @sample: items whose attributes are names; NULL: each word that could be a name is one
 */
bool unquoted_find(struct call *c, const char *field, struct slice expression,
		   const struct page *sample, struct unquoted *out);

/** unquoted_has_clause - does it begin with SET, REMOVE, ADD or DELETE? */
bool unquoted_has_clause(struct slice expression);

/** unquoted_put_named - likewise, with "X was taken for an attribute name. " before it */
void unquoted_put_named(struct buf *out, struct slice expression, const struct unquoted *found);

/** unquoted_date - "2024-01-01" or "2024-05" without quotes in an update, which would be a subtraction; empty: none */
struct slice unquoted_date(struct slice expression);

#endif
