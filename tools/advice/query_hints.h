/* query_hints - suggestions for a query whose words are not a key */
#ifndef TOOLS_ADVICE_QUERY_HINTS_H
#define TOOLS_ADVICE_QUERY_HINTS_H

#include "tools/session/ctl.h"

/* The query. */
struct query_hints {
	const struct ctl *ctl;
	const struct schema *schema;
	const struct key_schema *key; /* of the table or index */
	const char *index;            /* name of the index; NULL: the table */
	const struct words *words;    /* TABLE PK... */
};

/** query_hints_meant - return true if query_hints_none() has a suggestion: the words are names or a condition */
bool query_hints_meant(const struct query_hints *q, struct call *c);

/**
 * query_hints_again - the words of the corrected query, if the words are a condition; prints a note
 *
 * Call it after the words were refused or found nothing.  Clears the error of @c.
 * Return: in the call's arena; NULL: the words are not a condition
 */
const struct words *query_hints_again(const struct query_hints *q, struct call *c);

/** query_hints_put_index - append " --index NAME", unless @index is empty */
void query_hints_put_index(struct buf *b, struct slice index);

/** query_hints_line - append "itemctl query TABLE VALUE", with the option --index for @ix; NULL: the table */
void query_hints_line(struct buf *b, struct slice table, const struct index *ix,
		      struct slice value);

/** query_hints_key - return true if @name is the partition key of the table (*ix is NULL) or of the index *ix */
bool query_hints_key(const struct schema *s, struct slice name, const struct index **ix);

/**
 * query_hints_no_key - fail a query without a key; suggests the key if it is in @filter, and a scan
 * @index:  may be NULL
 * @filter: may be empty
 *
 * Return: -ERR_USAGE
 */
int query_hints_no_key(struct call *c, const char *table, const char *index, struct slice filter);

/**
 * query_hints_refused - replace the error @r of a word that is not a value of the partition key by a suggestion
 *
 * Return: -ERR_USAGE, or @r if there is no suggestion
 */
int query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r);

/** query_hints_words - @words without the name, "=" and AND of a condition in several words: "PK = a AND SK >= b" */
const struct words *query_hints_words(struct call *c, const struct key_schema *key,
				      const struct words *words);

/** query_hints_range - fail a range that excludes one of its ends: no key condition has that; Return: -ERR_USAGE */
int query_hints_range(const struct query_hints *q, struct call *c, const char *low,
		      const char *high);

/**
 * query_hints_start - fail if --start is a value instead of a key in JSON; suggests a range of the sort key
 * @start: NULL: not given
 * @high:  end of the range; NULL: none
 *
 * Errors: -ERR_USAGE
 */
int query_hints_start(const struct query_hints *q, struct call *c, const char *start,
		      const char *high);

/** query_hints_sort - query_hints_refused() for the value @word of the sort key attribute @attr */
int query_hints_sort(const struct query_hints *q, struct call *c, const struct key_attr *attr,
		     const char *word, int r);

/**
 * query_hints_none - suggest another line for a query that found nothing
 * @ranged: a part of the partition was requested
 *
 * Errors:  -ERR_USAGE  the words are not values of a key; the message has the suggestion
 */
int query_hints_none(const struct query_hints *q, struct call *c, bool ranged);

#endif
