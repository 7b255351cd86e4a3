/* why_key - the key of the table or index that a path is in, and its values as file names */
#ifndef TOOLS_WHY_WHY_KEY_H
#define TOOLS_WHY_WHY_KEY_H

#include "store/model/value.h"

struct why_key {
	struct slice table;       /* name of the table */
	struct slice names[2];    /* attributes: partition key, sort key; empty: none */
	enum value_type types[2]; /* of the names that are not empty: VALUE_S, VALUE_N or VALUE_B */
};

/**
 * why_key_read - read a key from .table.json
 * @root:  directory of the table
 * @index: name of the index; empty: the table
 * @out:   its texts are in the call's arena
 *
 * Return: false if there is none, or a part of it has several attributes
 */
bool why_key_read(struct call *c, const char *root, struct slice index, struct why_key *out);

/**
 * why_key_respell - append the file name of a value that is spelled differently: ATTRIBUTE=VALUE, a number, bytes as
 * text or Base64
 * @part:  0: partition key; 1: sort key
 * @value: a component without the suffix
 *
 * Return: a sentence to which the caller adds the name; NULL if @value is no such value or is the name itself, and
 *         nothing is appended
 */
const char *why_key_respell(const struct why_key *key, size_t part, struct slice value,
			    struct buf *out);

#endif
