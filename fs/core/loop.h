/*
 * loop - threads that serve one FUSE session
 *
 * One thread, the reader, takes a request from the kernel and answers it, then
 * the next: one client is served without a switch between threads.  A second
 * thread watches.  When the reader has been at one request for longer than
 * LOOP_PATIENCE_MS, or says before one that it will be long (fsync), the
 * watcher becomes the reader, and a new thread watches.
 *
 * A request that searches, and may do so until it is interrupted, says so: its thread is not counted
 * among those that there may be, since otherwise a few of them leave nobody to read their interrupts.
 */
#ifndef FS_CORE_LOOP_H
#define FS_CORE_LOOP_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/thread.h"

enum {
	LOOP_PATIENCE_MS = 10,
	LOOP_THREADS_MAX = 16, /* and one more for each search */
	LOOP_SEARCHES_MAX = 240,
};

struct fuse_session;

/*
 * turn counts steps of the role of the reader: even while the reader waits for
 * the kernel, odd while it answers.  Whoever moves it from odd to even by
 * compare-and-swap is the reader from then on: the reader itself when it is
 * done, or the watcher in its place.
 */
struct loop {
	struct fuse_session *se;
	bool single; /* one thread only, whatever it takes */
	bool sync;   /* FLUSH waits for the disk too */
	int ended;   /* eventfd, or -1: gets 1 when the last thread has gone */
	int stop;    /* eventfd: the reader is to stop waiting */
	_Atomic uint64_t turn;
	atomic_bool asleep;      /* the watcher waits to be told that there is work */
	pthread_mutex_t lock;    /* for what follows */
	pthread_cond_t watch;    /* the watcher waits here */
	pthread_cond_t spare;    /* other idle threads wait here */
	pthread_cond_t gone;     /* a thread has ended */
	bool reading;            /* there is a reader */
	bool watched;            /* there is a watcher */
	bool stopping;           /* no more requests are read */
	unsigned threads;        /* alive */
	struct thread_last last; /* loop_stop() joins it */
	unsigned idle;           /* of them: neither reader nor answering */
	unsigned searches;       /* of them: in a search */
};

/**
 * loop_start - begin to serve
 * @l:  storage of the caller; the members se, single, sync and ended are set, the rest is 0
 *
 * Return: 0, or an errno when there is no thread to be had.
 */
int loop_start(struct loop *l) __attribute__((warn_unused_result));

/** loop_search - the calling thread begins to search; false: so many do that it must not */
bool loop_search(struct loop *l) __attribute__((warn_unused_result));

/** loop_found - it has ended, found or not */
void loop_found(struct loop *l);

/** loop_ring - wake who waits for the eventfd */
void loop_ring(int event);

/** loop_is_over - has the last thread gone, because the kernel has unmounted? */
bool loop_is_over(struct loop *l);

/** loop_stop - answer what has been taken, then end all threads; also after the loop is over */
void loop_stop(struct loop *l);

#endif
