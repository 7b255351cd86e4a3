/* commands - what a command of itemctl is, and all of them: the table is itemctl's own (tools/cmd/cmd.h) */
#ifndef TOOLS_CLI_COMMANDS_H
#define TOOLS_CLI_COMMANDS_H

#include "tools/cli/opts.h"
#include "tools/out/out.h"

struct ctl;

/* One for each command, by its name. */
enum command_id {
	COMMAND_ALTER,
	COMMAND_BACKUP,
	COMMAND_CALL,
	COMMAND_CHECK,
	COMMAND_COMPACT,
	COMMAND_COPY,
	COMMAND_COST,
	COMMAND_CREATE_TABLE,
	COMMAND_DELETE,
	COMMAND_DESCRIBE,
	COMMAND_DIFF,
	COMMAND_DRAW,
	COMMAND_DROP,
	COMMAND_EDIT,
	COMMAND_EXPORT,
	COMMAND_GET,
	COMMAND_IMPORT,
	COMMAND_MASK,
	COMMAND_PUT,
	COMMAND_QUERY,
	COMMAND_RESET,
	COMMAND_RESTORE,
	COMMAND_RUN,
	COMMAND_SCAN,
	COMMAND_SERVE,
	COMMAND_SHAPES,
	COMMAND_SHARDS,
	COMMAND_SHELL,
	COMMAND_SIZE,
	COMMAND_SQL,
	COMMAND_STATS,
	COMMAND_STATUS,
	COMMAND_STOP,
	COMMAND_SWEEP,
	COMMAND_TABLES,
	COMMAND_TAIL,
	COMMAND_TRANSACT,
	COMMAND_UPDATE,
	COMMAND_WAIT,
	COMMAND_WHY,
};

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
	enum command_id id;
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

enum { HELP_GROUP_MAX = 12 };

/* Commands that belong together; a list of groups ends with a title NULL. */
struct help_group {
	const char *title;
	const struct command *commands[HELP_GROUP_MAX]; /* and a NULL behind the last one */
};

/** commands_use - the table of this process, before any function of this file; tests of single files need none */
void commands_use(const struct help_group *groups);

/** commands_groups - that table */
const struct help_group *commands_groups(void);

/** commands_find - the one of this name, or NULL */
const struct command *commands_find(const char *name);

/** commands_get - the one with this id */
const struct command *commands_get(enum command_id id);

/** command_is - is it that command? NULL is none */
static inline bool
command_is(const struct command *command, enum command_id id)
{
	return command != NULL && command->id == id;
}

#endif
