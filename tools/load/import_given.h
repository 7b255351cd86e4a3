/* import_given - what is given to an import and is meant otherwise: words, files of another form */
#ifndef TOOLS_LOAD_IMPORT_GIVEN_H
#define TOOLS_LOAD_IMPORT_GIVEN_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"

/** import_given_words - @words; of FILE TABLE the table first; of a file alone with @key, which may be NULL: the table that is called as the file, which is told, and the file */
const struct words *import_given_words(const struct ctl *ctl, struct call *c,
				       const struct words *words, const char *key);

/** import_given_csv - after an error of a file of JSON: is it CSV? */
bool import_given_csv(const struct call *c, const struct words *files);

/** import_given_numbers - note which column was imported as text that may be meant as numbers */
void import_given_numbers(const struct ctl *ctl, const struct source_csv *csv);

/** import_given_infer - --infer is of CSV: Errors: -ERR_USAGE  nothing of what is read is that */
int import_given_infer(struct call *c, const struct words *files, const char *form)
	__attribute__((warn_unused_result));

/** import_given_null - is standard input /dev/null, where items are read from it?  Errors: -ERR_USAGE  it is */
int import_given_null(struct call *c, struct slice table) __attribute__((warn_unused_result));

#endif
