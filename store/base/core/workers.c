/* workers - see workers.h */
#include "store/base/core/workers.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"

enum { KEPT = 16 }; /* idle threads that do not end */

struct workers {
	/* Posted once for each piece in the queue, and at the end once for each thread.  Not a condition
	 * variable: glibc before 2.41 may lose a signal when several threads wait (bug 25847). */
	sem_t pieces;
	pthread_mutex_t lock; /* guards the following members */
	pthread_cond_t fewer; /* a thread has ended */
	struct work *head;
	struct work **tail;
	unsigned queued;
	unsigned idle;
	unsigned threads;
	struct thread_last last; /* workers_free() joins it */
	unsigned most;
};

struct workers *
workers_new(unsigned most)
{
	struct workers *ws = mem_new(struct workers);

	ws->tail = &ws->head;
	ws->most = most;
	(void)pthread_mutex_init(&ws->lock, NULL);
	(void)sem_init(&ws->pieces, 0, 0);
	(void)pthread_cond_init(&ws->fewer, NULL);
	return ws;
}

/* Waits without the lock for a piece of work or the end. Returns false if this thread is superfluous. */
static bool
await_work(struct workers *ws)
{
	assert(lock_held(&ws->lock));
	if (sem_trywait(&ws->pieces) == 0) {
		return true;
	}
	if (ws->idle >= KEPT) {
		return false;
	}
	ws->idle++;
	(void)pthread_mutex_unlock(&ws->lock);
	while (sem_wait(&ws->pieces) != 0 && errno == EINTR) {
	}
	(void)pthread_mutex_lock(&ws->lock);
	ws->idle--;
	return true;
}

/* Returns the next piece of work; NULL if this thread has to end. */
static struct work *
next_work(struct workers *ws)
{
	assert(lock_held(&ws->lock));
	struct work *w = await_work(ws) ? ws->head : NULL;

	if (w != NULL) {
		ws->head = w->next;
		ws->tail = ws->head == NULL ? &ws->head : ws->tail;
		ws->queued--;
	}
	return w;
}

static void *
take_work(void *arg)
{
	struct workers *ws = arg;

	(void)pthread_mutex_lock(&ws->lock);
	for (struct work *w = next_work(ws); w != NULL; w = next_work(ws)) {
		(void)pthread_mutex_unlock(&ws->lock);
		w->run(w);
		(void)pthread_mutex_lock(&ws->lock);
	}
	ws->threads--;
	struct thread_last before = thread_succeed(&ws->last);

	(void)pthread_cond_signal(&ws->fewer);
	(void)pthread_mutex_unlock(&ws->lock);
	thread_join_last(before);
	return NULL;
}

static void
workers_spawn(struct workers *ws)
{
	pthread_t thread;

	assert(lock_held(&ws->lock));
	if (thread_start(&thread, take_work, ws) == 0) {
		ws->threads++;
	}
}

void
workers_add(struct workers *ws, struct work *w)
{
	{
		lock_scope(&ws->lock);
		if (ws->queued >= ws->idle && ws->threads < ws->most) {
			workers_spawn(ws);
		}
		if (ws->threads > 0) {
			w->next = NULL;
			*ws->tail = w;
			ws->tail = &w->next;
			ws->queued++;
			(void)sem_post(&ws->pieces);
			return;
		}
	}
	w->run(w);
}

void
workers_free(struct workers *ws)
{
	(void)pthread_mutex_lock(&ws->lock);
	for (unsigned i = 0; i < ws->threads; i++) {
		(void)sem_post(&ws->pieces);
	}
	while (ws->threads > 0) {
		(void)pthread_cond_wait(&ws->fewer, &ws->lock);
	}
	assert(ws->head == NULL && ws->queued == 0);
	(void)pthread_mutex_unlock(&ws->lock);
	thread_join_last(ws->last);
	(void)pthread_cond_destroy(&ws->fewer);
	(void)sem_destroy(&ws->pieces);
	(void)pthread_mutex_destroy(&ws->lock);
	free(ws);
}
