/* verbs - which command, operation or help page the words of a command line name */
#ifndef TOOLS_VERBS_H
#define TOOLS_VERBS_H

#include "tools/cli/commands.h"
#include "tools/cli/topics.h"

/**
 * verbs_find - the command that the words name; count, ls and similar verbs depend on the words after them
 * @argc: at least 1
 * @operation: a word that replaces the first one: an operation without a command of its own, a statement, an option;
 *             else NULL
 *
 * Return: 0; -ERR_USAGE  there is no such command; the message says what to type instead
 */
int verbs_find(struct call *c, int argc, char **argv, const struct command **out,
	       const char **operation) must_check;

/** verbs_is_help - return true if the word asks for help: "help", "man", "?", ".help" */
bool verbs_is_help(const char *word);

/**
 * verbs_page_name - the words after help as the name of a page: "create table", "update expressions"
 * @out: in the call's arena; NULL if there are no words
 *
 * Return: 0; -ERR_USAGE  two commands are named
 */
int verbs_page_name(struct call *c, const struct words *words, const char **out) must_check;

/** verbs_page - find the topic called @name, or the command if @topic becomes NULL; Return: 0; -ERR_USAGE */
int verbs_page(struct call *c, const char *name, const struct topic **topic,
	       const struct command **command) must_check;

#endif
