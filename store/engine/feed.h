/*
 * feed - what was committed, in commit order, to whoever listens
 *
 * One writer (the commit leader), any number of readers, each with a place of
 * its own.  Nothing is published while nobody listens.  A reader that is too
 * slow loses changes and is told once: FEED_LOST means "forget all you know".
 */
#ifndef STORE_ENGINE_FEED_H
#define STORE_ENGINE_FEED_H

#include "store/base/core/call.h"
#include "store/model/item.h"

struct feed;
struct feed_reader;

struct change {
	uint64_t seq;
	const void *origin; /* call.origin of the writer */
	struct slice table; /* name */
	bool dropped;       /* the whole table is gone or new; no images */
	bool altered;       /* its definition has changed; no images */
	bool has_old;
	bool has_new;
	bool times_only; /* only the stored time of last write changed */
	bool partition;  /* the first item of its partition came, or the last one went */
	bool service;    /* by the store itself: the item's time had come */
	struct item old;
	struct item new;
};

enum feed_outcome { FEED_TIMEOUT = 1, FEED_LOST, FEED_CLOSED };

struct feed *feed_new(void);
void feed_free(struct feed *f);

/** feed_listening - is there any reader? the writer asks before it gathers images */
bool feed_listening(struct feed *f);

/**
 * feed_publish - hand out one change
 * @ch: borrowed; copied
 *
 * Thread:  the commit leader only, after the batch is committed
 */
void feed_publish(struct feed *f, const struct change *ch);

/**
 * feed_lose - something was committed that is not published: every reader gets FEED_LOST
 *
 * Thread:  as feed_publish()
 */
void feed_lose(struct feed *f);

/** feed_open - listen from now on; pair with feed_close() */
struct feed_reader *feed_open(struct feed *f);
void feed_close(struct feed_reader *r);

/**
 * feed_next - wait for the next change
 * @timeout_ms: < 0 waits until there is one
 * @out:        in the call's arena
 *
 * Return: 0, FEED_TIMEOUT, FEED_LOST (the place is now "newest"), FEED_CLOSED (after feed_wake())
 * Calling it again says that the change before has been dealt with: see feed_wait().
 */
int feed_next(struct feed_reader *r, struct call *c, int timeout_ms, struct change *out);

/** feed_wake - make the reader's feed_next() return FEED_CLOSED, now and from then on */
void feed_wake(struct feed_reader *r);

/**
 * feed_wait - wait until every reader but @except has dealt with change @seq
 * @except: origin whose own reader need not be waited for (see feed_set_origin), or NULL
 *
 * Return: false when @timeout_ms passed first.
 */
bool feed_wait(struct feed *f, uint64_t seq, const void *except, int timeout_ms);

/** feed_is_dealt - is the reader through with all that has been published? */
bool feed_is_dealt(const struct feed_reader *r);

/** feed_overdue - how often feed_wait() has given up */
uint64_t feed_overdue(const struct feed *f);

/** feed_set_origin - the reader belongs to this door */
void feed_set_origin(struct feed_reader *r, const void *origin);

/** feed_newest - sequence number of the newest committed change, published or not */
uint64_t feed_newest(const struct feed *f);

/** feed_committed - the writer's: @seq is committed (called whether anybody listens or not) */
void feed_committed(struct feed *f, uint64_t seq);

#endif
