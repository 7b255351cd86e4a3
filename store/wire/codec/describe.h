/* describe - a table's description as a text of its own */
#ifndef STORE_WIRE_CODEC_DESCRIBE_H
#define STORE_WIRE_CODEC_DESCRIBE_H

#include "store/base/text/json.h"
#include "store/engine/engine.h"

/**
 * describe_table - the member "Table" of DescribeTable's answer, on one line or indented
 * @ttl:    attribute of its time to live: then it has DescribeTimeToLive's member too; or empty
 * @indent: blanks a level, or 0
 * @out:    with a newline; in the call's arena
 */
int describe_table(struct call *c, const struct table_info *t, struct slice ttl, int indent,
		   struct slice *out) __attribute__((warn_unused_result));

/* The answer to DescribeTable: of another's server its text, with members that we do not know, too. */
struct description {
	bool passed;
	struct slice told;       /* if passed */
	struct table_info table; /* else */
};

/** describe_ask - ask once; Errors: as of DescribeTable */
int describe_ask(struct engine *e, struct call *c, struct slice table, struct description *out)
	__attribute__((warn_unused_result));

/** describe_as_told - as describe_table(), of what describe_ask() was told */
int describe_as_told(struct call *c, const struct description *d, struct slice ttl, int indent,
		     struct slice *out) __attribute__((warn_unused_result));

/** describe_json - a parsed document, written again, without what describes nothing: the provisioned
 * throughput of a table that has none, the time of one that is not told */
void describe_json(struct json_writer *w, const struct json *json);

#endif
