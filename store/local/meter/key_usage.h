/*
 * key_usage - recent usage of partition keys of tables and GSIs, since the store was opened
 *
 * For each key and minute it has the consumed halves of units and those of the busiest second, separately for reads and
 * writes. At most KEY_USAGE_KEYS keys are recorded at a time. A key can be in one of the eight entries of its set. If all
 * eight are taken, the key competes with the one that has consumed least in the last minutes, and replaces it once it has
 * consumed as much. So the most used keys stay. The figures of a key are never too high, and too low if it was replaced in between.
 */
#ifndef STORE_LOCAL_METER_KEY_USAGE_H
#define STORE_LOCAL_METER_KEY_USAGE_H

#include "store/local/meter/throttle.h"

enum { KEY_USAGE_KEYS = 1024 }; /* of all tables and GSIs */

struct key_usage;

struct key_usage *key_usage_new(void);
void key_usage_free(struct key_usage *u);

/** key_usage_add - add @halves of units to the usage of the key; nothing if @place has no collection.  Thread: any */
void key_usage_add(struct key_usage *u, const struct call *c, const struct throttle_place *place,
		   uint64_t halves);

#endif
