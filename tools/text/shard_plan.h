/* shard_plan - the arithmetic of write sharding */
#ifndef TOOLS_TEXT_SHARD_PLAN_H
#define TOOLS_TEXT_SHARD_PLAN_H

/* Source: DynamoDB Developer Guide, "Best practices for modeling relational data", write sharding. */
struct shard_plan {
	double items;     /* of the kind in the table */
	double fraction;  /* of them that is read, above 0 and up to 1 */
	double item_size; /* bytes */
	double rate;      /* readings of all of these a second */

	/* Filled by shard_plan(). */
	double items_per_rcu;  /* whole items, at least one, or part of one if it is larger */
	double partition_rate; /* items a second that one partition gives */
	double required;       /* items a second that are wanted */
	double exact;
	double n;      /* partitions */
	double padded; /* with room to grow */
};

void shard_plan(struct shard_plan *p);

/** shard_pad - so many shards when @exact, a fraction, are needed: a fifth more, and whole */
double shard_pad(double exact);

#endif
