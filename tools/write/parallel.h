/*
 * parallel - many requests to a server, several at a time
 *
 * The number of requests at a time adapts: it grows while the server keeps up and halves when the server
 * throttles or fails.  A request that may succeed later is sent again after a pause, a random part of a time
 * that doubles until a part of the request is done.  The work ends when nothing has been done for
 * ITEMFS_PATIENCE seconds (default: 600).
 */
#ifndef TOOLS_WRITE_PARALLEL_H
#define TOOLS_WRITE_PARALLEL_H

#include "store/base/core/call.h"

#include "tools/system/progress.h"

enum {
	PARALLEL_MOST = 64, /* requests at a time */
	PARALLEL_FIRST = 8, /* likewise, before anything is known of the server */
};

struct parallel {
	bool foreign; /* another's server; else one request after the other in the caller's thread, each once */
	bool once;                 /* a request whose outcome is not known is not sent again */
	unsigned most;             /* requests at a time; 0: PARALLEL_MOST */
	struct progress *progress; /* told while the caller waits; may be NULL */
	/* Kept between runs. */
	unsigned width;   /* requests at a time at present; 0: PARALLEL_FIRST */
	bool throttled;   /* has been: the width grows slowly from then on */
	unsigned answers; /* since the width has changed */
};

/**
 * parallel_fn - send the @i-th request; in any thread
 *
 * Return:  0: it is done; PARALLEL_PART: a part is done, send the rest.
 * Errors:  those of the request, in @c; one that passes leads to another try
 */
typedef int parallel_fn(void *arg, size_t i, struct call *c);
enum { PARALLEL_PART = 1 };

/**
 * parallel_run - all requests from 0 to @n - 1, begun in this order
 * @done: [n]: the request is done; also filled on failure
 *
 * Errors:  that of the first request that failed, when all before it are done; -ERR_BUSY "interrupted"
 */
int parallel_run(struct parallel *p, struct call *c, size_t n, parallel_fn *fn, void *arg,
		 bool *done) __attribute__((warn_unused_result));

#endif
