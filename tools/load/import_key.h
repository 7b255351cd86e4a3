/* import_key - the key of a table that an import creates: guessed from the items, suggested, and verified */
#ifndef TOOLS_LOAD_IMPORT_KEY_H
#define TOOLS_LOAD_IMPORT_KEY_H

#include "store/base/core/buf.h"
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

#endif
