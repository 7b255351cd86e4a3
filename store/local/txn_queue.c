/*
 * txn_queue - the writers' queue and its leader
 *
 * What an operation does while the leader runs it is txn.c's.
 *
 * States of a waiter: QUEUED -> LEADING (its turn to lead) or DONE (its result
 * is there).  Only LEADING -> DONE is its own doing.  A waiter sleeps on its
 * state with a futex: the one who wakes it may come too late for the waiter's
 * stack without harm, and it takes no lock to wake up.
 */
#include <endian.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "store/local/keyspace.h"
#include "store/local/txn.h"
#include "store/local/txn_int.h"

enum {
	GROUP_BYTES = 4 << 20,
	GROUP_OPERATIONS = 512,
	QUEUE_BYTES = 64 << 20,
	CALL_BUDGET = 1 << 20,
};

enum waiter_state { QUEUED, LEADING, DONE };

struct waiter {
	struct waiter *next;
	struct call *c;
	const struct txn_op *op;
	int result;
	_Atomic uint32_t state; /* enum waiter_state; the futex */
};

struct txn_queue {
	pthread_mutex_t lock; /* guards the fields up to the next blank line */
	pthread_cond_t room;  /* bytes have become less */
	struct waiter *head;
	struct waiter **tail;
	size_t bytes; /* queued and in the running group */
	bool leading; /* somebody leads */
	int crowded;  /* callers waiting for room */
	char *broken; /* why nothing may be written any more; NULL: it may */

	struct txn txn; /* the leader's */
};

static const char seq_key[] = {KEYSPACE_META, 's', 'e', 'q'};

/* ------------------------------------------------------------ waiting */

static void
wait_while_queued(struct waiter *w)
{
	while (atomic_load_explicit(&w->state, memory_order_acquire) == QUEUED) {
		(void)syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, QUEUED, NULL, NULL, 0);
	}
}

