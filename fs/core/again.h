/*
 * again - a request that failed for now is carried out once more
 *
 * A throttled table, a conflict with a transaction and a busy server pass by themselves.  No errno says so:
 * programs take EAGAIN of a file for its end, and give up at any other.  So the request is not answered, and the
 * loop hands it to libfuse again after a pause, in which it holds no lock and takes no thread from others.
 *
 *   loop:     again_begin(&a, l);
 *             do {
 *                     fuse_session_process_buf(...);
 *             } while (again_wait(&a));
 *   request:  if (again_ask(m, req, r)) { again_drop(req); return; }  in place of an answer
 *
 * What a request does beside the operation that failed must bear to be done twice, or ask again_is_done().
 * Interrupts: one that comes during a pause ends the request when that is over.
 * Everything but again_begin() is for the thread that carries out the request; another thread has none, and is
 * told that nothing is carried out again.
 */
#ifndef FS_CORE_AGAIN_H
#define FS_CORE_AGAIN_H

#include <stdbool.h>

#include "fs/core/backoff.h"
#include "fs/core/fuse.h"

struct fuse_buf;
struct loop;
struct mount;

/* One request of the kernel's. */
struct again {
	struct loop *loop;
	const struct fuse_buf *request;
	uint32_t valid;  /* of a SETATTR: libfuse changes it */
	struct mount *m; /* whose request waits; NULL: it has not waited yet */
	struct backoff backoff;
	bool counted; /* as a search of the loop's, from the first pause to the answer */
	bool asked;   /* this try is not the last one */
	bool dropped; /* nor was it answered */
	bool over;    /* this one is the last */
	bool done;    /* see again_done() */
};

/** again_begin - before the first try of the request in @b.  A loop of one thread waits for nobody: the others would wait with it */
void again_begin(struct again *a, struct loop *l, const struct fuse_buf *b);

/** again_wait - after a try: pause if it was not answered; false: it was */
bool again_wait(struct again *a);

/** again_may - will the request be carried out again if it fails for now?  Until the time is over */
bool again_may(void);

/** again_done - a step of the request has been carried out that the next tries must leave out */
void again_done(void);

/** again_is_done - has it, in a try before this one? */
bool again_is_done(void);

/**
 * again_ask - will the request that failed with @r be carried out once more?  The answer stays
 *
 * Return: false: answer it; @r does not pass, the time is over, it was interrupted, or the mount ends
 */
bool again_ask(struct mount *m, fuse_req_t req, int r);

/** again_drop - leave the request without an answer, after again_ask() */
void again_drop(fuse_req_t req);

#endif
