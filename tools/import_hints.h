/* import_hints - files in the place of the table that import needs */
#ifndef TOOLS_IMPORT_HINTS_H
#define TOOLS_IMPORT_HINTS_H

#include "tools/ctl.h"

/** import_hints_file - append the line with the table that a file, a folder or each of several files is; false: the words are none */
bool import_hints_file(const struct ctl *ctl, enum err code, struct buf *out);

/** import_hints_words - @words, or of a file alone with @key, which may be NULL: the table that is called as the file, which is told, and the file */
const struct words *import_hints_words(const struct ctl *ctl, struct call *c,
				       const struct words *words, const char *key);

#endif
