/* shell_words - what a line of the prompt of sqlite3, duckdb, psql or mysql is in "itemctl shell" */
#ifndef TOOLS_TEXT_SHELL_WORDS_H
#define TOOLS_TEXT_SHELL_WORDS_H

#include "store/base/core/call.h"
#include "store/base/core/slice.h"

enum shell_kind {
	SHELL_COMMAND, /* @text is the line of itemctl, without its name */
	SHELL_LEAVE,
	SHELL_FORMAT, /* @text names the form of the answers from here on; empty: which one is it? */
	SHELL_READ,   /* @text names a file of lines */
	SHELL_OUTPUT, /* @text names the file for the answers from here on; empty: standard output */
	SHELL_ONCE,   /* likewise, for the next answer alone */
	SHELL_USE,    /* @text is a table or a database that is to be chosen */
	SHELL_NOTE,   /* it is so anyway, which @text says */
	SHELL_SAY,    /* there is no such thing: @text is the answer */
};

struct shell_meaning {
	enum shell_kind kind;
	struct slice text;
};

/** shell_words_statement - does a statement of SQL begin with @line, rather than a command of itemctl? */
bool shell_words_statement(struct slice line);

/**
 * shell_words_typed - @line without what was pasted with it: "itemctl", a prompt's sign before it, a comment
 *
 * Empty: there is nothing else in it.
 */
struct slice shell_words_typed(struct slice line);

/** shell_words_meaning - of a line that is no statement; in the call's arena, or borrowed from @line */
struct shell_meaning shell_words_meaning(struct call *c, struct slice line);

/** shell_words_leaves - does @line end the shell, wherever it stands? */
bool shell_words_leaves(struct slice line);

/**
 * shell_words_file - the name of a file behind a command of the prompt, without its quotes; empty: there is none
 *
 * Errors:  -ERR_USAGE  it begins with |, is of several words, or a quote is not closed
 */
int shell_words_file(struct call *c, struct slice *name) __attribute__((warn_unused_result));

#endif
