/* remedy - what helps a hot partition key, in words and as a command to type */
#ifndef TOOLS_QUERY_REMEDY_H
#define TOOLS_QUERY_REMEDY_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/schema.h"
#include "store/op/op.h"

enum { REMEDY_READS = 3000, REMEDY_WRITES = 1000 }; /* units a second that one partition gives */

/* A key of the table, or of one of its GSIs. */
struct remedy {
	const struct schema *schema;
	const struct index *ix;        /* NULL: the table */
	const struct heat_of_key *key; /* has a value for each attribute of the partition key */
};

/** remedy_shards - partitions for the busiest second of reads or writes, as "shards plan" counts them, but no more than there may be; 1: it is not hot */
double remedy_shards(const struct heat_use *use, double of_one);

/** remedy_put - lines for people, in which nothing of a key acts on a terminal; nothing if it is not hot */
void remedy_put(struct call *c, struct buf *out, const struct remedy *r);

#endif
