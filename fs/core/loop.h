/*
 * loop - the threads that serve one FUSE session
 *
 * One thread, the reader, receives a request from the kernel, processes it, and receives the next: one client is served
 * without switches between threads. A second thread, the watcher, watches the reader. When a request takes longer than
 * LOOP_PATIENCE_MS, or is expected to wait for the disk (fsync), the watcher becomes the reader, and another thread
 * becomes the watcher.
 *
 * A request that may search until it is interrupted calls loop_search(). Its thread does not count among the
 * LOOP_THREADS_MAX. Otherwise a few such requests would leave no thread to read their interrupts.
 */
#ifndef FS_CORE_LOOP_H
#define FS_CORE_LOOP_H

#include <stdatomic.h>

#include "store/base/core/base.h"
#include "store/base/core/thread.h"

enum {
	LOOP_PATIENCE_MS = 10,
	LOOP_THREADS_MAX = 16, /* not counting one more for each search */
	LOOP_SEARCHES_MAX = 240,
};

struct fuse_session;

/*
 * turn counts changes of the reader's state: it is even while the reader waits for the kernel, odd while the reader
 * processes a request. The thread that changes it from odd to even by compare-and-swap is the next reader: the reader
 * itself after the request, or the watcher in its place.
 */
struct loop {
	struct fuse_session *se;
	bool single;     /* use one thread only (-s) */
	bool sync;       /* FLUSH waits for the disk, as FSYNC does */
	int ended;       /* eventfd or -1: receives 1 when the last thread ends */
	int stop;        /* eventfd: tells the reader to stop waiting */
	unsigned yields; /* at most, before the reader sleeps */
	_Atomic uint64_t turn;
	atomic_bool asleep;      /* the watcher sleeps until the reader has a request */
	pthread_mutex_t lock;    /* guards all members below */
	pthread_cond_t watch;    /* signals the watcher */
	pthread_cond_t spare;    /* signals the other idle threads */
	pthread_cond_t gone;     /* signals that a thread has ended */
	bool reading;            /* there is a reader */
	bool watched;            /* there is a watcher */
	bool stopping;           /* no more requests are read */
	unsigned threads;        /* running threads */
	struct thread_last last; /* loop_stop() joins it */
	unsigned idle;           /* threads that neither read nor process requests */
	unsigned searches;       /* threads in a search */
};

/**
 * loop_init - make a loop that serves nothing yet
 * @l:  storage of the caller; the members single, sync and ended are set, the rest is 0
 *
 * From now on until loop_release(), any thread may call loop_search() and loop_found().
 */
void loop_init(struct loop *l);

/** loop_release - free what loop_init() made; no thread of the loop runs any more */
void loop_release(struct loop *l);

/**
 * loop_start - begin to serve the session l->se
 *
 * Return: 0, or an errno when no thread or descriptor could be created.
 */
int loop_start(struct loop *l) must_check;

/** loop_search - begin a search in the calling thread; false: LOOP_SEARCHES_MAX threads are searching already */
bool loop_search(struct loop *l) must_check;

/** loop_found - end the search of loop_search(), successful or not */
void loop_found(struct loop *l);

/** loop_ring - wake the thread that waits for the eventfd */
void loop_ring(int event);

/** loop_is_over - Return: whether the last thread has ended because the kernel has unmounted */
bool loop_is_over(struct loop *l);

/** loop_stop - finish the requests that have been received, then end all threads; also valid after the loop is over */
void loop_stop(struct loop *l);

#endif
