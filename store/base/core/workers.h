/*
 * workers - pool of threads with one queue
 *
 * workers_add() starts a thread if no idle one is left, up to a limit.  The pool keeps a few idle threads.
 */
#ifndef STORE_BASE_CORE_WORKERS_H
#define STORE_BASE_CORE_WORKERS_H

struct workers;

/* A piece of work; the memory belongs to the caller of workers_add() until run() begins. */
struct work {
	struct work *next; /* the queue's */
	void (*run)(struct work *w);
};

/** workers_new - create a pool of at most @most threads; workers_free() frees it */
struct workers *workers_new(unsigned most);

/** workers_free - run all queued work, join all threads and free the pool; no workers_add() may follow */
void workers_free(struct workers *ws);

/**
 * workers_add - run w->run(w) in a thread of the pool
 * @w: valid until its run() frees it
 *
 * Runs it in the calling thread if the pool has no thread and cannot start one.
 */
void workers_add(struct workers *ws, struct work *w);

#endif
