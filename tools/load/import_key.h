/* import_key - the key of a table that an import makes: does it fit the items, and which one would? */
#ifndef TOOLS_LOAD_IMPORT_KEY_H
#define TOOLS_LOAD_IMPORT_KEY_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/session/ctl.h"

/**
 * import_key_guess - append the key that suits the items, as --key has it: PK and SK, an attribute whose name says so,
 * or else one or two that are different in each
 * @other: gets the second choice where two keys are likely: one alone, and with the attribute before it; NULL: only the former
 * @certain: not the last of these, if there is one item alone
 *
 * Return: false: there is none; nothing is appended
 */
bool import_key_guess(struct buf *out, struct buf *other, const struct item *items, size_t n,
		      bool certain);

/** import_key_suggest - below the call's error, @before and the typed line with --key @key; nothing without a key */
void import_key_suggest(struct call *c, const char *before, struct slice key);

/** import_key_say - that a new table gets @key, and how it gets the @second one; @table: of a typed import, else empty */
void import_key_say(const struct ctl *ctl, struct call *c, struct slice key, struct slice second,
		    struct slice table);

/**
 * import_key_held - are all the items that were put into a new table there, and none replaced by another?
 * @key: of the table, as it was guessed
 *
 * What another's server counts is hours old: it is not asked, and neither is one that does not answer.
 * Errors:  -ERR_VALIDATION  the key was none: for import to drop the table
 */
int import_key_held(struct engine *engine, struct call *c, const char *key, struct slice table,
		    uint64_t items) __attribute__((warn_unused_result));

/**
 * import_key_check - has each item the attributes of @key, with their types?
 * @spec: of --key, to be corrected in the line that is suggested
 * @typed: the items have the types that the table would give them
 *
 * Errors:  -ERR_USAGE  names the first attribute that does not fit
 */
int import_key_check(struct call *c, const char *spec, const struct key_schema *key,
		     const struct item *items, size_t n, bool typed)
	__attribute__((warn_unused_result));

/** import_key_there - a table that is there keeps its key: --key @spec becomes NULL; Errors: -ERR_USAGE  its key is another one */
int import_key_there(struct ctl *ctl, struct call *c, struct slice table, const char **spec)
	__attribute__((warn_unused_result));

/**
 * import_key_mended - append the typed line so that the items have the key of the table @s: with --set, or with the
 * table that is named as the file
 * @file: of the items
 *
 * Return: false: they have it, or what was meant is not known; nothing is appended
 */
bool import_key_mended(struct buf *out, struct ctl *ctl, struct call *c, const struct schema *s,
		       const char *file, const struct item *items, size_t n);

#endif
