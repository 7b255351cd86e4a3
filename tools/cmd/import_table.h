/* import_table - the table of an import: its key, which may be guessed, its creation, and suggestions after an error */
#ifndef TOOLS_CMD_IMPORT_TABLE_H
#define TOOLS_CMD_IMPORT_TABLE_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"
#include "tools/system/input.h"

struct import_result;
struct source;

/* Options of import, and what is known about its input */
struct import_opts {
	const char *key;
	const char *from;
	bool infer;
	const char *delimiter;
	bool no_header;
	const char *columns;
	struct words set;
	bool apply;
	struct opt_count jobs;
	const char *on_error;
	bool guessed;             /* the key was guessed by --key auto */
	bool piped;               /* standard input is read, and no file */
	struct input_ahead ahead; /* bytes of standard input that were already read */
};

/* One import */
struct importing {
	struct ctl *ctl;
	struct import_opts *o;
	struct slice table;
	struct words files;
	const char *form; /* of the files; NULL: by name */
	struct source_csv csv;
	const struct schema *schema; /* of the table, in the call's arena, once it is open */
	bool made;                   /* this import created the table */
};

/** import_table_skips - return true if rejected lines are skipped (--on-error skip) */
bool import_table_skips(const struct import_opts *o);

/** import_table_is_typed - return true if this import was typed, and is not part of another command */
bool import_table_is_typed(const struct ctl *ctl, struct slice table);

/** import_table_source - begin to read @files for a table with this schema */
void import_table_source(const struct importing *im, const struct words *files,
			 const struct schema *schema, struct source *out);

/**
 * import_table_auto_key - for --key auto: set the key to one that suits the items, unless the table exists
 *
 * Return: 0; -ERR_USAGE  no key can be derived, or the store is far away
 */
int import_table_auto_key(struct importing *im, struct call *c) must_check;

/**
 * import_table_open - open the store and describe the table; with a key, create what does not exist
 *
 * Sets @im's schema and made.
 * Return: 0; -ERR_NO_TABLE, with suggestions; -ERR_USAGE, if the items do not have the key; other errors of the engine
 */
int import_table_open(struct importing *im, struct call *c) must_check;

/**
 * import_table_judge - drop a table that this import created, if the import failed and left it empty, or if the guessed
 * key is wrong
 * @items: number of items that were put
 * @r:     result of the import
 *
 * Return: @r, or the error of a guessed key
 */
int import_table_judge(const struct importing *im, struct call *c, uint64_t items, int r)
	must_check;

/** import_table_suggest_mended - after a record was refused: suggest the line that accepts it or skips it */
void import_table_suggest_mended(const struct importing *im, struct call *c,
				 const struct import_result *result);

#endif
