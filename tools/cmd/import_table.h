/* import_table - the table of an import: its key, which may be guessed, its creation, and suggestions after an error */
#ifndef TOOLS_CMD_IMPORT_TABLE_H
#define TOOLS_CMD_IMPORT_TABLE_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"
#include "tools/system/input.h"

struct import_result;

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

/** import_table_skips - return true if rejected lines are skipped (--on-error skip) */
bool import_table_skips(const struct import_opts *o);

/** import_table_is_typed - return true if this import was typed, and is not part of another command */
bool import_table_is_typed(const struct ctl *ctl, struct slice table);

/**
 * import_table_auto_key - for --key auto: set @o's key to one that suits the items, unless the table exists
 * @form: of the files; NULL: by name
 *
 * Return: 0; -ERR_USAGE  no key can be derived, or the store is far away
 */
int import_table_auto_key(struct ctl *ctl, struct call *c, struct import_opts *o,
			  const struct words *files, const char *form, const struct source_csv *csv,
			  struct slice table) __attribute__((warn_unused_result));

/**
 * import_table_open - open the store and describe the table; with a key, create what does not exist
 * @out:  in the call's arena
 * @made: set to true if the table was created
 *
 * Return: 0; -ERR_NO_TABLE, with suggestions; -ERR_USAGE, if the items do not have the key; other errors of the engine
 */
int import_table_open(struct ctl *ctl, struct call *c, struct import_opts *o,
		      const struct words *files, const char *form, const struct source_csv *csv,
		      struct slice table, const struct schema **out, bool *made)
	__attribute__((warn_unused_result));

/**
 * import_table_judge - drop a table that this import created, if the import failed and left it empty, or if the guessed
 * key is wrong
 * @items: number of items that were put
 * @r:     result of the import
 *
 * Return: @r, or the error of a guessed key
 */
int import_table_judge(struct ctl *ctl, struct call *c, const struct import_opts *o,
		       struct slice table, uint64_t items, int r)
	__attribute__((warn_unused_result));

/**
 * import_table_suggest_mended - after a record was refused: suggest the line that accepts it or skips it
 * @schema: of the table; not NULL
 */
void import_table_suggest_mended(struct ctl *ctl, struct call *c, const struct import_opts *o,
				 struct slice table, const struct words *files, const char *form,
				 const struct source_csv *csv, const struct schema *schema,
				 const struct import_result *result);

#endif
