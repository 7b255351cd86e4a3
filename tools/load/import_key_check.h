/* import_key_check - items of an import compared with a key: that of --key, or that of an existing table */
#ifndef TOOLS_LOAD_IMPORT_KEY_CHECK_H
#define TOOLS_LOAD_IMPORT_KEY_CHECK_H

#include "store/model/schema.h"

#include "tools/session/ctl.h"

/**
 * import_key_check - check that each item has the attributes of @key, with their types
 * @spec:  the value of --key, which the suggested line corrects
 * @typed: the items have the types that the table would give them; false: types are not compared
 *
 * Errors:  -ERR_USAGE  the message names the first attribute that does not fit
 */
int import_key_check(struct call *c, const char *spec, const struct key_schema *key,
		     const struct item *items, size_t n, bool typed) must_check;

/**
 * import_key_there - an existing table keeps its key: set *@spec, the value of --key, to NULL
 *
 * Does nothing without --key or if the table does not exist.  Errors:  -ERR_USAGE  the table has another key
 */
int import_key_there(struct ctl *ctl, struct call *c, struct slice table, const char **spec)
	must_check;

/**
 * import_key_mended - append the typed line, changed so that the items have the key of the table @s: with --set, or
 * with the table that has the name of the file
 * @file: the file of the items
 *
 * Return: false: the items have the key, or there is no such line; nothing is appended
 */
bool import_key_mended(struct buf *out, struct ctl *ctl, struct call *c, const struct schema *s,
		       const char *file, const struct item *items, size_t n);

#endif
