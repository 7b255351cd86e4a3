/*
 * stream_walk - reads the records of a stream with any number of shards, parents before their children, from any engine
 *
 *   while ((r = stream_walk_next(w, c, &page)) == 0) {
 *           ... at most one request was made; there may be no records ...
 *   }
 *   STREAM_WALK_TIP: no more records for now; STREAM_WALK_END: no more at all
 *
 * Shards of DynamoDB end and get children every few hours. The last page of a shard has no NextShardIterator. An open
 * shard does not say where its newest record is: a page may be empty although records follow. A walk with goes_on takes
 * each empty page for the end for now, because it asks again. Another walk asks until STREAM_WALK_EMPTY_MAX pages in a
 * row were empty.
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
	STREAM_WALK_OLDEST, /* all records that are kept */
	STREAM_WALK_NEWEST, /* records that are written from now on */
	STREAM_WALK_AFTER,  /* records of all shards with a greater sequence number than after */
};

struct stream_walk_in {
	struct slice stream; /* ARN; copied, as is after */
	enum stream_walk_from from;
	struct slice after; /* digits */
	bool goes_on; /* the caller goes on after the tip: shards are read in turn, not one after the other */
	uint32_t limit; /* most records in a page; 0: as many as the engine gives */
};

/* The records of one request, in the call's arena. */
struct stream_walk_page {
	const struct stream_record *records;
	size_t n;
};

struct stream_walk;

/**
 * stream_walk_open - begin; pair with stream_walk_close()
 * @e: borrowed until then
 *
 * With STREAM_WALK_NEWEST, the function finds the present end of all shards before it returns. Otherwise it makes no
 * request.
 * Errors: as engine_execute()
 */
int stream_walk_open(struct engine *e, struct call *c, const struct stream_walk_in *in,
		     struct stream_walk **out) must_check;
void stream_walk_close(struct stream_walk *w); /* @w may be NULL */

/**
 * stream_walk_next - make one step, with at most one request
 *
 * Return: 0; STREAM_WALK_TIP if there are no more records for now, and the next call looks again; STREAM_WALK_END
 * Errors: as engine_execute(); the next call tries again
 */
int stream_walk_next(struct stream_walk *w, struct call *c, struct stream_walk_page *page)
	must_check;

/** stream_walk_lost - return true if records expired before they were read, since the last call of this function */
bool stream_walk_lost(struct stream_walk *w);

/** stream_walk_none - fail the call because the table has no stream; Return: -ERR_VALIDATION */
int stream_walk_none(struct call *c, struct slice table) must_check;

#endif
