/*
 * heat_text - the usage of a key in a minute as a line of text: FORMAT.md section 6
 *
 *   MINUTE TABLE INDEX KEY READS BUSIEST SECOND OF-IT WRITES BUSIEST SECOND OF-IT .
 *
 * Lines of another form are skipped: after a crash, a file that was written without a sync may have any content.
 */
#ifndef STORE_LOCAL_METER_HEAT_TEXT_H
#define STORE_LOCAL_METER_HEAT_TEXT_H

#include "store/base/core/arena.h"
#include "store/base/core/buf.h"
#include "store/local/meter/throttle.h"

enum { HEAT_KINDS = 2 }; /* by enum throttle_kind */

/* Usage in halves of units. */
struct heat_rate {
	uint64_t sum;
	uint64_t peak; /* of the busiest second */
	uint64_t at;   /* the newest second, Unix time */
	uint64_t now;  /* of the newest second */
};

struct heat_key {
	uint64_t minute; /* Unix time */
	uint32_t table;
	uint16_t index; /* 0: the table */
	/* The part of the collection's key that follows the index number; empty: the whole table or GSI */
	struct slice key;
	struct heat_rate rate[HEAT_KINDS];
};

/** heat_rate_add - add @halves in the second @at, which becomes the newest */
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

/** heat_degree - the load of the busiest second on a partition; 6,000 is a partition's maximum */
uint64_t heat_degree(const struct heat_rate rate[HEAT_KINDS]);

/** heat_text_put - append the line of @k */
void heat_text_put(struct buf *out, const struct heat_key *k);

/* A selection of lines. */
struct heat_filter {
	uint64_t from; /* minutes, inclusive */
	uint64_t to;
	bool one; /* only lines of the following table or GSI */
	uint32_t table;
	uint16_t index;
};

/**
 * heat_text_read - parse lines, and merge those of one key in a minute (with f->one: in all minutes)
 *
 * The result is sorted by minute (unless f->one), table and index. Of each table or GSI, the usage of all keys comes
 * first, then its keys, the most used first.
 * Memory:  everything is in @a
 */
struct heat_key *heat_text_read(struct arena *a, struct slice text, const struct heat_filter *f,
				size_t *n) __attribute__((returns_nonnull));

/**
 * heat_text_shrink - keep the HEAT_KEPT most used keys of each of the last HEAT_MINUTES minutes up to @minute, and of
 * the result the newest lines, at most @most bytes
 */
void heat_text_shrink(struct buf *text, uint64_t minute, size_t most);

#endif
