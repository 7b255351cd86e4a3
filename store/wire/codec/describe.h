/* describe - a table's description as a JSON document of its own, for "itemctl describe" and the mount's .table.json */
#ifndef STORE_WIRE_CODEC_DESCRIBE_H
#define STORE_WIRE_CODEC_DESCRIBE_H

#include "store/engine/engine.h"

/**
 * describe_table - format the member "Table" of DescribeTable's answer
 * @ttl:    attribute of the time to live, which adds the member of DescribeTimeToLive's answer; or empty
 * @indent: blanks per level; 0: everything on one line
 * @out:    ends with a newline; in the call's arena
 *
 * Return: 0, or -ERR_* of json_parse().
 */
int describe_table(struct call *c, const struct table_info *t, struct slice ttl, int indent,
		   struct slice *out) must_check;

/* The answer to DescribeTable: the text of a foreign server, including members unknown here, or a struct. */
struct description {
	bool passed;
	struct slice told;       /* if passed */
	struct table_info table; /* otherwise */
};

/** describe_ask - send one DescribeTable and wait for the answer; Errors: as DescribeTable */
int describe_ask(struct engine *e, struct call *c, struct slice table, struct description *out)
	must_check;

/** describe_as_told - as describe_table(), for an answer of describe_ask(); Errors: also -ERR_CORRUPT for a bad text */
int describe_as_told(struct call *c, const struct description *d, struct slice ttl, int indent,
		     struct slice *out) must_check;

#endif
