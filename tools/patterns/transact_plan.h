/* transact_plan - the actions of a transaction, ready to be sent */
#ifndef TOOLS_PATTERNS_TRANSACT_PLAN_H
#define TOOLS_PATTERNS_TRANSACT_PLAN_H

#include "tools/patterns/script.h"
#include "tools/session/ctl.h"

struct transact_opts {
	const char *token;
	const char *returned;
	const char *names;
	const char *values;
};

/* One action, ready to be sent */
struct planned {
	const struct script_action *line;
	const struct schema *schema;
	struct exprs exprs;
	struct slice text;   /* condition or projection */
	struct slice update; /* SCRIPT_UPDATE */
	struct item item;    /* SCRIPT_PUT: the item; else the key */
};

struct plan {
	struct ctl *ctl;
	const struct transact_opts *o;
	struct text_origin *origin; /* of the lines */
	struct planned *lines;
	size_t n;
};

/**
 * plan_make - look up the tables, rewrite the expressions, and parse the items and keys of @script
 * @p: .ctl, .o and .origin are set; .lines are in the call's arena
 *
 * Return: 0; -ERR_USAGE  two lines name one item; the errors of DescribeTable, items and keys
 *
 * An error begins with the line; ctl->exprs then has the expressions of that line.
 */
int plan_make(struct plan *p, struct call *c, const struct script *script) must_check;

#endif
