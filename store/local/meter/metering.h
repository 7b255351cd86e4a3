/* metering - payment for consumed capacity (throttle.h), and its record as key usage (key_usage.h) */
#ifndef STORE_LOCAL_METER_METERING_H
#define STORE_LOCAL_METER_METERING_H

#include "store/local/meter/key_usage.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/local_int.h"

/** metering_pay - pay and record @halves of units at @place.  Thread: any */
static inline void
metering_pay(struct local *l, const struct call *c, const struct throttle_place *place,
	     uint64_t halves)
{
	throttle_pay(l->throttle, c, place, halves);
	key_usage_add(l->key_usage, c, place, halves);
}

#endif
