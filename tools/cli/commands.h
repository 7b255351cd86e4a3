/* commands - definition of a command of itemctl, and look-up in the table of all commands (tools/cmd/cmd.h) */
#ifndef TOOLS_CLI_COMMANDS_H
#define TOOLS_CLI_COMMANDS_H

#include "tools/cli/opts.h"
#include "tools/out/out.h"

struct ctl;

/* The commands that rooms before tools/cmd name */
enum command_id {
	COMMAND_OTHER, /* a command that only tools/cmd names */
	COMMAND_BACKUP,
	COMMAND_CALL,
	COMMAND_COPY,
	COMMAND_CREATE_TABLE,
	COMMAND_DELETE,
	COMMAND_DESCRIBE,
	COMMAND_EXPORT,
	COMMAND_GET,
	COMMAND_IMPORT,
	COMMAND_PUT,
	COMMAND_QUERY,
	COMMAND_RESTORE,
	COMMAND_SCAN,
	COMMAND_SERVE,
	COMMAND_TRANSACT,
	COMMAND_UPDATE,
	COMMAND_WHY,
};

/* When a command reads standard input */
enum command_input {
	INPUT_NEVER, /* never, or only after it has opened its store itself */
	INPUT_DASH,  /* if "-" follows the table, and no other key or item */
	INPUT_FILES, /* if no file is given, or "-" is among them */
};

struct command {
	enum command_id id;
	const char *name;
	const char *usage;   /* the words after the name; one form per line */
	const char *summary; /* one line */
	const char *details; /* paragraphs for "help NAME", or NULL */
	const char *instead; /* suggestion for too few or too many words, or NULL */
	const char *no_dry;  /* why --dry-run is not supported; NULL: it is */
	const char *
		at_home; /* if it needs a store's directory, the suggestion for other stores; else NULL */
	const char *examples;   /* command lines, one per line, or NULL */
	const struct opt *opts; /* or NULL */
	size_t min_words;
	size_t max_words;
	bool expression; /* the last word is an expression */
	bool no_store;   /* works without a store, or opens it itself */
	bool pages;      /* its output may be long, so a terminal gets a pager */
	bool lists;      /* its output is a list, even if it is empty */
	enum command_input input;
	enum out_format piped; /* output format if not on a terminal; OUT_AUTO: JSON Lines */

	/*
	 * Run the command. @opts: the struct that the options have filled.
	 * Return: 0; -ERR_*, with the call's error; > 0: an exit status, after all messages were printed
	 */
	int (*run)(struct ctl *ctl, struct call *c, const struct words *words, const void *opts);
};

enum { HELP_GROUP_MAX = 12 };

/* A group of commands; a list of groups ends with the title NULL */
struct help_group {
	const char *title;
	const struct command *commands[HELP_GROUP_MAX]; /* ends with NULL */
};

/** commands_use - set the table of commands; main() calls it before the other functions, and before threads exist */
void commands_use(const struct help_group *groups);

/** commands_groups - the table of commands */
const struct help_group *commands_groups(void);

/** commands_next - the command after @before in the table, the first one if @before is NULL; NULL after the last one */
const struct command *commands_next(const struct command *before);

/** commands_find - the command of this name, or NULL */
const struct command *commands_find(const char *name);

/** commands_get - the command with this id, which is in the table and not COMMAND_OTHER */
const struct command *commands_get(enum command_id id);

/** command_is - return true if @command has this id; false for NULL */
static inline bool
command_is(const struct command *command, enum command_id id)
{
	return command != NULL && command->id == id;
}

#endif
