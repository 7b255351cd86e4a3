/* import_given - words and files of an import that probably mean something else */
#ifndef TOOLS_LOAD_IMPORT_GIVEN_H
#define TOOLS_LOAD_IMPORT_GIVEN_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"

/**
 * import_given_words - return the words TABLE FILE... of an import
 * @key: value of --key, or NULL
 *
 * The words FILE TABLE are swapped.  A file with a suffix alone becomes TABLE FILE, with the name of the file as the
 * table, if there is a @key; a note says so.  Any other @words are returned as they are.
 */
const struct words *import_given_words(const struct ctl *ctl, struct call *c,
				       const struct words *words, const char *key);

/** import_given_csv - after an error in a JSON file, return true if the file looks like CSV */
bool import_given_csv(const struct call *c, const struct words *files);

/** import_given_numbers - note a column that was imported as text and looks like numbers */
void import_given_numbers(const struct ctl *ctl, const struct source_csv *csv);

/** import_given_infer - check that --infer has an effect; Errors: -ERR_USAGE  no file is CSV */
int import_given_infer(struct call *c, const struct words *files, const char *form) must_check;

/** import_given_null - check standard input, from which items will be read; Errors: -ERR_USAGE  it is /dev/null */
int import_given_null(struct call *c, struct slice table) must_check;

#endif
