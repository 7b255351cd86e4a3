/* command - one verb of itemctl: how it is called, what help says, what it does */
#ifndef TOOLS_SESSION_COMMAND_H
#define TOOLS_SESSION_COMMAND_H

#include "tools/cli/commands.h"

/** command_check_words - as many as it takes? @ctl: its store has the tables of an example; NULL: no store has. Errors: -ERR_USAGE */
int command_check_words(struct ctl *ctl, struct call *c, const struct command *command,
			const struct words *words) __attribute__((warn_unused_result));

/** command_option_word - append the typed line with the dashes that a word lacks: "limit 5", "count"; false: no word but the first is called as an option */
bool command_option_word(struct buf *out, const struct command *command, const struct words *words);

/** command_put_dash - append the typed line with "-" where a pipe or file is standard input and neither key nor item is named; false: nothing is appended */
bool command_put_dash(struct buf *out, const struct command *command, const struct words *words);

/** command_check_store - can it be done with the store called @store? Errors: -ERR_USAGE */
int command_check_store(struct call *c, const struct command *command, const char *store)
	__attribute__((warn_unused_result));

/** command_table - the table that the only word names; without a word @out is empty: all of them; Errors: -ERR_USAGE */
int command_table(struct call *c, const struct words *words, struct slice *out)
	__attribute__((warn_unused_result));

/* What is done with a table, in a call of its own. */
typedef int command_table_fn(struct ctl *ctl, struct call *c, struct slice name, void *arg);

/** command_each_table - @fn of each table of the store; one that is dropped meanwhile is passed by; Errors: those of @fn, and of ListTables */
int command_each_table(struct ctl *ctl, struct call *c, command_table_fn *fn, void *arg)
	__attribute__((warn_unused_result));

/**
 * command_run - run a command on the store of @ctl, in a call of its own
 * @argv: what would be typed, ended by NULL
 *
 * Errors:  those of the command; -ERR_VALIDATION  it has said itself what is wrong
 */
int command_run(struct ctl *ctl, struct call *c, const struct command *command,
		const char *const *argv) __attribute__((warn_unused_result));

bool command_reads_input(const struct command *command, const struct words *words);

#endif
