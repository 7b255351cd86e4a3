/*
 * script - the lines of "itemctl transact"
 *
 *   put    TABLE ITEM [if EXPR]
 *   update TABLE PK [SK] EXPR [if EXPR]
 *   delete TABLE PK [SK] [if EXPR]
 *   check  TABLE PK [SK] if EXPR
 *   get    TABLE PK [SK] [project LIST]
 *
 * One action a line.  Lines that begin with a blank continue the one above.
 * Lines that begin with '#' are comments (indented ones when a blank or
 * nothing follows the '#', since a condition may go on with "#name").  Words
 * are quoted as in a shell; an ITEM may also stand unquoted and then ends with
 * its closing brace.  What follows "if" and "project" is taken as it stands.
 */
#ifndef TOOLS_PATTERNS_SCRIPT_H
#define TOOLS_PATTERNS_SCRIPT_H

#include "tools/text/fill.h"
#include "tools/text/text_lines.h"

enum script_verb { SCRIPT_PUT, SCRIPT_UPDATE, SCRIPT_DELETE, SCRIPT_CHECK, SCRIPT_GET };

enum { SCRIPT_WORDS_MAX = 3 };

struct script_action {
	enum script_verb verb;
	int line; /* in the file, from 1 */
	struct slice table;
	struct slice
		words[SCRIPT_WORDS_MAX]; /* behind the table: ITEM, or PK, SK and EXPR, unquoted */
	size_t n_words;
	struct slice tail; /* of "if" or "project"; empty: none */
};

struct script {
	struct text_origin *origin;
	struct script_action *actions;
	size_t n_actions;
	bool reads; /* only get lines; else none */
};

/**
 * script_parse - a whole file
 * @text: borrowed until the call closes, as @origin
 *
 * Errors:  -ERR_USAGE  with its place
 * Memory:  the call's arena and @text
 */
int script_parse(struct call *c, struct text_origin *origin, struct slice text, struct script *out)
	__attribute__((warn_unused_result));

/** script_fill - replace the parameters of every action; Errors: as fill_text(), with their place */
int script_fill(struct call *c, const struct fill *fill, struct script *s)
	__attribute__((warn_unused_result));

#endif
