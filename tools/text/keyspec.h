/*
 * keyspec - parser of table definitions on the command line
 *
 *   --key PK[:T][,SK[:T]]     --gsi 'NAME=PK[:T][,SK[:T]][/PROJECTION]'     --lsi 'NAME=SK[:T][/PROJECTION]'
 *
 * PK and SK of a GSI may be up to four attributes each, joined with '+': A:N+B,C. An LSI may also be written PK,SK,
 * with the table's PK. Names with ',' or '+' need a definition in JSON. T is S, N or B; an attribute without a type
 * has the type that it has elsewhere in the same definition, else S. PROJECTION is ALL, KEYS_ONLY or INCLUDE:a,b.
 * Text in another notation is accepted if it is unambiguous (keyspec_other.h); otherwise the error suggests a line.
 * The engine checks limits.
 */
#ifndef TOOLS_TEXT_KEYSPEC_H
#define TOOLS_TEXT_KEYSPEC_H

#include "store/base/core/buf.h"
#include "store/model/schema.h"

#include "tools/text/words.h"

/**
 * keyspec_schema - parse the definition of a table
 * @key: the specification of its key
 * @gsi, @lsi: specifications, in order; LSIs come first in the schema, as in responses of the protocol
 *
 * Errors:  -ERR_USAGE  a malformed specification, an attribute with two types
 * Memory:  the call's arena and the strings
 */
int keyspec_schema(struct call *c, const char *table, const char *key, const struct words *gsi,
		   const struct words *lsi, struct schema *out) must_check;

/**
 * keyspec_index - parse the definition of a global index that is added to the table @s
 *
 * Errors, Memory:  as keyspec_schema()
 */
int keyspec_index(struct call *c, const struct schema *s, const char *spec, struct index *out)
	must_check;

/** keyspec_view - parse the view type of a stream; NULL is STREAM_NONE; Errors: -ERR_USAGE */
int keyspec_view(struct call *c, const char *word, enum stream_view *out) must_check;

/** keyspec_print - append "PK:S,SK:N" */
void keyspec_print(struct buf *out, const struct key_schema *key);

/** keyspec_print_index - append the specification of @ix, without its NAME= */
void keyspec_print_index(struct buf *out, const struct index *ix);

#endif
