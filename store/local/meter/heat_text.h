/*
 * heat_text - what a key has consumed in a minute, as a line: FORMAT.md section 6
 *
 *   MINUTE TABLE INDEX KEY READS BUSIEST SECOND OF-IT WRITES BUSIEST SECOND OF-IT .
 *
 * A line that does not read so is passed over: of a file that is written without a sync, anything may
 * be left.
 */
#ifndef STORE_LOCAL_METER_HEAT_TEXT_H
#define STORE_LOCAL_METER_HEAT_TEXT_H

#include "store/base/core/arena.h"
#include "store/base/core/buf.h"
#include "store/local/meter/throttle.h"

enum { HEAT_KINDS = 2 }; /* by enum throttle_kind */

/* In halves of units. */
struct heat_rate {
	uint64_t sum;
	uint64_t peak; /* of a second */
	uint64_t at;   /* the newest second, Unix time */
	uint64_t now;  /* in it */
};

struct heat_key {
	uint64_t minute; /* Unix time */
	uint32_t table;
	uint16_t index; /* 0: the table */
	struct slice
		key; /* of its collection, behind the index's number; empty: all of the table or GSI */
	struct heat_rate rate[HEAT_KINDS];
};

/** heat_rate_add - @halves in the second @at */
static inline void
heat_rate_add(struct heat_rate *r, uint64_t at, uint64_t halves)
{
	if (r->at != at) {
		r->at = at;
		r->now = 0;
	}
	r->sum += halves;
	r->now += halves;
	if (r->now > r->peak) {
		r->peak = r->now;
	}
}

/** heat_degree - how near the busiest second is to what a partition gives; 6,000 is all of it */
uint64_t heat_degree(const struct heat_rate rate[HEAT_KINDS]);

void heat_text_put(struct buf *out, const struct heat_key *k);

/* Which lines are wanted. */
struct heat_filter {
	uint64_t from; /* minutes, inclusive */
	uint64_t to;
	bool one; /* only of this table or GSI */
	uint32_t table;
	uint16_t index;
};

/**
 * heat_text_read - lines as keys, those of one key in a minute (@one: in all minutes) as one
 *
 * In the order of minute (not @one), table, index, the hottest first, but before them what is of all keys.
 * Memory:  @a; keys are decoded into it
 */
struct heat_key *heat_text_read(struct arena *a, struct slice text, const struct heat_filter *f,
				size_t *n) __attribute__((returns_nonnull));

/** heat_text_shrink - keep the HEAT_KEPT hottest of each minute up to @minute, at most @most bytes, the newest */
void heat_text_shrink(struct buf *text, uint64_t minute, size_t most);

#endif
