/* spend - payment for consumed capacity from the budgets (throttle.h), and its record as key usage (heat.h) */
#ifndef STORE_LOCAL_METER_SPEND_H
#define STORE_LOCAL_METER_SPEND_H

#include "store/local/meter/heat.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/local_int.h"

/** spend - pay and record @halves of units at @place.  Thread: any */
static inline void
spend(struct local *l, const struct call *c, const struct throttle_place *place, uint64_t halves)
{
	throttle_pay(l->throttle, c, place, halves);
	heat_note(l->heat, c, place, halves);
}

#endif
