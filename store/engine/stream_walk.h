/*
 * stream_walk - the records of a stream with any number of shards, parents before their children; of any engine
 *
 *   while ((r = stream_walk_next(w, c, &page)) == 0) {
 *           ... at most one request was made: perhaps there are records, perhaps not ...
 *   }
 *   STREAM_WALK_TIP: that is all for now; STREAM_WALK_END: for ever
 *
 * Shards of DynamoDB end and have children every few hours.  The end of one is a page without NextShardIterator.
 * Of one that is open nothing tells how far its newest record is: a page may be empty with records behind it.
 * So whoever goes on takes each empty page for the end for now, since he asks again; and whoever does not asks
 * until STREAM_WALK_EMPTY_MAX pages in a row were empty.
 *
 * Thread: one at a time, any.
 */
#ifndef STORE_ENGINE_STREAM_WALK_H
#define STORE_ENGINE_STREAM_WALK_H

#include "store/engine/engine.h"

enum {
	STREAM_WALK_TIP = 1,
	STREAM_WALK_END,
	STREAM_WALK_EMPTY_MAX = 10,
};

enum stream_walk_from {
	STREAM_WALK_OLDEST, /* everything that is kept */
	STREAM_WALK_NEWEST, /* what comes from now on */
	STREAM_WALK_AFTER,  /* what has a greater sequence number than @after, in whichever shard */
};

struct stream_walk_in {
	struct slice stream; /* ARN; copied, as @after */
	enum stream_walk_from from;
	struct slice after; /* digits */
	bool goes_on;   /* behind the tip, too: shards are read by turns, not one after the other */
	uint32_t limit; /* records of a page; 0: as many as the engine gives */
};

/* What one request brought; its memory is the call's. */
struct stream_walk_page {
	const struct stream_record *records;
	size_t n;
};

struct stream_walk;

/**
 * stream_walk_open - begin; pair with stream_walk_close()
 * @e: borrowed until then
 *
 * From STREAM_WALK_NEWEST on, "now" is the return of this function; of the others nothing is asked yet.
 * Errors: the engine's
 */
int stream_walk_open(struct engine *e, struct call *c, const struct stream_walk_in *in,
		     struct stream_walk **out) __attribute__((warn_unused_result));
void stream_walk_close(struct stream_walk *w); /* NULL is harmless */

/**
 * stream_walk_next - one step: at most one request
 *
 * Return: 0; STREAM_WALK_TIP: the next call looks for newer ones; STREAM_WALK_END
 * Errors: the engine's; the next call tries again
 */
int stream_walk_next(struct stream_walk *w, struct call *c, struct stream_walk_page *page)
	__attribute__((warn_unused_result));

/** stream_walk_lost - have records gone before they were read, since it was asked last? */
bool stream_walk_lost(struct stream_walk *w);

/** stream_walk_none - say that the table has no stream; Return: -ERR_VALIDATION */
int stream_walk_none(struct call *c, struct slice table) __attribute__((warn_unused_result));

#endif
