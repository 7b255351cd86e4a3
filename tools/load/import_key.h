/* import_key - the key of a table that gets items: guessed from them, suggested, and compared with them */
#ifndef TOOLS_LOAD_IMPORT_KEY_H
#define TOOLS_LOAD_IMPORT_KEY_H

#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"

/**
 * import_key_guess - append a key that suits the items, in the form of --key
 * @other:   gets the second choice if an attribute alone and the pair with the attribute before it are both likely;
 *           NULL: consider only the attribute alone
 * @certain: if there is only one item, do not guess by values
 *
 * Tries PK and SK, then an attribute with a name such as "id", then one or two attributes that are unique in @items.
 *
 * Return: true, or false: there is no such key, and nothing is appended
 */
bool import_key_guess(struct buf *out, struct buf *other, const struct item *items, size_t n,
		      bool certain);

/** import_key_suggest - add @before and the typed line with --key @key to the call's error, unless @key is empty */
void import_key_suggest(struct call *c, const char *before, struct slice key);

/** import_key_say - note the @key of a new table, and how to use @second (or empty); @table: if typed, else empty */
void import_key_say(const struct ctl *ctl, struct call *c, struct slice key, struct slice second,
		    struct slice table);

/**
 * import_key_held - check that no item of a new table has replaced another one
 * @key:   the guessed key, for the message
 * @items: number of items that were put
 *
 * Not checked if the server does not answer, or is a foreign server, which updates its counts only after hours.
 * Errors:  -ERR_VALIDATION  the key is not unique; import then drops the table
 */
int import_key_held(struct engine *engine, struct call *c, const char *key, struct slice table,
		    uint64_t items) must_check;

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
