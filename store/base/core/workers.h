/*
 * workers - threads for what somebody else must not wait for
 *
 * A thread is made when there is work and none is idle, up to a limit; a few
 * idle ones are kept.
 */
#ifndef STORE_BASE_CORE_WORKERS_H
#define STORE_BASE_CORE_WORKERS_H

struct workers;

/* A piece of work, in the memory of the one who adds it. */
struct work {
	struct work *next; /* the queue's */
	void (*run)(struct work *w);
};

struct workers *workers_new(unsigned most);

/** workers_free - carry out what was added, end the threads; no workers_add() any more */
void workers_free(struct workers *ws);

/** workers_add - w->run(w) in a thread of theirs; without any thread, here */
void workers_add(struct workers *ws, struct work *w);

#endif
