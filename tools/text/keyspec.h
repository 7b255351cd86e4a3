/*
 * keyspec - table definitions as they are typed
 *
 *   --key PK[:T][,SK[:T]]     --gsi 'NAME=PK[:T][,SK[:T]][/PROJECTION]'     --lsi 'NAME=SK[:T][/PROJECTION]'
 *
 * PK and SK of a GSI may be up to four attributes each, joined with '+': A:N+B,C.
 * An LSI may be written PK,SK too, with the table's PK.  Names with ',' or '+' are for JSON.
 * T is S, N or B; an attribute without one has the type it was given
 * elsewhere in the same definition, else S.  PROJECTION is ALL, KEYS_ONLY or
 * INCLUDE:a,b.  Other notations that can mean one thing only are read as well (keyspec_other.h); for
 * others the error suggests the line.
 */
#ifndef TOOLS_TEXT_KEYSPEC_H
#define TOOLS_TEXT_KEYSPEC_H

#include "store/base/core/buf.h"
#include "store/model/schema.h"

#include "tools/text/words.h"

/**
 * keyspec_schema - the definition of a table
 * @gsi, @lsi: specifications, in order; LSIs come first in the schema, as in an answer of the wire
 *
 * Errors:  -ERR_USAGE  a malformed specification, an attribute with two types
 * Memory:  the call's arena and the strings
 */
int keyspec_schema(struct call *c, const char *table, const char *key, const struct words *gsi,
		   const struct words *lsi, struct schema *out) __attribute__((warn_unused_result));

/**
 * keyspec_index - the definition of a global index that is added to the table @s
 *
 * Errors, Memory:  as keyspec_schema()
 */
int keyspec_index(struct call *c, const struct schema *s, const char *spec, struct index *out)
	__attribute__((warn_unused_result));

/** keyspec_view - the view of a stream; STREAM_NONE for NULL; Errors: -ERR_USAGE */
int keyspec_view(struct call *c, const char *word, enum stream_view *out)
	__attribute__((warn_unused_result));

/** keyspec_type - S, N, B, and what other tools call them; else VALUE_TYPES */
enum value_type keyspec_type(struct slice word);

/** keyspec_is_role - is it HASH or RANGE, in any case? */
bool keyspec_is_role(struct slice word);

/** keyspec_separates - does @ch stand between names in some notation, rather than in one? */
bool keyspec_separates(char ch);

/** keyspec_print - append "PK:S,SK:N" */
void keyspec_print(struct buf *out, const struct key_schema *key);

/** keyspec_print_index - append the specification that would make @ix, without its NAME= */
void keyspec_print_index(struct buf *out, const struct index *ix);

#endif
