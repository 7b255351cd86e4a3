/* absent_key - notes about keys that no item has, with the most similar key that an item has */
#ifndef TOOLS_ADVICE_ABSENT_KEY_H
#define TOOLS_ADVICE_ABSENT_KEY_H

#include "tools/session/ctl.h"

/* The key that was requested. */
struct absent_key {
	struct slice table;
	struct slice index;           /* empty: the table itself */
	const struct key_schema *key; /* of the table or index */
	struct key_values pk;         /* all attributes of the partition key */
	const struct value *sk;       /* the first sort key attribute; NULL: not requested */
	bool ranged;                  /* a part of the partition was requested */
	const char *range; /* the condition on the sort key as in expressions; NULL: none */
	bool counted;      /* items were counted, and 0 is an answer: report only similar keys */
};

/** absent_key_same - return true if the @digits of both texts are the same; else compare all other bytes */
bool absent_key_same(struct slice a, struct slice b, bool digits);

/**
 * absent_key_partition - print a note if the partition does not exist, with the most similar one
 * @empty: the partition is known not to exist; otherwise a Query for one item is sent
 *
 * Return: true if the partition does not exist; false also if no requests may be sent, or with --quiet
 */
bool absent_key_partition(const struct ctl *ctl, struct call *c, const struct absent_key *k,
			  bool empty);

/** absent_key_finds - return true if the query reads an item; sends it with a limit of one item */
bool absent_key_finds(const struct ctl *ctl, struct call *c, struct query_in in);

/** absent_key_there - return true if an item has @k's partition key; sends a Query for one item */
bool absent_key_there(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/**
 * absent_key_item - print a note that no item has this key, with the most similar sort key of the partition
 * @k: @k->sk is not NULL
 *
 * Return: true if the sort key is written as a pattern: "B*"; then the note has a line with --begins-with
 */
bool absent_key_item(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/** absent_key_range - print a note that no item of the partition is in the range; @k->range is not NULL */
void absent_key_range(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/**
 * absent_key_nearest - print "did you mean" for an item that was not found, if a key is similar
 *
 * Reads up to 1,000 sort keys of the partition and up to 10,000 partition keys.
 */
void absent_key_nearest(const struct ctl *ctl, struct call *c, const struct absent_key *k);

#endif
