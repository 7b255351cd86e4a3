/* hints - suggestions by command and error code: items that are not JSON, bare assignments, running servers */
#ifndef TOOLS_ADVICE_HINTS_H
#define TOOLS_ADVICE_HINTS_H

#include "tools/session/ctl.h"

/** hints_find - append a suggestion; Return: false: there is none */
bool hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

/**
 * hints_item - append the item that the words after the table describe: NAME=VALUE words, which may
 * follow the values of its key
 *
 * Return: false: they do not describe an item; @out then has useless text
 */
bool hints_item(const struct words *words, const struct key_schema *key, struct buf *out);

/** hints_import - append the import command for input that put does not read */
void hints_import(struct buf *out, struct slice table);

/**
 * import_hints_file - append a line that imports a file, a folder or several files, with tables named after the files
 *
 * Return: false: the words are not files
 */
bool import_hints_file(const struct ctl *ctl, enum err code, struct buf *out);

#endif
