/* absent_key - keys that no item has, and the nearest one that an item has */
#ifndef TOOLS_ADVICE_ABSENT_KEY_H
#define TOOLS_ADVICE_ABSENT_KEY_H

#include "tools/session/ctl.h"

/* What was asked for. */
struct absent_key {
	struct slice table;
	struct slice index;           /* empty: the table itself */
	const struct key_schema *key; /* of table or index */
	struct key_values pk;         /* all attributes of the partition key */
	const struct value *sk;       /* the first one of the sort key, if one was asked for */
	bool ranged;                  /* not all of the partition was asked for */
	const char *range; /* the condition on the sort key, as expressions have it; NULL: none */
	bool counted;      /* items were counted, and 0 is an answer: only a near key is told */
};

/**
 * absent_key_partition - tell of a partition that is not there, with the nearest one; else false
 * @empty: it is known that it is not there; else one item is asked for
 */
bool absent_key_partition(const struct ctl *ctl, struct call *c, const struct absent_key *k,
			  bool empty);

/** absent_key_finds - does the query read an item? One is asked for */
bool absent_key_finds(const struct ctl *ctl, struct call *c, struct query_in in);

/** absent_key_there - has an item @k's partition key? One is asked for */
bool absent_key_there(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/** absent_key_item - tell of a sort key that is not in its partition, with the nearest one there; true: it is written as a pattern */
bool absent_key_item(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/** absent_key_range - tell that no item of the partition is in the range */
void absent_key_range(const struct ctl *ctl, struct call *c, const struct absent_key *k);

/** absent_key_nearest - "did you mean": of an item that was not found, if one is near; asks for up to 1,000 keys */
void absent_key_nearest(const struct ctl *ctl, struct call *c, const struct absent_key *k);

#endif
