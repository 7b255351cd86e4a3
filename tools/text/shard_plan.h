/* shard_plan - arithmetic of write sharding: how many partitions a key needs */
#ifndef TOOLS_TEXT_SHARD_PLAN_H
#define TOOLS_TEXT_SHARD_PLAN_H

/* Source: DynamoDB Developer Guide, "Best practices for modeling relational data", write sharding. */
struct shard_plan {
	double items;     /* of this kind in the table */
	double fraction;  /* of them that one reading reads, above 0 and up to 1 */
	double item_size; /* bytes */
	double rate;      /* readings per second */

	/* Filled by shard_plan(). */
	double items_per_rcu;  /* whole items, or a fraction of one if it needs several units */
	double partition_rate; /* items per second that one partition can return */
	double required;       /* items per second that are read */
	double exact;          /* partitions, not rounded */
	double n;              /* partitions, rounded up */
	double padded;         /* partitions, see shard_pad() */
};

/** shard_plan - compute the results from the first four members, which are above 0 */
void shard_plan(struct shard_plan *p);

/** shard_pad - the whole number of shards to use when @exact are needed: a fifth more, rounded up */
double shard_pad(double exact);

#endif
