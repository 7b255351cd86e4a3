/* command - run commands of itemctl, and check the words that they are given */
#ifndef TOOLS_SESSION_COMMAND_H
#define TOOLS_SESSION_COMMAND_H

#include "tools/cli/commands.h"

/**
 * command_check_words - check the number of words
 * @ctl: the example in the message names a table of its store; NULL: there is no store
 *
 * Errors: -ERR_USAGE
 */
int command_check_words(struct ctl *ctl, struct call *c, const struct command *command,
			const struct words *words) must_check;

/**
 * command_option_word - append the typed line with the missing dashes of an option: "limit 5", "count"
 *
 * Return: false: no word except the first is the name of an option; nothing is appended
 */
bool command_option_word(struct buf *out, const struct command *command, const struct words *words);

/**
 * command_put_dash - append the typed line with "-", if standard input is a pipe or file and no key or item is given
 *
 * Return: false: nothing is appended
 */
bool command_put_dash(struct buf *out, const struct command *command, const struct words *words);

/** command_put_store - append the typed line with -s before @word if it is a store; false: nothing is appended */
bool command_put_store(const struct ctl *ctl, struct buf *out, const char *word);

/** command_check_store - refuse an endpoint if the command needs a store directory; Errors: -ERR_USAGE */
int command_check_store(struct call *c, const struct command *command, const char *store)
	must_check;

/** command_table - the table that the only word names; without a word @out is empty: all tables; Errors: -ERR_USAGE */
int command_table(struct call *c, const struct words *words, struct slice *out) must_check;

/* Work on one table, in a call of its own. */
typedef int command_table_fn(struct ctl *ctl, struct call *c, struct slice name, void *arg);

/**
 * command_each_table - call @fn for each table of the store
 *
 * Ignores -ERR_NO_TABLE of @fn: the table was dropped meanwhile.
 * Errors: those of @fn and of ListTables
 */
int command_each_table(struct ctl *ctl, struct call *c, command_table_fn *fn, void *arg) must_check;

/**
 * command_run - run a command on the store of @ctl, in a call of its own
 * @argv: words after the command's name as they would be typed, ended by NULL
 *
 * Errors:  those of the command; -ERR_VALIDATION  the command has reported its failure itself
 */
int command_run(struct ctl *ctl, struct call *c, const struct command *command,
		const char *const *argv) must_check;

/** command_reads_input - return true if the command reads standard input with these words */
bool command_reads_input(const struct command *command, const struct words *words);

/* Command lines for error messages, with a table and a key of the store */

/**
 * command_example_of - "itemctl get TABLE PK SK" with the table words[0], else the first table, and the key of its first item
 *
 * Only for commands that read, and not for far stores.  Return: in the call's arena; NULL: there is no example
 */
const char *command_example_of(struct ctl *ctl, struct call *c, const struct command *command,
			       const struct words *words);

/** command_example_of_table - append a line that reads table @argv[0] with the key in the next words; false: no such table */
bool command_example_of_table(struct ctl *ctl, struct call *c, int argc, char **argv,
			      struct buf *out);

/**
 * command_example_of_path - append the typed line with the path TABLE/PK/SK or PK/SK replaced by separate words
 *
 * Return: false: @path is an existing file or has no "/"
 */
bool command_example_of_path(struct buf *out, const char *path);

#endif
