/* import_key - the key of a table that an import makes: does it fit the items, and which one would? */
#ifndef TOOLS_IMPORT_KEY_H
#define TOOLS_IMPORT_KEY_H

#include "store/base/buf.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/**
 * import_key_guess - append the key that suits the items, as --key has it: PK and SK, an attribute whose name says so,
 * or else one or two that are different in each
 *
 * Return: false: there is none; nothing is appended
 */
bool import_key_guess(struct buf *out, const struct item *items, size_t n);

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

#endif
