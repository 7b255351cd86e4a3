/*
 * keyspec_key - parser of one key in a table definition: PK[:T][,SK[:T]]
 *
 * @spec is the whole option in all functions: error messages quote it. Attributes without a type get KEYSPEC_TYPE_OPEN,
 * which keyspec_schema() and keyspec_index() resolve. Names are borrowed from the call's arena.
 */
#ifndef TOOLS_TEXT_KEYSPEC_KEY_H
#define TOOLS_TEXT_KEYSPEC_KEY_H

#include "store/base/core/call.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* The type of a key attribute that was typed without a type */
enum { KEYSPEC_TYPE_OPEN = VALUE_TYPES };

/**
 * keyspec_key - parse PK[:T][,SK[:T]]
 * @several: the key of a GSI: each part is A[:T]+B[:T]..., with up to KEY_PART_MAX attributes
 * @out: the caller has set it to zeros
 *
 * Errors:  -ERR_USAGE
 */
int keyspec_key(struct call *c, const char *spec, struct slice text, bool several,
		struct key_schema *out) must_check;

/**
 * keyspec_key_local - parse [PK[:T],]SK[:T], the key of a local index
 * @pk: the partition key of the table, which is also that of the index
 *
 * Errors:  -ERR_USAGE
 */
int keyspec_key_local(struct call *c, const char *spec, struct slice text,
		      const struct key_attr *pk, struct key_schema *out) must_check;

/** keyspec_cut - take the text before @separator off @rest; without one take all, and rest->at becomes NULL */
struct slice keyspec_cut(struct slice *rest, char separator);

/** keyspec_type - the type of a key: S, N, B or a word of another tool; else the type of that name, or VALUE_TYPES */
enum value_type keyspec_type(struct slice word);

/** keyspec_is_role - return true for HASH and RANGE, in any case */
bool keyspec_is_role(struct slice word);

/** keyspec_separates - return true if a notation uses @ch between names, and not in names */
bool keyspec_separates(char ch);

#endif
