/*
 * txn_queue - the writers' queue and its leader
 *
 * What the leader does with its group is txn_group.c's.
 *
 * States of a waiter that sleeps: QUEUED -> LEADING (its turn to lead) or DONE
 * (its result is there).  Only LEADING -> DONE is its own doing.  It sleeps on
 * its state with a futex: the one who wakes it may come too late for the
 * waiter's stack without harm, and it takes no lock to wake up.
 *
 * A waiter that was submitted sleeps nowhere: when its turn to lead comes, the
 * queue's own thread, the committer, leads for it.
 */
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/local/commit/txn.h"
#include "store/local/commit/txn_int.h"
#include "store/local/commit/young.h"

enum {
	GROUP_BYTES = 4 << 20,
	GROUP_OPERATIONS = 512,
	QUEUE_BYTES = 64 << 20,
	GATHER_PART = 2, /* of a group's time is how long txn_queue_gather() waits at most, */
	GATHER_NS_MAX = 2000000, /* and no longer than this */
};

enum waiter_state { QUEUED, LEADING, DONE };

struct txn_queue {
	pthread_mutex_t lock; /* guards the fields up to the next blank line */
	pthread_cond_t room;  /* bytes have become less */
	struct txn_wait *head;
	struct txn_wait **tail;
	size_t bytes; /* queued and in the running group */
	bool leading; /* somebody leads */
	int crowded;  /* callers waiting for room */
	pthread_t committer;
	bool committers_turn; /* to lead */
	bool closing;
	pthread_cond_t turn; /* one of the two above has become true */

	atomic_uint queued; /* waiters that are in no group yet */

	/* the leader's */
	struct txn txn;
	unsigned gathered; /* operations of the last group; 0: it was not synced */
	uint64_t group_ns; /* that it took */
	uint64_t ended_ns; /* when: clock_steady_ns() */
};

/* ------------------------------------------------------------ waiting */

static void
wait_while_queued(struct txn_wait *w)
{
	while (atomic_load_explicit(&w->state, memory_order_acquire) == QUEUED) {
		(void)syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, QUEUED, NULL, NULL, 0);
	}
}

