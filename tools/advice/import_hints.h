/* import_hints - suggestion for an import with files in place of the table */
#ifndef TOOLS_ADVICE_IMPORT_HINTS_H
#define TOOLS_ADVICE_IMPORT_HINTS_H

#include "tools/session/ctl.h"

/**
 * import_hints_file - append a line that imports a file, a folder or several files, with tables named after the files
 *
 * Return: false: the words are not files
 */
bool import_hints_file(const struct ctl *ctl, enum err code, struct buf *out);

#endif
