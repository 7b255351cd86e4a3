/*
 * heat - recent usage of the partition keys of every table and GSI
 *
 * Usage is recorded where budgets are paid (spend.h), in halves of units: the sum of each minute, and its busiest
 * second, separately for reads and writes. At most HEAT_KEYS keys of a table or GSI are known at a time. Each key
 * belongs to a set of eight places. A key without a place competes with the key of its set that has consumed least, and
 * replaces it once it has consumed as much. So the most used keys stay, the usage reported for a key is never too high,
 * and a key that returns after it was replaced starts from zero. At the end of a minute its most used keys become lines
 * of text (heat_text.h). At the end of the process the lines are written to STORE/heat (heat_file.h).
 */
#ifndef STORE_LOCAL_METER_HEAT_H
#define STORE_LOCAL_METER_HEAT_H

#include "store/base/core/buf.h"
#include "store/local/meter/throttle.h"

enum {
	HEAT_MINUTES = 60, /* minutes kept besides the running one */
	HEAT_KEYS = 256,   /* keys of a table or GSI in the running minute */
	HEAT_KEPT = 64,    /* keys of a table or GSI in a minute that is over */
	HEAT_PLACES = 128, /* tables and GSIs in a minute; usage of further ones is not recorded */
	HEAT_TEXT = 1 << 20, /* bytes of lines; if there are more, the oldest minutes are removed */
	HEAT_BYTES = 4 << 20, /* bytes of the keys in the running minute */
};

struct heat;

/** heat_new - @dir: descriptor of the store's directory, borrowed; -1: usage is not saved at the end of the process */
struct heat *heat_new(int dir);

/** heat_free - save the usage for the next process, and free @h.  Thread: the last user of @h */
void heat_free(struct heat *h);

/** heat_note - add @halves to the usage of a key, or of the whole table if @place has no collection.  Thread: any */
void heat_note(struct heat *h, const struct call *c, const struct throttle_place *place,
	       uint64_t halves);

/**
 * heat_lines - append all recorded usage, that of the file included, as lines
 *
 * Return: the newest second in it, Unix time
 * Thread: any
 */
uint64_t heat_lines(struct heat *h, const struct call *c, struct buf *out);

#endif
