/* import_hints - files in the place of the table that import needs */
#ifndef TOOLS_ADVICE_IMPORT_HINTS_H
#define TOOLS_ADVICE_IMPORT_HINTS_H

#include "tools/session/ctl.h"

/** import_hints_file - append the line with the table that a file, a folder or each of several files is; false: the words are none */
bool import_hints_file(const struct ctl *ctl, enum err code, struct buf *out);

#endif
