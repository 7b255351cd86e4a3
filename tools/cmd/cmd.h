/* cmd - the commands of itemctl, and the table of all commands */
#ifndef TOOLS_CMD_CMD_H
#define TOOLS_CMD_CMD_H

#include "tools/cli/commands.h"

/* In the order of the manual page */
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
extern const struct command cmd_ls, cmd_cat, cmd_tree, cmd_find;

/* All commands, in the groups of help; ends with the title NULL */
extern const struct help_group cmd_groups[];

/** cost_run - print the estimated cost of a command, instead of running it; Return: as run of struct command */
int cost_run(struct ctl *ctl, struct call *c, const struct command *command,
	     const struct words *words, const void *opts) must_check;

#endif
