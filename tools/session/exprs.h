/*
 * exprs - the expressions of one request, as they were typed and as they are sent
 *
 * Kept side by side so that an error can be shown in what was typed.
 */
#ifndef TOOLS_SESSION_EXPRS_H
#define TOOLS_SESSION_EXPRS_H

#include "store/base/core/buf.h"
#include "store/expr/inline.h"

enum { EXPRS_MAX = 4 };

struct exprs_typed {
	const char *field;       /* "FilterExpression": as messages name it */
	struct slice user;       /* what was typed */
	struct inline_text sent; /* text.at is NULL while it has not been rewritten */
};

struct exprs {
	struct inline_request request;
	struct exprs_typed typed[EXPRS_MAX];
	size_t n;
};

/**
 * exprs_placeholders - what --names and --values gave; before any exprs_add()
 * @names:   {"#n":"name"} or NULL
 * @values:  {":v":value}, values plain or typed, or NULL
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE
 */
int exprs_placeholders(struct call *c, struct exprs *e, const char *names, const char *values)
	__attribute__((warn_unused_result));

/** exprs_keep - of --names and --values, what one of two texts mentions: a request must not have unused ones; before any exprs_add() */
void exprs_keep(struct call *c, struct exprs *e, struct slice a, struct slice b);

/**
 * exprs_add - rewrite one expression
 * @user: NULL bytes: none, @text becomes empty; a blank one is an error
 * @text: for the request, which takes e->request.ph when all are added
 */
int exprs_add(struct call *c, struct exprs *e, const char *field, struct slice user,
	      struct slice *text) __attribute__((warn_unused_result));

/** exprs_value - a placeholder of our own for @v: appended to the request's; @alias with its colon */
void exprs_value(struct call *c, struct exprs *e, const char *alias, const struct value *v);

/** exprs_name - the same for a name; @alias with its '#' */
void exprs_name(struct call *c, struct exprs *e, const char *alias, struct slice name);

/**
 * exprs_say - append a message with our placeholders put back into what was typed
 *
 * The user's own placeholders stay.
 */
void exprs_say(const struct exprs *e, const char *message, struct buf *out);

/**
 * exprs_show - append the line at fault and a caret below the place
 * @columns: of the terminal: of a longer line what is around the place is shown; 0: there is none
 *
 * Appends nothing when the error has no place, or when it is not known whose.
 */
void exprs_show(const struct exprs *e, const struct error *error, size_t columns, struct buf *out);

#endif
