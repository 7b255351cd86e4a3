/*
 * shards - the records of a table's stream as lines, shard by shard: parents before their children
 *
 *   while ((r = shards_read(s, c, &text)) == 0) {
 *           ... one request was made: perhaps there are lines, perhaps not ...
 *   }
 *   SHARDS_TIP: that is all for now; SHARDS_END: for ever
 *
 * A stream of DynamoDB has many shards, which end and have children every few hours; an empty page is none's end,
 * nor does it say that the next one is empty too.
 */
#ifndef FS_SHARDS_H
#define FS_SHARDS_H

#include "store/base/buf.h"

#include "fs/place.h"

enum {
	SHARDS_TIP = 1,
	SHARDS_END,
	SHARDS_EMPTY_MAX =
		10, /* of an open shard: so many empty pages in a row are its end for now */
};

enum shards_from {
	SHARDS_OLDEST, /* everything that is kept, one shard after the other */
	SHARDS_NEWEST, /* what comes from now on, in turn of all shards that are open */
};

struct shards;

/**
 * shards_open - the table @p's newest stream; pair with shards_close()
 *
 * From SHARDS_NEWEST on, "now" is the return of this function.
 * Return: 0, PLACE_NO_QUERY with the reason when the table has none, or the engine's error
 */
int shards_open(struct mount *m, struct call *c, const struct place *p, enum shards_from from,
		struct shards **out) __attribute__((warn_unused_result));
void shards_close(struct shards *s); /* NULL is harmless */

/**
 * shards_read - one step: at most one request, whose memory is @c's; its records are appended to @text
 *
 * Return: 0; SHARDS_TIP: the next call looks for newer ones; SHARDS_END
 * Errors: the engine's; the next call tries again
 */
int shards_read(struct shards *s, struct call *c, struct buf *text)
	__attribute__((warn_unused_result));

/** shards_none - say that the table has no stream; Return: PLACE_NO_QUERY */
int shards_none(struct call *c, struct slice table) __attribute__((warn_unused_result));

/** shards_lost - have records gone before they were read, since it was asked last? */
bool shards_lost(struct shards *s);

#endif
