/*
 * again - repeats a request that failed temporarily
 *
 * Throttling, a conflict with a transaction and an overloaded server are temporary. No errno says so: programs take
 * EAGAIN of a file for its end, and give up after any other error. So the request gets no reply, and the loop passes it
 * to libfuse again after a pause, during which it holds no lock and occupies none of the session's 16 threads.
 *
 *   loop:     again_begin(&a, l, buffer);
 *             do {
 *                     fuse_session_process_buf(...);
 *             } while (again_wait(&a));
 *   request:  if (again_ask(m, req, r)) { again_drop(req); return; }  instead of a reply
 *
 * All side effects of a request other than the failed operation must be repeatable, or depend on again_is_done(). An
 * interrupt that arrives during a pause ends the request after the pause. All functions but again_begin() refer to the
 * request of the calling thread. In other threads nothing is repeated.
 */
#ifndef FS_CORE_AGAIN_H
#define FS_CORE_AGAIN_H

#include "fs/core/backoff.h"
#include "fs/core/fuse.h"

struct fuse_buf;
struct loop;
struct mount;

/* One request of the kernel. */
struct again {
	struct loop *loop;
	const struct fuse_buf *request;
	uint32_t valid;  /* the valid bits of a SETATTR: libfuse changes them */
	struct mount *m; /* the mount, once the request has waited; NULL: it has not */
	struct backoff backoff;
	bool counted; /* loop_search() succeeded; true from the first pause to the reply */
	bool asked;   /* another try follows this one */
	bool dropped; /* this try sent no reply */
	bool over;    /* this try is the last one */
	bool done;    /* see again_done() */
};

/**
 * again_begin - set up the first try of the request @b; a loop with a single thread repeats nothing, since others
 * would wait
 */
void again_begin(struct again *a, struct loop *l, const struct fuse_buf *b);

/** again_wait - call after a try; if it sent no reply, pause and return true: try again. false: it sent one */
bool again_wait(struct again *a);

/** again_may - Return: whether the request will be repeated if it fails temporarily; false in the last try */
bool again_may(void);

/** again_done - note that a step of the request is done, which later tries must skip */
void again_done(void);

/** again_is_done - Return: whether an earlier try called again_done() */
bool again_is_done(void);

/**
 * again_ask - decide whether the request that failed with @r will be repeated; the first decision of a try is final
 *
 * Return: false: send a reply, since @r is not temporary, the time is over, the request was interrupted, or the mount
 * ends
 */
bool again_ask(struct mount *m, fuse_req_t req, int r);

/** again_drop - send no reply, after again_ask() returned true */
void again_drop(fuse_req_t req);

#endif
