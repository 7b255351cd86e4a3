/*
 * outflow - the text of a flow, made a little ahead of its reader
 *
 *   first 256 KiB before the reader's position, for going back   up to 512 KiB ahead
 *   [ piece ][ piece ][ piece | pos             ][ piece ][ piece ]  <- made by a worker
 *
 * A READ whose bytes are there is answered at once; a READ that must wait is parked and holds no thread. The workers
 * serve all outflows in turn, one piece each. Nothing is made without a reader: when no READ waits, a worker continues
 * only until the text ahead has its length, and only for a few turns if a filter lets nothing pass.
 *
 * The snapshot is released with the last piece. It is also released when no READ has come for OUTFLOW_PATIENCE_S and
 * the store changes, because the data that it keeps alive would pile up. Further READs then fail with ESTALE.
 *
 * This file does not know FUSE: the waiter supplies the functions that answer.
 */
#ifndef FS_MADE_OUTFLOW_H
#define FS_MADE_OUTFLOW_H

#include <sys/uio.h>

#include "store/base/core/workers.h"
#include "store/engine/flow.h"

#include "fs/core/mount_int.h"

enum {
	OUTFLOW_BACK = 256 * 1024, /* how far a reader may go back, in bytes */
	OUTFLOW_PATIENCE_S = 600,
	OUTFLOW_PARTS_MAX = 16, /* pieces per answer */
};

struct outflow;

/* The answer to a READ: an errno, or bytes in parts; no parts: the end. */
struct outflow_answer {
	int errnum;
	struct iovec parts[OUTFLOW_PARTS_MAX];
	int n;
};

/* A READ that waits; memory of the caller. */
struct outflow_waiter {
	struct outflow_waiter *next;
	uint64_t offset;
	size_t size;
	bool left; /* outflow_leave() came before outflow_park() */
	/* Called when it is off the list and will be answered; no lock of the outflow is held. */
	void (*take)(struct outflow_waiter *w);
	/* Answer it, with bytes that are valid until this function returns, and free it. The outflow's lock is held. */
	void (*answer)(struct outflow_waiter *w, const struct outflow_answer *a);
};

/**
 * outflow_new - begin to read
 * @node: the file, for messages and for its place
 * @uid:  the reading user, for messages and the account
 * @out:  may have its first piece already; pair with outflow_drop()
 *
 * Return: 0, a place_outcome, or the engine's error
 */
int outflow_new(struct mount *m, struct call *c, struct node *node, uint32_t uid,
		struct outflow **out) __attribute__((warn_unused_result));

/**
 * outflow_read - answer a READ if possible
 *
 * Return: true: @a is the answer, and the outflow is locked until outflow_done(); false: the READ must wait
 */
bool outflow_read(struct outflow *o, uint64_t offset, size_t size, struct outflow_answer *a)
	__attribute__((warn_unused_result));
void outflow_done(struct outflow *o);

/**
 * outflow_park - let a worker answer the READ later
 * @w: belongs to the outflow until then
 *
 * Return: false: outflow_leave() came first, and the READ will not be answered
 */
bool outflow_park(struct outflow *o, struct outflow_waiter *w) __attribute__((warn_unused_result));

/** outflow_leave - remove the waiter; false: it is not waiting: it is being answered, or not parked yet */
bool outflow_leave(struct outflow *o, struct outflow_waiter *w) __attribute__((warn_unused_result));

/** outflow_is_untold - Return: whether no READ has got anything of it, and it can still be read */
bool outflow_is_untold(struct outflow *o);

/** outflow_tidy - release the snapshot if no READ has come since @since_ns of the steady clock */
void outflow_tidy(struct outflow *o, uint64_t since_ns);

/** outflow_drop - end it: waiting READs are answered with EINTR; NULL is harmless */
void outflow_drop(struct outflow *o);

/** outflows_wait - wait until all dropped outflows are freed */
void outflows_wait(struct mount *m);

#endif
