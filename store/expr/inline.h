/*
 * inline - what people type: literals and reserved words in place
 *
 *   Status = "OPEN" AND Total > 100   ->   #i0 = :i0 AND #i1 > :i1   with names and values
 *
 * For itemctl and the mount's .filter.  Text, numbers, true, false, null become
 * values; every attribute name becomes an alias unless it already begins with '#'.
 * What the user passed as --names and --values is kept beside the new ones.
 *
 *   "text"  'text'     string; \" \' \\ \/ \b \f \n \r \t \uXXXX as in JSON; '' in '...' is '
 *   -12.5  1e3         number; a sign belongs to it unless a name, value, ')' or ']' stands before
 *   [1,"a"] {"a":1}    list and map, as JSON; {"SS":["a"]} and {"B":"aGk="} are typed values, as in an
 *                      item's file. Behind a name '[' begins an index
 *   true false null    BOOL and NULL, in lower case and not behind a '.'; in another case they are refused
 *   Name  a.b[3].c     attribute names: letters (any alphabet), digits, '_'; behind a '.' they may
 *                      begin with a digit and be any word
 *   `a.b`              one name, whatever it holds; `` inside stands for `
 *   AND OR NOT IN BETWEEN           keywords, in any case; `In` is an attribute
 *   SET ADD REMOVE DELETE           keywords where a name follows, else attributes
 *   size(  foo (       a word before '(' is a function
 *   #alias  :value     stay as they are, for --names and --values
 *   anything else      stays as it is; digits in [ ] are an index
 *
 * A name or literal that comes again, in any expression of the request, gets the
 * same placeholder; the user's own placeholders are never put in.
 */
#ifndef STORE_EXPR_INLINE_H
#define STORE_EXPR_INLINE_H

#include "store/base/core/buf.h"
#include "store/model/placeholders.h"

/*
 * One rewritten request: several expressions share the placeholders.  Zero is a
 * request without any; to keep the user's own, set ph and own_... first.
 */
struct inline_request {
	struct placeholders ph; /* in the call's arena; grows with each expression */
	size_t own_names;       /* the first ones are the user's: messages keep them */
	size_t own_values;      /* likewise */
	size_t cap_names;       /* private */
	size_t cap_values;      /* private */
	unsigned next_name;     /* private: number of the next #i */
	unsigned next_value;    /* private: number of the next :i */
};

/* Where the rewritten text came from, to show a caret in what the user typed. */
struct inline_text {
	struct slice text;    /* rewritten */
	const size_t *offset; /* offset[i] = place in the original of rewritten byte i; text.len + 1
				 of them */
};

/**
 * inline_expression - rewrite one expression
 * @user: what was typed; conditions, key conditions, projections and updates alike
 *
 * Leaves the grammar to the engine: only tokens are looked at.
 * Errors:  -ERR_VALIDATION  an unfinished string, list or map, a bad escape, number or value, TRUE, bytes
 *                           that are not UTF-8; c->error.place is the offset + 1 of what is wrong
 * Memory:  in the call's arena; may point into @user
 */
int inline_expression(struct call *c, struct inline_request *r, struct slice user,
		      struct inline_text *out) __attribute__((warn_unused_result));

/**
 * inline_value, inline_name - a placeholder of the caller's own, behind those of all expressions
 * @alias: with its ':' or '#'
 *
 * The list is another one afterwards, so that copies of a request may each have their own.
 */
void inline_value(struct call *c, struct inline_request *r, struct slice alias,
		  const struct value *v);
void inline_name(struct call *c, struct inline_request *r, struct slice alias, struct slice name);

/**
 * inline_say - append a message with what our placeholders stand for
 * @typed: what was typed: placeholders that are in there are the user's, and stay
 */
void inline_say(const struct inline_request *r, const struct slice *typed, size_t n_typed,
		const char *message, struct buf *out);

#endif
