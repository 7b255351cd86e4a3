/*
 * outflow - a flow's text, made a little ahead of who reads it
 *
 *   first 256 KiB behind the reader, for going back        up to 512 KiB ahead
 *   [ piece ][ piece ][ piece | pos             ][ piece ][ piece ]  <- made by a worker
 *
 * A READ that finds its bytes is answered at once; one that must wait is parked and holds no thread.
 * Workers take turns among all outflows, a piece each.  Nothing is made for nobody: without a waiting
 * READ a worker goes on only as far as the text ahead is short of its length, and not for long when
 * a filter lets nothing pass.
 *
 * The snapshot goes with the last piece; also when nobody has read for OUTFLOW_PATIENCE_S and the
 * store changes, since what it keeps alive would pile up: READ then fails with ESTALE.
 *
 * Knows no FUSE: who waits says how it is answered.
 */
#ifndef FS_MADE_OUTFLOW_H
#define FS_MADE_OUTFLOW_H

#include <sys/uio.h>

#include "store/base/core/workers.h"
#include "store/engine/flow.h"

#include "fs/core/mount_int.h"

enum {
	OUTFLOW_BACK = 256 * 1024, /* so far a reader may go back */
	OUTFLOW_PATIENCE_S = 600,
	OUTFLOW_PARTS_MAX = 16, /* pieces that one answer is made of */
};

struct outflow;

/* What a READ is given: an errno, or bytes in parts; no parts: the end. */
struct outflow_answer {
	int errnum;
	struct iovec parts[OUTFLOW_PARTS_MAX];
	int n;
};

/* A READ that waits, in the memory of the one who reads. */
struct outflow_waiter {
	struct outflow_waiter *next;
	uint64_t offset;
	size_t size;
	bool left; /* before it waited */
	/* It is off the list and will be answered: no lock is held. */
	void (*take)(struct outflow_waiter *w);
	/* Its answer, whose bytes are valid until it returns; frees it.  The outflow's lock is held. */
	void (*answer)(struct outflow_waiter *w, const struct outflow_answer *a);
};

/**
 * outflow_new - begin to read
 * @node: the file, for messages
 * @uid:  who reads, likewise
 * @out:  may have its first piece already; pair with outflow_drop()
 *
 * Return: 0, a place_outcome, or the engine's error
 */
int outflow_new(struct mount *m, struct call *c, struct node *node, uint32_t uid,
		struct outflow **out) __attribute__((warn_unused_result));

/**
 * outflow_read - answer a READ
 *
 * Return: true: @a is the answer, and the outflow is locked until outflow_done().  false: it must wait
 */
bool outflow_read(struct outflow *o, uint64_t offset, size_t size, struct outflow_answer *a)
	__attribute__((warn_unused_result));
void outflow_done(struct outflow *o);

/**
 * outflow_park - a worker answers it when it can
 * @w: belongs to the outflow until then
 *
 * Return: false: outflow_leave() came first, it will not be answered
 */
bool outflow_park(struct outflow *o, struct outflow_waiter *w) __attribute__((warn_unused_result));

/** outflow_leave - @w waits no more; false: it does not wait: it will be answered, or is about to wait */
bool outflow_leave(struct outflow *o, struct outflow_waiter *w) __attribute__((warn_unused_result));

/** outflow_is_untold - no READ has got anything of it, and it can still be read */
bool outflow_is_untold(struct outflow *o);

/** outflow_tidy - let the snapshot go, if nobody has read since @since_ns of the steady clock */
void outflow_tidy(struct outflow *o, uint64_t since_ns);

/** outflow_drop - nobody reads it any more: who waits is answered EINTR; NULL is harmless */
void outflow_drop(struct outflow *o);

/** outflows_wait - until all that were dropped are gone */
void outflows_wait(struct mount *m);

#endif
