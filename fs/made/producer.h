/*
 * producer - the text of a row stream, made a little ahead of its reader
 *
 *   first 256 KiB before the reader's position, for going back   up to 512 KiB ahead
 *   [ piece ][ piece ][ piece | pos             ][ piece ][ piece ]  <- made by a worker
 *
 * A READ whose bytes are there is answered at once; a READ that must wait is parked and holds no thread. The workers
 * serve all producers in turn, one piece each. Nothing is made without a reader: when no READ waits, a worker continues
 * only until the text ahead has its length, and only for a few turns if a filter lets nothing pass.
 *
 * The snapshot is released with the last piece. It is also released when no READ has come for PRODUCER_PATIENCE_S and
 * the store changes, because the data that it keeps alive would pile up. Further READs then fail with ESTALE.
 *
 * This file does not know requests of FUSE: the waiter supplies the functions that answer.
 */
#ifndef FS_MADE_PRODUCER_H
#define FS_MADE_PRODUCER_H

#include <sys/uio.h>

#include "store/base/core/workers.h"
#include "store/engine/row_stream.h"

#include "fs/core/mount_int.h"

enum {
	PRODUCER_BACK = 256 * 1024, /* how far a reader may go back, in bytes */
	PRODUCER_PATIENCE_S = 600,
	PRODUCER_PARTS_MAX = 16, /* pieces per answer */
};

struct producer;

/* The answer to a READ: an errno, or bytes in parts; no parts: the end. */
struct producer_answer {
	int errnum;
	struct iovec parts[PRODUCER_PARTS_MAX];
	int n;
};

/* A READ that waits; memory of the caller. */
struct producer_waiter {
	struct producer_waiter *next;
	uint64_t offset;
	size_t size;
	bool left; /* producer_leave() came before producer_park() */
	/* Called when it is off the list and will be answered; no lock of the producer is held. */
	void (*take)(struct producer_waiter *w);
	/*
	 * Answer it, with bytes that are valid until this function returns, and free it. The producer's lock is held.
	 */
	void (*answer)(struct producer_waiter *w, const struct producer_answer *a);
};

/**
 * producer_new - begin to read
 * @node: the file, for messages and for its place
 * @uid:  the reading user, for messages and the account
 * @out:  may have its first piece already; pair with producer_drop()
 *
 * Return: 0, a place_outcome, or the engine's error
 */
int producer_new(struct mount *m, struct call *c, struct node *node, uint32_t uid,
		 struct producer **out) must_check;

/**
 * producer_read - answer a READ if possible
 *
 * Return: true: @a is the answer, and the producer is locked until producer_done(); false: the READ must wait
 */
bool producer_read(struct producer *o, uint64_t offset, size_t size, struct producer_answer *a)
	must_check;
void producer_done(struct producer *o);

/**
 * producer_park - let a worker answer the READ later
 * @w: belongs to the producer until then
 *
 * Return: false: producer_leave() came first, and the READ will not be answered
 */
bool producer_park(struct producer *o, struct producer_waiter *w) must_check;

/** producer_leave - remove the waiter; false: it is not waiting: it is being answered, or not parked yet */
bool producer_leave(struct producer *o, struct producer_waiter *w) must_check;

/** producer_is_untold - Return: whether no READ has got anything of it, and it can still be read */
bool producer_is_untold(struct producer *o);

/** producer_tidy - release the snapshot if no READ has come since @since_ns of the steady clock */
void producer_tidy(struct producer *o, uint64_t since_ns);

/** producer_drop - end it: waiting READs are answered with EINTR; NULL is harmless */
void producer_drop(struct producer *o);

/** producers_wait - wait until all dropped producers are freed */
void producers_wait(struct mount *m);

#endif
