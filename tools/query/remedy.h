/* remedy - advice for a hot partition key, as text and as a command */
#ifndef TOOLS_QUERY_REMEDY_H
#define TOOLS_QUERY_REMEDY_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/model/schema.h"
#include "store/op/op.h"

enum { REMEDY_READS = 3000, REMEDY_WRITES = 1000 }; /* units per second that a partition provides */

/* A key of the table, or of one of its GSIs. */
struct remedy {
	const struct schema *schema;
	const struct index *ix;        /* NULL: the table */
	const struct heat_of_key *key; /* has a value for each attribute of the partition key */
};

/**
 * remedy_shards - return the number of partitions that the busiest second of reads or writes needs, as "shards plan"
 * does, at most SHARDS_MAX; 1: the key is not hot
 * @of_one: units per second that a partition provides
 */
double remedy_shards(const struct heat_use *use, double of_one);

/** remedy_put - append lines of advice, with control characters of the key escaped; nothing if it is not hot */
void remedy_put(struct call *c, struct buf *out, const struct remedy *r);

#endif