/* @w may be gone as soon as its state is stored: only its address is used after that. */
static void
wake(struct waiter *w, enum waiter_state state)
{
	atomic_store_explicit(&w->state, state, memory_order_release);
	(void)syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* ------------------------------------------------------------ the leader */

/* Read by the leader without the lock: only leaders write it. */
static int
refuse_broken(const struct txn_queue *q, struct call *c)
{
	return call_fail(c, ERR_READ_ONLY, "The store is read-only: %s", q->broken);
}

static void
break_queue(struct txn_queue *q, const char *why)
{
	lock_scope(&q->lock);
	if (q->broken == NULL) {
		q->broken = strdup(why);
		if (q->broken == NULL) {
			abort();
		}
	}
}

/* Cut the next group off the queue's head; the lock is held. */
static struct waiter *
take_group(struct txn_queue *q)
{
	struct waiter *first = q->head;
	struct waiter *last = first;
	size_t bytes = first->op->bytes;

	for (int n = 1; n < GROUP_OPERATIONS && !last->op->ends_group && last->next != NULL &&
			bytes + last->next->op->bytes <= GROUP_BYTES;
	     n++) {
		last = last->next;
		bytes += last->op->bytes;
	}
	q->head = last->next;
	if (q->head == NULL) {
		q->tail = &q->head;
	}
	last->next = NULL;
	return first;
}

static void
run_one(struct txn_queue *q, struct waiter *w)
{
	struct txn *t = &q->txn;
	uint64_t seq = t->seq;
	size_t n_changes = t->n_changes;

	overlay_begin(&t->overlay);
	w->result = q->broken != NULL ? refuse_broken(q, w->c) : w->op->run(t, w->c, w->op->arg);
	if (w->result == 0 && arena_over(&w->c->arena)) {
		w->result = call_fail(w->c, ERR_VALIDATION, "the request needs more than %zu bytes",
				      w->c->arena.budget);
	}
	if (w->result != 0) {
		overlay_undo(&t->overlay);
		t->seq = seq;
		t->n_changes = n_changes;
	}
	if (w->result == -ERR_CORRUPT) {
		break_queue(q, w->c->error.message);
	}
}

static void
close_call(struct call *c)
{
	call_close(c);
}

/* The group as one batch.  Return: 0, or the failure, which @c tells. */
static int
commit_group(struct txn *t, struct call *c, const struct waiter *group, uint64_t seq)
{
	bool durable = false;
	bool even_empty = false;

	for (const struct waiter *w = group; w != NULL; w = w->next) {
		durable = durable || (w->result == 0 && w->op->durable);
		even_empty = even_empty || (w->result == 0 && w->op->even_empty);
	}
	if (overlay_to_batch(&t->overlay, t->batch) == 0 && !even_empty) {
		return 0;
	}
	if (t->seq != seq) {
		uint64_t number = htobe64(t->seq);

		t->batch->ops->put(t->batch, slice_of(seq_key, sizeof(seq_key)),
				   slice_of((const char *)&number, sizeof(number)));
	}
	int r = kv_commit(t->kv, c, t->batch, durable);

	t->batch->ops->clear(t->batch);
	return r;
}

static void
group_failed(struct txn_queue *q, struct waiter *group, const struct call *why)
{
	break_queue(q, why->error.message);
	for (struct waiter *w = group; w != NULL; w = w->next) {
		if (w->result == 0) {
			w->result = call_fail(w->c, why->error.code, "%s", why->error.message);
		}
	}
}

/* A reader that came while the group ran was not published for: it has missed something. */
static void
group_committed(struct txn *t, struct waiter *group, uint64_t seq)
{
	feed_committed(t->feed, t->seq);
	if (!t->listening && t->seq != seq) {
		feed_lose(t->feed);
	}
	for (size_t i = 0; i < t->n_changes; i++) {
		feed_publish(t->feed, &t->changes[i]);
	}
	for (struct waiter *w = group; w != NULL; w = w->next) {
		if (w->result == 0 && w->op->committed != NULL) {
			w->op->committed(w->op->arg);
		}
	}
}

static void
run_group(struct txn_queue *q, struct waiter *group)
{
	struct txn *t = &q->txn;
	uint64_t seq = t->seq;
	cleanup(close_call) struct call c;

	call_open(&c, group->c->now_ms, CALL_BUDGET);
	t->listening = feed_listening(t->feed);
	for (struct waiter *w = group; w != NULL; w = w->next) {
		run_one(q, w);
	}
	if (commit_group(t, &c, group, seq) < 0) {
		t->seq = seq;
		group_failed(q, group, &c);
	} else {
		group_committed(t, group, seq);
	}
	t->n_changes = 0;
	overlay_clear(&t->overlay);
}

/* Let the next one lead, then wake everybody but @self. */
static void
finish_group(struct txn_queue *q, struct waiter *group, const struct waiter *self)
{
	size_t bytes = 0;

	for (const struct waiter *w = group; w != NULL; w = w->next) {
		bytes += w->op->bytes;
	}
	(void)pthread_mutex_lock(&q->lock);
	q->bytes -= bytes;
	q->leading = q->head != NULL;
	if (q->leading) {
		wake(q->head, LEADING);
	}
	if (q->crowded > 0) {
		(void)pthread_cond_broadcast(&q->room);
	}
	(void)pthread_mutex_unlock(&q->lock);

	for (struct waiter *w = group, *next; w != NULL; w = next) {
		next = w->next;
		if (w != self) {
			wake(w, DONE);
		}
	}
}

/* Queue up.  Return: the group to lead at once, or NULL: wait for one's turn. */
static struct waiter *
enqueue(struct txn_queue *q, struct waiter *w)
{
	lock_scope(&q->lock);
	q->crowded++;
	while (q->bytes > 0 && q->bytes + w->op->bytes > QUEUE_BYTES) {
		(void)pthread_cond_wait(&q->room, &q->lock);
	}
	q->crowded--;
	q->bytes += w->op->bytes;
	*q->tail = w;
	q->tail = &w->next;
	if (q->leading) {
		return NULL;
	}
	q->leading = true;
	return take_group(q);
}

int
txn_run(struct txn_queue *q, struct call *c, const struct txn_op *op)
{
	struct waiter self = {.c = c, .op = op, .state = QUEUED};
	struct waiter *group = enqueue(q, &self);

	if (group == NULL) {
		wait_while_queued(&self);
		if (atomic_load_explicit(&self.state, memory_order_acquire) == DONE) {
			return self.result;
		}
		lock_scope(&q->lock);
		group = take_group(q);
	}
	run_group(q, group);
	finish_group(q, group, &self);
	return self.result;
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

static int
read_seq(struct call *c, struct kv *kv, uint64_t *out)
{
	struct buf record;

	buf_init(&record, &c->arena);
	int r = kv_get(kv, c, NULL, slice_of(seq_key, sizeof(seq_key)), &record);

	*out = 0;
	if (r < 0 || r == KV_ABSENT) {
		return r < 0 ? r : 0;
	}
	if (record.len != sizeof(*out)) {
		return call_fail(c, ERR_CORRUPT, "the sequence number is not one");
	}
	memcpy(out, record.at, sizeof(*out));
	*out = be64toh(*out);
	return 0;
}

int
txn_queue_new(struct call *c, struct kv *kv, struct feed *feed, struct txn_queue **out)
{
	uint64_t seq;
	int r = read_seq(c, kv, &seq);

	if (r < 0) {
		return r;
	}
	struct txn_queue *q = calloc(1, sizeof(*q));

	if (q == NULL) {
		abort();
	}
	(void)pthread_mutex_init(&q->lock, NULL);
	(void)pthread_cond_init(&q->room, NULL);
	q->tail = &q->head;
	q->txn.kv = kv;
	q->txn.feed = feed;
	q->txn.seq = seq;
	q->txn.batch = kv->ops->batch_new(kv);
	overlay_init(&q->txn.overlay);
	feed_committed(feed, seq);
	*out = q;
	return 0;
}

void
txn_queue_free(struct txn_queue *q)
{
	if (q == NULL) {
		return;
	}
	overlay_release(&q->txn.overlay);
	young_release(&q->txn.young);
	kv_batch_free(q->txn.batch);
	free(q->txn.changes);
	free(q->broken);
	(void)pthread_cond_destroy(&q->room);
	(void)pthread_mutex_destroy(&q->lock);
	free(q);
}
