/* cmd - see cmd.h */
#include "tools/cmd/cmd.h"

const struct help_group cmd_groups[] = {
	{"Tables",
	 {&cmd_create_table, &cmd_tables, &cmd_describe, &cmd_alter, &cmd_drop, &cmd_reset,
	  &cmd_stats}},
	{"Items",
	 {&cmd_put, &cmd_get, &cmd_update, &cmd_edit, &cmd_delete, &cmd_transact, &cmd_size}},
	{"Queries", {&cmd_query, &cmd_scan, &cmd_sql, &cmd_run, &cmd_tail, &cmd_cost, &cmd_why}},
	{"Models", {&cmd_shapes, &cmd_draw, &cmd_shards}},
	{"Clients", {&cmd_serve, &cmd_status, &cmd_wait, &cmd_stop, &cmd_call, &cmd_shell}},
	{"Without a mount", {&cmd_ls, &cmd_cat, &cmd_tree, &cmd_find}},
	{"Moving data",
	 {&cmd_import, &cmd_export, &cmd_copy, &cmd_mask, &cmd_diff, &cmd_backup, &cmd_restore}},
	{"Maintenance", {&cmd_check, &cmd_sweep, &cmd_compact}},
	{NULL, {NULL}}};