/* @w may be gone as soon as its state is stored: only its address is used after that. */
static void
txn_queue_wake(struct txn_wait *w, enum waiter_state state)
{
	atomic_store_explicit(&w->state, state, memory_order_release);
	(void)syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ------------------------------------------------------------ the leader */

/* Cut the next group off the queue's head; the lock is held.  @n: its operations. */
static struct txn_wait *
take_group(struct txn_queue *q, unsigned *n)
{
	struct txn_wait *first = q->head;
	struct txn_wait *last = first;
	size_t bytes = first->op->bytes;
	*n = 1;
	for (; *n < GROUP_OPERATIONS && !last->op->ends_group && !last->op->alone &&
	       last->next != NULL && !last->next->op->alone &&
	       bytes + last->next->op->bytes <= GROUP_BYTES;
	     (*n)++) {
		last = last->next;
		bytes += last->op->bytes;
	}
	atomic_fetch_sub(&q->queued, *n);
	q->head = last->next;
	if (q->head == NULL) {
		q->tail = &q->head;
	}
	last->next = NULL;
	return first;
}

/* The next one leads, in its own thread or the committer's; the lock is held. */
static void
txn_queue_pass_on(struct txn_queue *q)
{
	q->leading = q->head != NULL;
	if (q->leading && q->head->ended != NULL) {
		q->committers_turn = true;
		(void)pthread_cond_signal(&q->turn);
	} else if (q->leading) {
		txn_queue_wake(q->head, LEADING);
	}
}

/* Let the next one lead, then tell everybody but @self. */
static void
finish_group(struct txn_queue *q, struct txn_wait *group, const struct txn_wait *self)
{
	size_t bytes = 0;

	for (const struct txn_wait *w = group; w != NULL; w = w->next) {
		bytes += w->op->bytes;
	}
	(void)pthread_mutex_lock(&q->lock);
	q->bytes -= bytes;
	txn_queue_pass_on(q);
	if (q->crowded > 0) {
		(void)pthread_cond_broadcast(&q->room);
	}
	(void)pthread_mutex_unlock(&q->lock);

	/* Those who sleep first: telling the others takes longer. */
	struct txn_wait *submitted = NULL;
	struct txn_wait **tail = &submitted;

	for (struct txn_wait *w = group, *next; w != NULL; w = next) {
		next = w->next;
		if (w->ended != NULL) {
			*tail = w;
			tail = &w->next;
		} else if (w != self) {
			txn_queue_wake(w, DONE);
		}
	}
	*tail = NULL;
	for (struct txn_wait *w = submitted, *next; w != NULL; w = next) {
		next = w->next;
		w->ended(w, w->result);
	}
}

/*
 * Those who were in the last group have just been answered and are about to
 * come again.  To wait for them costs less than the sync that each of them
 * would need who comes a little too late for this one.
 */
static void
txn_queue_gather(struct txn_queue *q)
{
	uint64_t part = q->group_ns / GATHER_PART;
	uint64_t end = q->ended_ns + (part < GATHER_NS_MAX ? part : GATHER_NS_MAX);

	while (atomic_load(&q->queued) < q->gathered && clock_steady_ns() < end) {
		(void)sched_yield();
	}
}

static void
txn_queue_lead(struct txn_queue *q, const struct txn_wait *self)
{
	unsigned n;

	if (q->gathered > 1) {
		txn_queue_gather(q);
	}
	(void)pthread_mutex_lock(&q->lock);
	struct txn_wait *group = take_group(q, &n);

	(void)pthread_mutex_unlock(&q->lock);
	uint64_t start = clock_steady_ns();
	bool synced = txn_run_group(&q->txn, group);

	q->gathered = synced ? n : 0;
	q->ended_ns = clock_steady_ns();
	q->group_ns = q->ended_ns - start;
	finish_group(q, group, self);
}

/* ------------------------------------------------------------ the writers */

/* The lock is held.  Return: true when nobody leads; now somebody must. */
static bool
enqueue(struct txn_queue *q, struct txn_wait *w)
{
	bool first = !q->leading;

	q->bytes += w->op->bytes;
	*q->tail = w;
	q->tail = &w->next;
	q->leading = true;
	atomic_fetch_add(&q->queued, 1);
	return first;
}

/* Queue up when there is room. */
static bool
enqueue_patiently(struct txn_queue *q, struct txn_wait *w)
{
	lock_scope(&q->lock);
	q->crowded++;
	while (q->bytes > 0 && q->bytes + w->op->bytes > QUEUE_BYTES) {
		(void)pthread_cond_wait(&q->room, &q->lock);
	}
	q->crowded--;
	return enqueue(q, w);
}

int
txn_run(struct txn_queue *q, struct call *c, const struct txn_op *op)
{
	struct txn_wait self = {.c = c, .op = op};

	if (!enqueue_patiently(q, &self)) {
		wait_while_queued(&self);
		if (atomic_load_explicit(&self.state, memory_order_acquire) == DONE) {
			return self.result;
		}
	}
	txn_queue_lead(q, &self);
	return self.result;
}

int
txn_run_last(struct txn_queue *q, struct call *c,
	     int (*run)(struct txn *t, struct call *c, void *arg), void (*committed)(void *arg),
	     void *arg)
{
	return txn_run(q, c,
		       &(struct txn_op){
			       .run = run,
			       .committed = committed,
			       .arg = arg,
			       .durable = true,
			       .ends_group = true,
		       });
}

/* ------------------------------------------------------------ the committer */

static void *
commit_submitted(void *arg)
{
	struct txn_queue *q = arg;

	(void)pthread_mutex_lock(&q->lock);
	while (!q->closing) {
		if (!q->committers_turn) {
			(void)pthread_cond_wait(&q->turn, &q->lock);
			continue;
		}
		q->committers_turn = false;
		(void)pthread_mutex_unlock(&q->lock);
		txn_queue_lead(q, NULL);
		(void)pthread_mutex_lock(&q->lock);
	}
	(void)pthread_mutex_unlock(&q->lock);
	return NULL;
}

void
txn_submit(struct txn_queue *q, struct txn_wait *w)
{
	lock_scope(&q->lock);
	if (enqueue(q, w)) {
		txn_queue_pass_on(q);
	}
}

static void
end_committer(struct txn_queue *q)
{
	(void)pthread_mutex_lock(&q->lock);
	q->closing = true;
	(void)pthread_cond_signal(&q->turn);
	(void)pthread_mutex_unlock(&q->lock);
	(void)pthread_join(q->committer, NULL);
}

/* ------------------------------------------------------------ the queue */

void
txn_table_begins(struct txn_queue *q, uint32_t id)
{
	young_begin(&q->txn.young, id);
}

void
txn_table_ends(struct txn_queue *q, uint32_t id)
{
	young_end(&q->txn.young, id);
}

static void
queue_release(struct txn_queue *q)
{
	txn_release(&q->txn);
	(void)pthread_cond_destroy(&q->turn);
	(void)pthread_cond_destroy(&q->room);
	(void)pthread_mutex_destroy(&q->lock);
	free(q);
}

int
txn_queue_new(struct call *c, struct kv *kv, struct feed *feed, struct txn_queue **out)
{
	struct txn_queue *q = mem_new(struct txn_queue);
	int r = txn_init(c, &q->txn, kv, feed);

	if (r < 0) {
		free(q);
		return r;
	}
	(void)pthread_mutex_init(&q->lock, NULL);
	(void)pthread_cond_init(&q->room, NULL);
	(void)pthread_cond_init(&q->turn, NULL);
	q->tail = &q->head;
	if (thread_start(&q->committer, commit_submitted, q) != 0) {
		queue_release(q);
		return call_fail(c, ERR_IO, "no thread can be made to commit");
	}
	*out = q;
	return 0;
}

void
txn_queue_free(struct txn_queue *q)
{
	if (q != NULL) {
		end_committer(q);
		queue_release(q);
	}
}
