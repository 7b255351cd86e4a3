/*
 * inline - rewrites expressions as users type them, with literals and bare names, to expressions with placeholders
 *
 *   Status = "OPEN" AND Total > 100   ->   #i0 = :i0 AND #i1 > :i1   with names and values
 *
 * For itemctl and the mount's .filter.  Text, numbers, true, false and null become
 * values.  Each attribute name becomes an alias unless it begins with '#'.
 * The user's --names and --values are kept beside the new placeholders.
 *
 *   "text"  'text'     string; \" \' \\ \/ \b \f \n \r \t \uXXXX as in JSON; '' in '...' is '
 *   -12.5  1e3         number; a sign belongs to it unless it follows a name, a value, ')' or ']'
 *   [1,"a"] {"a":1}    list and map, as JSON; {"SS":["a"]} and {"B":"aGk="} are typed values, as in an
 *                      item's file.  After a name '[' begins an index
 *   true false null    BOOL and NULL, in lower case and not after a '.'; refused in another case
 *   Name  a.b[3].c     attribute names: letters (any alphabet), digits, '_'; after a '.' they may
 *                      begin with a digit and be any word
 *   `a.b`              one name of any characters; `` in it means `
 *   AND OR NOT IN BETWEEN           keywords, in any case; `In` is an attribute
 *   SET ADD REMOVE DELETE           keywords if a name follows, else attributes
 *   size(  foo (       a word before '(' is a function
 *   #alias  :value     kept, for --names and --values
 *   anything else      kept; digits in [ ] are an index
 *
 * A name or literal that is repeated, in any expression of the request, gets the
 * same placeholder.  The user's own placeholders are never used for it.
 */
#ifndef STORE_EXPR_INLINE_H
#define STORE_EXPR_INLINE_H

#include "store/model/placeholders.h"

/*
 * One rewritten request: its expressions share the placeholders.  A zeroed object has
 * none.  To keep the user's own placeholders, set ph and own_... first.
 */
struct inline_request {
	struct placeholders ph; /* in the call's arena; grows with each expression */
	size_t own_names;       /* number of names, the first ones, that are the user's */
	size_t own_values;      /* number of values, the first ones, that are the user's */
	size_t cap_names;       /* private */
	size_t cap_values;      /* private */
	unsigned next_name;     /* private: number of the next #i */
	unsigned next_value;    /* private: number of the next :i */
};

/* A rewritten text and the origin of each byte, to show a caret in the typed text. */
struct inline_text {
	struct slice text;    /* rewritten */
	const size_t *offset; /* offset in the typed text of each byte; text.len + 1 entries */
};

/**
 * inline_expression - rewrite one expression
 * @user: the typed text of a condition, key condition, projection or update
 *
 * Examines only tokens, and leaves the grammar to the engine.
 * Errors:  -ERR_VALIDATION  an unfinished string, list or map, a bad escape, number or value, TRUE, bytes
 *                           that are not UTF-8; c->error.place is the offset + 1 of the fault
 * Memory:  in the call's arena; may point into @user
 */
int inline_expression(struct call *c, struct inline_request *r, struct slice user,
		      struct inline_text *out) must_check;

/**
 * inline_value, inline_name - add a placeholder of the caller's own, after those of all expressions
 * @alias: including its ':' or '#'
 *
 * The list is copied, so that copies of a request can get different placeholders.
 */
void inline_value(struct call *c, struct inline_request *r, struct slice alias,
		  const struct value *v);
void inline_name(struct call *c, struct inline_request *r, struct slice alias, struct slice name);

/**
 * inline_say - append a message in which our placeholders are replaced by their names and values
 * @typed: the typed texts; placeholders that occur in them are the user's and are kept
 */
void inline_say(const struct inline_request *r, const struct slice *typed, size_t n_typed,
		const char *message, struct buf *out);

#endif
