/* command - one verb of itemctl: how it is called, what help says, what it does */
#ifndef TOOLS_SESSION_COMMAND_H
#define TOOLS_SESSION_COMMAND_H

#include "tools/cli/opts.h"
#include "tools/out/out.h"

struct ctl;

/* When does it read standard input? */
enum command_input {
	INPUT_NEVER, /* or only after it has opened its store by itself */
	INPUT_DASH,  /* when "-" stands behind the table, and no other key or item */
	INPUT_FILES, /* when no file is named, or "-" is among them */
};

/*
 * What a command's function returns: 0 done; < 0 -ERR_*, the call has the
 * error; > 0 an exit status, what there is to say has been said.
 */
struct command {
	const char *name;
	const char *usage;   /* the words behind the name; one form a line */
	const char *summary; /* one line */
	const char *details; /* paragraphs for "help NAME", or NULL */
	const char *instead; /* what else is meant with too few or too many words, or NULL */
	const char *no_dry;  /* why --dry-run is not for it; NULL: it is */
	const char *
		at_home; /* of a store's directory only: what does it elsewhere; NULL: of any store */
	const char *examples;   /* command lines, each on a line */
	const struct opt *opts; /* or NULL */
	size_t opts_bytes;      /* of the struct that they fill */
	size_t min_words;
	size_t max_words;
	bool expression; /* the last word is one */
	bool no_store;   /* works without a store, or opens it by itself */
	bool in_mount;   /* its first word is a path in a mount, whose store is meant */
	bool pages;      /* what it prints may be long: on a terminal a pager shows it */
	bool lists;      /* what it prints is a list, also where that is empty */
	enum command_input input;
	enum out_format piped; /* the format of a pipe; OUT_AUTO: JSON Lines */
	int (*run)(struct ctl *ctl, struct call *c, const struct words *words, const void *opts);
};

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

/* In the order of the manual page. */
extern const struct command cmd_create_table, cmd_tables, cmd_describe, cmd_alter, cmd_drop,
	cmd_reset;
extern const struct command cmd_put, cmd_get, cmd_update, cmd_delete, cmd_edit;
extern const struct command cmd_query, cmd_scan, cmd_sql, cmd_transact, cmd_run, cmd_call;
extern const struct command cmd_import, cmd_export, cmd_copy, cmd_cost, cmd_mask, cmd_diff,
	cmd_backup, cmd_restore;
extern const struct command cmd_tail, cmd_size, cmd_stats, cmd_compact;
extern const struct command cmd_shards, cmd_sweep, cmd_serve, cmd_status, cmd_wait, cmd_stop,
	cmd_why, cmd_check;
extern const struct command cmd_draw, cmd_shapes, cmd_shell;

#endif
