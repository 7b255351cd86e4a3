/*
 * keyspec - parser of table definitions on the command line
 *
 *   --key PK[:T][,SK[:T]]     --gsi 'NAME=PK[:T][,SK[:T]][/PROJECTION]'     --lsi 'NAME=SK[:T][/PROJECTION]'
 *
 * PK and SK of a GSI may be up to four attributes each, joined with '+': A:N+B,C. An LSI may also be written PK,SK,
 * with the table's PK. Names with ',' or '+' need a definition in JSON. T is S, N or B; an attribute without a type
 * has the type that it has elsewhere in the same definition, else S. PROJECTION is ALL, KEYS_ONLY or INCLUDE:a,b.
 * Text in another notation is accepted if it is unambiguous (keyspec_other.c); otherwise the error suggests a line.
 * The engine checks limits.
 */
#ifndef TOOLS_TEXT_KEYSPEC_H
#define TOOLS_TEXT_KEYSPEC_H

#include "store/model/schema.h"
#include "store/model/value.h"

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

/** keyspec_type - the type of a key: S, N, B or a word of another tool; else the type of that name, or VALUE_TYPES */
enum value_type keyspec_type(struct slice word);

/** keyspec_is_role - return true for HASH and RANGE, in any case */
bool keyspec_is_role(struct slice word);

/** keyspec_separates - return true if a notation uses @ch between names, and not in names */
bool keyspec_separates(char ch);

/* ------------------------------------------------------------ keyspec_other.c: notations of other tools */

/*
 * PK HASH, SK RANGE    PK S, SK N    pk=PK sk=SK    (PK, SK)    AttributeName=PK,KeyType=HASH ...    CREATE TABLE's
 * ByYear:Year,Song    ByYear(Year, Song)    Year:N,Song,KEYS_ONLY    IndexName=ByYear,KeySchema=[...] and its JSON
 */
enum keyspec_meaning {
	KEYSPEC_UNKNOWN, /* nothing is appended */
	KEYSPEC_LIKELY, /* only a suggestion: the separators may belong to a name, or the index has no name */
	KEYSPEC_CERTAIN,
};

/** keyspec_other - append @text as "PK[:T][,SK[:T]]"; if @index, as "NAME=PK[:T][,SK[:T]][/PROJECTION]" */
enum keyspec_meaning keyspec_other(struct buf *out, struct slice text, bool index);

#endif
