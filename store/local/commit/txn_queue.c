/*
 * txn_queue - the writers' queue and the choice of its leader
 *
 * txn_group.c runs and commits the leader's group.
 *
 * States of an operation of txn_run(): QUEUED -> LEADING (its thread must lead) or DONE (its result is set). Another
 * thread sets the state. The thread of a leader returns its own result without the state DONE. A thread sleeps on
 * its state with a futex: so it takes no lock when it wakes up, and a wake-up that comes after the thread has left
 * txn_run() does no harm.
 *
 * No thread sleeps for a submitted operation: if it is the first of the queue, the queue's own thread, the
 * committer, leads.
 */
#include <linux/futex.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/local/commit/fresh.h"
#include "store/local/commit/txn.h"
#include "store/local/commit/txn_int.h"

enum {
	GROUP_BYTES = 4 << 20,
	GROUP_OPERATIONS = 512,
	QUEUE_BYTES = 64 << 20,
	GATHER_PART = 2, /* txn_queue_gather() waits at most 1/2 of the last group's time, */
	GATHER_NS_MAX = 2000000, /* and at most this long */
};

enum waiter_state { QUEUED, LEADING, DONE };

struct txn_queue {
	pthread_mutex_t lock; /* guards the fields up to the next blank line */
	pthread_cond_t room;  /* signalled when bytes has decreased */
	struct txn_wait *head;
	struct txn_wait **tail;
	size_t bytes; /* of the operations that are queued or in the running group */
	bool leading; /* there is a leader, or the head of the queue has been chosen as one */
	int crowded;  /* callers that wait for room */
	pthread_t committer;
	bool committers_turn; /* the committer must lead */
	bool closing;
	pthread_cond_t turn; /* signalled when one of the two above becomes true */

	atomic_uint queued; /* operations that are not yet in a group */

	/* used by the leader only */
	struct txn txn;
	unsigned gathered; /* number of operations of the last group; 0: it was not synced */
	uint64_t group_ns; /* duration of the last group */
	uint64_t ended_ns; /* end of the last group: clock_steady_ns() */
};

/* ------------------------------------------------------------ waiting */

static void
wait_while_queued(struct txn_wait *w)
{
	while (atomic_load_explicit(&w->state, memory_order_acquire) == QUEUED) {
		(void)syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, QUEUED, NULL, NULL, 0);
	}
}

/* @w may be freed as soon as its state is stored: only its address is used after that. */
static void
txn_queue_wake(struct txn_wait *w, enum waiter_state state)
{
	atomic_store_explicit(&w->state, state, memory_order_release);
	(void)syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ------------------------------------------------------------ the leader */

/* Cut the next group off the head of the queue, which is not empty.  @n: number of its operations */
static struct txn_wait *
take_group(struct txn_queue *q, unsigned *n)
{
	assert(lock_held(&q->lock));
	assert(q->leading && q->head != NULL);
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

/* Let the first operation of the queue lead, in its own thread or in the committer. */
static void
txn_queue_pass_on(struct txn_queue *q)
{
	assert(lock_held(&q->lock));
	q->leading = q->head != NULL;
	if (q->leading && q->head->ended != NULL) {
		q->committers_turn = true;
		(void)pthread_cond_signal(&q->turn);
	} else if (q->leading) {
		txn_queue_wake(q->head, LEADING);
	}
}

/* Let the next operation lead, then report the results to all owners but @self. */
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

	/* Wake the sleeping threads first: calling ended() of the others takes longer. */
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
 * Wait for more operations. The writers of the last group have just been woken and are likely to come again soon. The
 * wait costs less than an additional sync for each writer that comes slightly too late for this group.
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

/* Lead one group.  @self: the caller's operation, which is the first of the queue; NULL in the committer */
static void
txn_queue_lead(struct txn_queue *q, const struct txn_wait *self)
{
	unsigned n;

	if (q->gathered > 1) {
		txn_queue_gather(q);
	}
	(void)pthread_mutex_lock(&q->lock);
	struct txn_wait *group = take_group(q, &n);

	assert(self == NULL ? group->ended != NULL : group == self);
	(void)pthread_mutex_unlock(&q->lock);
	uint64_t start = clock_steady_ns();
	bool synced = txn_run_group(&q->txn, group);

	q->gathered = synced ? n : 0;
	q->ended_ns = clock_steady_ns();
	q->group_ns = q->ended_ns - start;
	finish_group(q, group, self);
}

/* ------------------------------------------------------------ the writers */

/* Append @w to the queue.  Return: true if there was no leader: then the caller must let @w lead */
static bool
enqueue(struct txn_queue *q, struct txn_wait *w)
{
	assert(lock_held(&q->lock));
	assert(w->next == NULL);
	bool first = !q->leading;

	assert(!first || q->head == NULL);
	q->bytes += w->op->bytes;
	*q->tail = w;
	q->tail = &w->next;
	q->leading = true;
	atomic_fetch_add(&q->queued, 1);
	return first;
}

/* Wait until there is room in the queue, then append @w.  Return: as enqueue() */
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

int
txn_run_empty(struct txn_queue *q, struct call *c, bool durable)
{
	return txn_run(q, c, &(struct txn_op){.durable = durable});
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
	assert(w->ended != NULL);
	lock_scope(&q->lock);
	if (enqueue(q, w)) {
		txn_queue_pass_on(q);
	}
}

/* ------------------------------------------------------------ the queue */

void
txn_table_begins(struct txn_queue *q, uint32_t id)
{
	fresh_begin(&q->txn.fresh, id);
}

void
txn_table_ends(struct txn_queue *q, uint32_t id)
{
	fresh_end(&q->txn.fresh, id);
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
		return call_fail(c, ERR_IO, "cannot start the thread that commits");
	}
	*out = q;
	return 0;
}

void
txn_queue_free(struct txn_queue *q)
{
	if (q == NULL) {
		return;
	}
	(void)pthread_mutex_lock(&q->lock);
	q->closing = true;
	(void)pthread_cond_signal(&q->turn);
	(void)pthread_mutex_unlock(&q->lock);
	(void)pthread_join(q->committer, NULL);
	queue_release(q);
}
