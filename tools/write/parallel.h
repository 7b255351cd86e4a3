/*
 * parallel - many requests to a server, several at a time
 *
 * The number of concurrent requests adapts: it grows while the server keeps up, and halves when the server throttles or
 * fails.  A request that may succeed later is sent again after a pause.  The pause is a random part of a time that
 * doubles until a part of the request is done.  The run fails if nothing has been done for ITEMFS_PATIENCE seconds
 * (default: 600).
 */
#ifndef TOOLS_WRITE_PARALLEL_H
#define TOOLS_WRITE_PARALLEL_H

#include "tools/system/progress.h"

enum {
	PARALLEL_MOST = 64, /* limit of concurrent requests */
	PARALLEL_FIRST = 8, /* concurrent requests at the beginning */
};

struct parallel {
	bool foreign; /* a remote server; otherwise send one request after the other in the calling thread */
	bool once;     /* do not repeat a request whose outcome is unknown */
	unsigned most; /* limit of concurrent requests, at most PARALLEL_MOST; 0: PARALLEL_MOST */
	struct progress *progress; /* shows waits; may be NULL */
	/* Kept between runs: */
	unsigned width;   /* current limit of concurrent requests; 0: PARALLEL_FIRST */
	bool throttled;   /* the server has throttled: the width grows slowly from then on */
	unsigned answers; /* successful requests since the width changed */
};

/**
 * parallel_fn - send request @i; Thread: any
 *
 * Return:  0: it is done; PARALLEL_PART: a part is done, send the rest
 * Errors:  those of the request, in @c; after a temporary one the request is repeated
 */
typedef int parallel_fn(void *arg, size_t i, struct call *c);
enum { PARALLEL_PART = 1 };

/**
 * parallel_run - send the requests from 0 to @n - 1, in this order
 * @done: [n]: the request is done; also filled on failure
 *
 * Errors:  that of the first request that failed; all requests before it are done;  -ERR_BUSY  interrupted
 */
int parallel_run(struct parallel *p, struct call *c, size_t n, parallel_fn *fn, void *arg,
		 bool *done) must_check;

#endif
