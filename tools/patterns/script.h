/*
 * script - parser of the actions of "itemctl transact", and the actions ready to be sent
 *
 *   put    TABLE ITEM [if EXPR]
 *   update TABLE PK [SK] EXPR [if EXPR]
 *   delete TABLE PK [SK] [if EXPR]
 *   check  TABLE PK [SK] if EXPR
 *   get    TABLE PK [SK] [project LIST]
 *
 * Each line is an action.  Lines that begin with a blank continue the line above.  Lines that begin with '#' are
 * comments. An indented line is a comment only if a blank or nothing follows the '#', because a condition may continue
 * with "#name". Words are quoted as in a shell.  An unquoted ITEM ends with its closing brace.  The text after "if" and
 * "project" is taken literally.
 */
#ifndef TOOLS_PATTERNS_SCRIPT_H
#define TOOLS_PATTERNS_SCRIPT_H

#include "tools/session/ctl.h"
#include "tools/text/fill.h"
#include "tools/text/text_lines.h"

enum script_verb { SCRIPT_PUT, SCRIPT_UPDATE, SCRIPT_DELETE, SCRIPT_CHECK, SCRIPT_GET };

enum { SCRIPT_WORDS_MAX = 3 };

struct script_action {
	enum script_verb verb;
	int line; /* in the file, from 1 */
	struct slice table;
	struct slice words
		[SCRIPT_WORDS_MAX]; /* after the table: ITEM, or PK, SK and EXPR, without quotes */
	size_t n_words;
	struct slice tail; /* text after "if" or "project"; empty: none */
};

struct script {
	struct text_origin *origin;
	struct script_action *actions;
	size_t n_actions;
	bool reads; /* all actions are get; else none is */
};

/**
 * script_parse - parse a file; tables, keys and expressions are checked later
 * @text:   borrowed until the call closes
 * @origin: likewise
 * @out:    in the call's arena
 *
 * Return: 0; -ERR_USAGE, with the place
 */
int script_parse(struct call *c, struct text_origin *origin, struct slice text, struct script *out)
	must_check;

/** script_fill - replace the parameters in all actions; Errors: as fill_text(), with the place */
int script_fill(struct call *c, const struct fill *fill, struct script *s) must_check;

/* ------------------------------------------------------------ actions ready to be sent */

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
