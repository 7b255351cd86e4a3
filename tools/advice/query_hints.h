/* query_hints - after a query whose words are no key: the line that was meant */
#ifndef TOOLS_ADVICE_QUERY_HINTS_H
#define TOOLS_ADVICE_QUERY_HINTS_H

#include "tools/session/ctl.h"

/* What was asked for. */
struct query_hints {
	const struct ctl *ctl;
	const struct schema *schema;
	const struct key_schema *key; /* of the table or index */
	const char *index;            /* its name; NULL: the table */
	const struct words *words;    /* TABLE PK... */
};

/** query_hints_meant - do the words name the key's attributes, or a condition, so that query_hints_none() says which line was meant? */
bool query_hints_meant(const struct query_hints *q, struct call *c);

/** query_hints_again - words that are a condition, after they were refused or have found nothing: those of the line that is meant, with a note; NULL: they are none */
const struct words *query_hints_again(const struct query_hints *q, struct call *c);

/** query_hints_line - append "itemctl query TABLE VALUE", by @ix, which is NULL for the table */
void query_hints_line(struct buf *b, struct slice table, const struct index *ix,
		      struct slice value);

/** query_hints_key - is @name the partition key of the table or, then in @ix, of an index? */
bool query_hints_key(const struct schema *s, struct slice name, const struct index **ix);

/** query_hints_no_key - fail a query without a key: perhaps it is in @filter, which may be empty, else a scan is meant; @index may be NULL; Return: -ERR_USAGE */
int query_hints_no_key(struct call *c, const char *table, const char *index, struct slice filter);

/** query_hints_refused - the call's error @r, that a word is no value of the partition key, with the line that was meant; Return: -ERR_* */
int query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r);

/** query_hints_words - @words without the names in "PK = a AND SK >= b", whose words stand apart */
const struct words *query_hints_words(struct call *c, const struct key_schema *key,
				      const struct words *words);

/** query_hints_range - two ends of which one is outside of its range: the key has only ranges with both; Return: -ERR_USAGE */
int query_hints_range(const struct query_hints *q, struct call *c, const char *low,
		      const char *high);

/** query_hints_start - is --start, unless it is NULL, a value where a key stands? A range of the sort key is meant, to @high or, if that is NULL, to the end; Errors: -ERR_USAGE */
int query_hints_start(const struct query_hints *q, struct call *c, const char *start,
		      const char *high);

/** query_hints_sort - likewise of a value of the sort key's attribute @attr */
int query_hints_sort(const struct query_hints *q, struct call *c, const struct key_attr *attr,
		     const char *word, int r);

/**
 * query_hints_none - say why the words may have found nothing, if that can be told; @ranged: not all of the partition was asked for
 *
 * Errors:  -ERR_USAGE  the words are no values of a key, with the line that was meant
 */
int query_hints_none(const struct query_hints *q, struct call *c, bool ranged);

#endif
