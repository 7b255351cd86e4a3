/*
 * inline - what people type: literals and reserved words in place
 *
 *   Status = "OPEN" AND Total > 100   ->   #i0 = :i0 AND #i1 > :i1   with names and values
 *
 * For itemctl and the mount's .filter.  Text, numbers, true, false, null become
 * values; every attribute name becomes an alias unless it already begins with '#'.
 * What the user passed as --names and --values is kept beside the new ones.
 */
#ifndef STORE_EXPR_INLINE_H
#define STORE_EXPR_INLINE_H

#include "store/model/placeholders.h"

/* One rewritten request: several expressions share the placeholders. */
struct inline_request {
	struct placeholders ph; /* in the call's arena; grows with each expression */
	size_t cap_names;       /* private */
	size_t cap_values;      /* private */
	unsigned next;          /* private: number of the next placeholder */
};

/* Where the rewritten text came from, to show a caret in what the user typed. */
struct inline_text {
	struct slice text;    /* rewritten */
	const size_t *offset; /* offset[i] = place in the original of rewritten byte i; text.len + 1
				 of them */
};

/**
 * inline_expression - rewrite one expression
 * @user: what was typed
 *
 * Leaves the grammar to the engine: only tokens are looked at.
 * Errors:  -ERR_VALIDATION  an unfinished string or a bad number; c->error.place is its offset + 1
 */
int inline_expression(struct call *c, struct inline_request *r, struct slice user,
		      struct inline_text *out) __attribute__((warn_unused_result));

#endif
