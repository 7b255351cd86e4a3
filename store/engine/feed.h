/*
 * feed - hands committed changes, in commit order, to its readers
 *
 * There is one writer (the commit leader) and any number of readers, each with its own position. Nothing is published
 * while there is no reader. A reader that is too slow loses changes and gets FEED_LOST once: nothing that it knows of
 * the store can be relied on.
 */
#ifndef STORE_ENGINE_FEED_H
#define STORE_ENGINE_FEED_H

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
	bool service;    /* deleted by the store: the time to live was over */
	struct item old;
	struct item updated;
};

enum feed_outcome { FEED_TIMEOUT = 1, FEED_LOST, FEED_CLOSED };

struct feed *feed_new(void);
void feed_free(struct feed *f);

/** feed_listening - return true if there is a reader; if not, the writer need not gather images */
bool feed_listening(struct feed *f);

/**
 * feed_publish - append one change for the readers
 * @ch: borrowed; copied
 *
 * Thread:  the commit leader only, after the batch is committed
 */
void feed_publish(struct feed *f, const struct change *ch);

/**
 * feed_lose - report to every reader, as FEED_LOST, that something was committed but not published
 *
 * Thread:  as feed_publish()
 */
void feed_lose(struct feed *f);

/** feed_open - add a reader of all changes from now on; pair with feed_close() */
struct feed_reader *feed_open(struct feed *f);
void feed_close(struct feed_reader *r); /* @r may be NULL */

/**
 * feed_next - wait for the next change
 * @timeout_ms: < 0 waits until there is one
 * @out:        set if 0 is returned; held until the memory of the call is freed; its images are shared: do not change
 *              them. For FEED_LOST only its seq is set, to that of the last change that may be lost
 *
 * A call also says that the reader has processed the change before: see feed_wait().
 *
 * Return: 0; FEED_TIMEOUT; FEED_LOST (the reader continues with the next change to come); FEED_CLOSED after feed_wake()
 */
int feed_next(struct feed_reader *r, struct call *c, int timeout_ms, struct change *out);

/** feed_wake - make the present and all later feed_next() of the reader return FEED_CLOSED */
void feed_wake(struct feed_reader *r);

/**
 * feed_wait - wait until every reader has processed change @seq
 * @except:     the readers of this origin are not waited for (see feed_set_origin()), or NULL
 * @timeout_ms: < 0 waits without a limit
 *
 * Return: false if @timeout_ms passed first
 */
bool feed_wait(struct feed *f, uint64_t seq, const void *except, int timeout_ms);

/** feed_is_processed - return true if the reader has processed all that was published */
bool feed_is_processed(const struct feed_reader *r);

/** feed_overdue - return how often feed_wait() has timed out */
uint64_t feed_overdue(const struct feed *f);

/** feed_set_origin - set the front end that the reader belongs to, as in call.origin */
void feed_set_origin(struct feed_reader *r, const void *origin);

enum { FEED_OWN_EACH = 64 };

/**
 * feed_skip_own - set whether the reader may miss changes of items by its own front end
 *
 * A change that every reader may miss is not published, so it costs its writer no copy and wakes no thread. Each
 * FEED_OWN_EACH-th change is published all the same, so that the reader can do work that depends on the number of changes.
 * Changes of tables are never missed. After a call with @skip false, the reader misses no later change.
 */
void feed_skip_own(struct feed_reader *r, bool skip);

/** feed_newest - return the sequence number of the newest committed change, published or not */
uint64_t feed_newest(const struct feed *f);

/** feed_committed - record that @seq is committed; the writer calls it even if there is no reader */
void feed_committed(struct feed *f, uint64_t seq);

#endif
