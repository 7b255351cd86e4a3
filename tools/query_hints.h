/* query_hints - after a query whose words are no key: the line that was meant */
#ifndef TOOLS_QUERY_HINTS_H
#define TOOLS_QUERY_HINTS_H

#include "tools/ctl.h"

/* What was asked for. */
struct query_hints {
	const struct ctl *ctl;
	const struct schema *schema;
	const struct key_schema *key; /* of the table or index */
	const char *index;            /* its name; NULL: the table */
	const struct words *words;    /* TABLE PK... */
};

/** query_hints_value - the value in "Artist=Acme", "Artist = 'Acme' AND ...", which are partition keys, too, but hardly meant; empty: none of these */
struct slice query_hints_value(const struct query_hints *q);

/** query_hints_line - append "itemctl query TABLE VALUE", by @ix, which is NULL for the table */
void query_hints_line(struct buf *b, struct slice table, const struct index *ix,
		      struct slice value);

/** query_hints_key - is @name the partition key of the table or, then in @ix, of an index? */
bool query_hints_key(const struct schema *s, struct slice name, const struct index **ix);

/** query_hints_no_key - fail a query that has @filter, but no key: perhaps the key is in the filter, else a scan is meant; Return: -ERR_USAGE */
int query_hints_no_key(struct call *c, const char *table, struct slice filter);

/** query_hints_refused - the call's error @r, that a word is no value of the partition key, with the line that was meant; Return: -ERR_* */
int query_hints_refused(const struct query_hints *q, struct call *c, const char *word, int r);

/** query_hints_sort - likewise of a value of the sort key's attribute @attr */
int query_hints_sort(struct call *c, const struct key_attr *attr, const char *word, int r);

/** query_hints_none - say why the words may have found nothing, if that can be told */
void query_hints_none(const struct query_hints *q, struct call *c);

#endif
