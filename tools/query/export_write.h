/* export_write - writes an export: one file, a file for each value of an attribute, or a folder like DynamoDB's */
#ifndef TOOLS_QUERY_EXPORT_WRITE_H
#define TOOLS_QUERY_EXPORT_WRITE_H

#include "store/op/op.h"

#include "tools/cli/opts.h"
#include "tools/out/out.h"
#include "tools/system/progress.h"

struct ctl;

struct export_opts {
	const char *to;
	const char *index;
	const char *split_by;
	const char *output;
	bool safe;
	bool consistent;
	struct opt_count jobs;
};

/* A running export */
struct exporting {
	struct ctl *ctl;
	const struct export_opts *o;
	const char *to; /* FILE or DIR; NULL: standard output */
	enum out_format format;
	struct op_in request; /* Scan */
	struct progress progress;
	const struct table_info *table;
	uint64_t items; /* out: items written */
	bool replaces;  /* out: a file that was not empty is replaced */
};

/**
 * export_write_file - write one file, or standard output
 * @e: its table is set
 *
 * Return: 0; -ERR_*, and the file is unchanged
 */
int export_write_file(struct exporting *e, struct call *c) must_check;

/**
 * export_write_folder - create the folder e->to and its files
 * @e: its table is set, and the format is OUT_EXPORT or --split-by is given
 *
 * Return: 0; -ERR_*, and there is no folder
 */
int export_write_folder(struct exporting *e, struct call *c) must_check;

#endif
