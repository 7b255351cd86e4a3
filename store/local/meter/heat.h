/*
 * heat - what each partition key has consumed lately: of every table and GSI, whoever asks for it later
 *
 * Noted is where a budget would be paid from (spend.h), in halves of units: the sum of a minute and its
 * busiest second, reads and writes apart.  Of a table or GSI at most HEAT_KEYS keys a minute are known at a
 * time: each has a place among eight, where it counts against the one that has consumed least, and drives
 * it out once it has consumed more.  So hot keys stay, what is told of a key is never too much,
 * and a key that comes back counts from nothing.  When the minute is over, its hottest become lines of
 * text (heat_text.h); a process that ends leaves them in STORE/heat (heat_file.h).
 */
#ifndef STORE_LOCAL_METER_HEAT_H
#define STORE_LOCAL_METER_HEAT_H

#include "store/base/core/buf.h"
#include "store/local/meter/throttle.h"

enum {
	HEAT_MINUTES = 60,    /* so many are kept, and the one that runs */
	HEAT_KEYS = 256,      /* of a table or GSI, while the minute runs */
	HEAT_KEPT = 64,       /* of them, afterwards */
	HEAT_PLACES = 128,    /* tables and GSIs in a minute; of further ones nothing is known */
	HEAT_TEXT = 1 << 20,  /* bytes of lines: the oldest minutes go */
	HEAT_BYTES = 4 << 20, /* of the keys of the minute that runs */
};

struct heat;

/** heat_new - @dir: the store's descriptor, for its file; -1: what is noted ends with the process */
struct heat *heat_new(int dir);

/** heat_free - leave what was noted to the next process */
void heat_free(struct heat *h);

/** heat_note - @halves were consumed; without a collection, of all of them.  Thread: any */
void heat_note(struct heat *h, const struct call *c, const struct throttle_place *place,
	       uint64_t halves);

/**
 * heat_lines - append all that is known, as lines
 *
 * Return: the second up to which that is.
 */
uint64_t heat_lines(struct heat *h, const struct call *c, struct buf *out);

#endif
