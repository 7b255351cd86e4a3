/* import_hints - files in the place of the table that import needs */
#ifndef TOOLS_ADVICE_IMPORT_HINTS_H
#define TOOLS_ADVICE_IMPORT_HINTS_H

#include "tools/load/source_csv.h"
#include "tools/session/ctl.h"

/** import_hints_file - append the line with the table that a file, a folder or each of several files is; false: the words are none */
bool import_hints_file(const struct ctl *ctl, enum err code, struct buf *out);

/** import_hints_words - @words; of FILE TABLE the table first; of a file alone with @key, which may be NULL: the table that is called as the file, which is told, and the file */
const struct words *import_hints_words(const struct ctl *ctl, struct call *c,
				       const struct words *words, const char *key);

/** import_hints_csv - after an error of a file of JSON: is it CSV? */
bool import_hints_csv(const struct call *c, const struct words *files);

/** import_hints_numbers - note which column was imported as text that may be meant as numbers */
void import_hints_numbers(const struct ctl *ctl, const struct source_csv *csv);

/** import_hints_infer - --infer is of CSV: Errors: -ERR_USAGE  nothing of what is read is that */
int import_hints_infer(struct call *c, const struct words *files, const char *form)
	__attribute__((warn_unused_result));

/** import_hints_null - is standard input /dev/null, where items are read from it?  Errors: -ERR_USAGE  it is */
int import_hints_null(struct call *c, struct slice table) __attribute__((warn_unused_result));

#endif
