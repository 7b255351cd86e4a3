/* shell_words - meta-commands of sqlite3, duckdb, psql and mysql, translated for "itemctl shell" */
#ifndef TOOLS_TEXT_SHELL_WORDS_H
#define TOOLS_TEXT_SHELL_WORDS_H

#include "store/base/core/base.h"

struct words;

enum shell_kind {
	SHELL_COMMAND, /* @text is the line of itemctl, without its name */
	SHELL_LEAVE,
	SHELL_FORMAT, /* @text is the new output format; if empty, show the current one */
	SHELL_READ,   /* @text names a file of lines to run */
	SHELL_OUTPUT, /* @text names the file for all further output; if empty, standard output */
	SHELL_ONCE,   /* as SHELL_OUTPUT, for the next output only */
	SHELL_USE,    /* @text is the table or database to select */
	SHELL_NOTE,   /* nothing to do: @text says that it is already so */
	SHELL_SAY,    /* not supported: @text is the answer */
};

struct shell_meaning {
	enum shell_kind kind;
	struct slice text;
};

/** shell_words_statement - return true if @line begins a SQL statement, and is not a command of itemctl */
bool shell_words_statement(struct slice line);

/**
 * shell_words_typed - remove pasted parts from the beginning of @line: a prompt, "itemctl", a comment
 *
 * Return: the rest; empty if there is no more
 */
struct slice shell_words_typed(struct slice line);

/** shell_words_meaning - translate a line that is not a statement; Memory: the call's arena, or borrowed from @line */
struct shell_meaning shell_words_meaning(struct call *c, struct slice line);

/** shell_words_leaves - return true if @line ends the shell, even within a statement */
bool shell_words_leaves(struct slice line);

/**
 * shell_words_file - remove the quotes from the file name after a meta-command
 * @name: in and out; empty if there is no name
 *
 * Errors:  -ERR_USAGE  it begins with |, consists of several words, or a quote is not closed
 */
int shell_words_file(struct call *c, struct slice *name) must_check;

/**
 * shell_words_split - split off the words of the first command of @line; *@rest is the text after its semicolon
 *
 * Errors:  -ERR_USAGE  an unclosed quote, or a pipe
 */
int shell_words_split(struct call *c, struct slice line, struct words *out, struct slice *rest)
	must_check;

/** shell_words_whole - return true if each statement in @text ends with a semicolon, and there is at least one */
bool shell_words_whole(struct slice text);

#endif
