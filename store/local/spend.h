/* spend - what was consumed: budgets pay for it (throttle.h), and it is noted (heat.h) */
#ifndef STORE_LOCAL_SPEND_H
#define STORE_LOCAL_SPEND_H

#include "store/local/heat.h"
#include "store/local/local_int.h"
#include "store/local/throttle.h"

/** spend - @halves of units, at @place */
static inline void
spend(struct local *l, const struct call *c, const struct throttle_place *place, uint64_t halves)
{
	throttle_pay(l->throttle, c, place, halves);
	heat_note(l->heat, c, place, halves);
}

#endif
