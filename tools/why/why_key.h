/* why_key - the key of the table or index that a path is in, and how its values are spelled as names */
#ifndef TOOLS_WHY_WHY_KEY_H
#define TOOLS_WHY_WHY_KEY_H

#include "store/base/core/buf.h"
#include "store/model/value.h"

struct why_key {
	struct slice table;       /* its name */
	struct slice names[2];    /* partition key, sort key; empty: there is none */
	enum value_type types[2]; /* of the names that are not empty: VALUE_S, VALUE_N or VALUE_B */
};

/**
 * why_key_read - read a key from the table's own description
 * @root:  the table's directory
 * @index: of this index; empty: of the table
 *
 * Return: false: there is none to be read, or several attributes make one part of it.  Texts are in the call's arena.
 */
bool why_key_read(struct call *c, const char *root, struct slice index, struct why_key *out);

/**
 * why_key_respell - the name of the value that @value spells otherwise: ATTRIBUTE=VALUE, a number, bytes as text or Base64
 * @value: a component without the suffix
 * @out:   the value's name is appended
 *
 * Return: a sentence without its end, which needs the name; NULL, and nothing is appended: @value is no such value, or its name
 */
const char *why_key_respell(const struct why_key *key, size_t part, struct slice value,
			    struct buf *out);

#endif
