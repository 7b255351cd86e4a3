/*
 * exprs - expressions of one request, as typed and as sent
 *
 * Both forms are kept, so that an error of the server can be shown in the text that the user typed.
 */
#ifndef TOOLS_SESSION_EXPRS_H
#define TOOLS_SESSION_EXPRS_H

#include "store/expr/inline.h"

enum { EXPRS_MAX = 4 };

struct exprs_typed {
	const char *field;       /* name in messages: "FilterExpression" */
	struct slice user;       /* as typed */
	struct inline_text sent; /* text.at is NULL if it could not be rewritten */
};

struct exprs {
	struct inline_request request;
	struct exprs_typed typed[EXPRS_MAX];
	size_t n;
};

/**
 * exprs_placeholders - take the placeholders of --names and --values; call it before exprs_add()
 * @names:   {"#n":"name"} or NULL
 * @values:  {":v":value}, values plain or typed, or NULL
 *
 * Errors:  -ERR_SERIALIZATION, -ERR_USAGE
 */
int exprs_placeholders(struct call *c, struct exprs *e, const char *names, const char *values)
	must_check;

/**
 * exprs_keep - keep only those placeholders of --names and --values that one of two texts mentions
 *
 * A request must not have unused placeholders.  Call it before exprs_add().
 */
void exprs_keep(struct call *c, struct exprs *e, struct slice a, struct slice b);

/**
 * exprs_add - rewrite one expression; at most EXPRS_MAX for one struct exprs
 * @user: user.at NULL: there is none, and @text becomes empty; a blank expression is an error
 * @text: the expression to send; the request takes e->request.ph after the last exprs_add()
 *
 * Errors:  -ERR_USAGE;  those of inline_expression()
 */
int exprs_add(struct call *c, struct exprs *e, const char *field, struct slice user,
	      struct slice *text) must_check;

/** exprs_value - add a placeholder of itemctl for @v; @alias begins with ':' */
void exprs_value(struct call *c, struct exprs *e, const char *alias, const struct value *v);

/** exprs_name - add a placeholder of itemctl for a name; @alias begins with '#' */
void exprs_name(struct call *c, struct exprs *e, const char *alias, struct slice name);

/**
 * exprs_say - append a message, with the placeholders of itemctl replaced by the text that was typed
 * @e: NULL: there are none
 *
 * The user's own placeholders are not changed.
 */
void exprs_say(const struct exprs *e, const char *message, struct buf *out);

/**
 * exprs_show - append the line of the error and a caret below its place
 * @columns: width of the terminal; a longer line is cut around the place; 0: there is no terminal
 *
 * Appends nothing if the error has no place, or if it is unknown which expression it is about.
 */
void exprs_show(const struct exprs *e, const struct error *error, size_t columns, struct buf *out);

#endif
