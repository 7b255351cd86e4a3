/* shard_plan - see shard_plan.h */
#include "tools/text/shard_plan.h"

#include <assert.h>
#include <math.h>

static const double RCU_BYTES = 4096;     /* bytes that one unit reads */
static const double PARTITION_RCU = 3000; /* units per second of one partition */

/* The small number keeps 12.5 * 1.2 from being 15.000000000000002. */
double
shard_pad(double exact)
{
	return fmax(ceil(exact * 1.2 - 1e-9), ceil(exact));
}

void
shard_plan(struct shard_plan *p)
{
	assert(p->items > 0 && p->fraction > 0 && p->item_size > 0 && p->rate > 0);
	double fit = floor(RCU_BYTES / p->item_size);

	p->items_per_rcu = fit >= 1 ? fit : 1 / ceil(p->item_size / RCU_BYTES);
	p->partition_rate = floor(PARTITION_RCU * p->items_per_rcu);
	p->required = p->items * p->fraction * p->rate;
	p->exact = p->required / p->partition_rate;
	p->n = ceil(p->exact);
	p->padded = shard_pad(p->exact);
}
