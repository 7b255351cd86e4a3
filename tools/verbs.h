/* verbs - which command, operation or page of help the words of a command line name */
#ifndef TOOLS_VERBS_H
#define TOOLS_VERBS_H

#include "tools/cli/topics.h"
#include "tools/session/command.h"

/**
 * verbs_find - the command; count and ls are of the tables, of a table, or of a partition
 * @operation: what the command is to be given first: an operation that has no command, a statement; else NULL
 *
 * Errors:  -ERR_USAGE  there is none of that name; with what is written instead
 */
int verbs_find(struct call *c, int argc, char **argv, const struct command **out,
	       const char **operation) __attribute__((warn_unused_result));

/** verbs_is_help - does the word ask for help: help, man, ?, .help? */
bool verbs_is_help(const char *word);

/** verbs_page_name - the words behind help as one: "create table", "update expressions"; NULL: there are none; Errors: -ERR_USAGE */
int verbs_page_name(struct call *c, const struct words *words, const char **out)
	__attribute__((warn_unused_result));

/** verbs_page - the topic called @name, or the command if @topic becomes NULL; Errors: as verbs_find() */
int verbs_page(struct call *c, const char *name, const struct topic **topic,
	       const struct command **command) __attribute__((warn_unused_result));

#endif
