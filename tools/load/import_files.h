/* import_files - the words and files of an import, with the files of folders in the format of DynamoDB's exports */
#ifndef TOOLS_LOAD_IMPORT_FILES_H
#define TOOLS_LOAD_IMPORT_FILES_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"

/**
 * import_files_find - append the files that import reads: each file, and the data files of each folder, of @named
 * @table: the table of the import, for messages
 * @apply: exports are incremental
 * @form:  the name of the format, or NULL; set to that of exports for folders and with @apply
 *
 * Runs before any item is put: checks the manifests, and the checksum and number of lines of each data file.
 *
 * Errors:  -ERR_USAGE, -ERR_SERIALIZATION  a folder is no export or is damaged, a file cannot be read, @form does not
 *          match; -ERR_IO
 */
int import_files_find(const struct ctl *ctl, struct call *c, const char *table,
		      const struct words *named, bool apply, const char **form, struct words *out)
	must_check;

/**
 * import_files_words - return the words TABLE FILE... of an import
 * @key: value of --key, or NULL
 *
 * The words FILE TABLE are swapped.  A file with a suffix alone becomes TABLE FILE, with the name of the file as the
 * table, if there is a @key; a note says so.  Any other @words are returned as they are.
 */
const struct words *import_files_words(const struct ctl *ctl, struct call *c,
				       const struct words *words, const char *key);

/** import_files_csv - after an error in a JSON file, return true if the file looks like CSV */
bool import_files_csv(const struct call *c, const struct words *files);

/** import_files_numbers - note a column that was imported as text and looks like numbers */
void import_files_numbers(const struct ctl *ctl, const struct source_csv *csv);

/** import_files_infer - check that --infer has an effect; Errors: -ERR_USAGE  no file is CSV */
int import_files_infer(struct call *c, const struct words *files, const char *form) must_check;

/** import_files_null - check standard input, from which items will be read; Errors: -ERR_USAGE  it is /dev/null */
int import_files_null(struct call *c, struct slice table) must_check;

#endif
