/* kv_fault - counts calls and makes the requested one fail */
#include "tests/support/kv_fault.h"

#include <stdatomic.h>

struct fault {
	struct kv kv;
	struct kv *below;
	_Atomic uint64_t calls;
	_Atomic uint64_t left; /* calls until the fault, including the failing one; 0: none armed */
	atomic_bool fired;
	atomic_bool broken;   /* a commit has failed */
	atomic_bool full;     /* the disk is full */
	atomic_int lacks;     /* enum kv_fault_room */
	pthread_mutex_t lock; /* guards the gate and "refused" */
	pthread_cond_t moved;
	bool refused; /* a caller found too little room */
	bool hold;
	bool held;
	struct buf hidden; /* see kv_fault_hide() */
};

struct fault_cursor {
	struct kv_cursor cursor;
	struct kv_cursor *below;
	struct fault *fault;
	bool damaged; /* it has passed over the hidden key */
};

static bool
fails_now(struct fault *f)
{
	uint64_t left = atomic_load(&f->left);

	(void)atomic_fetch_add(&f->calls, 1);
	while (left > 0 && !atomic_compare_exchange_weak(&f->left, &left, left - 1)) {
	}
	if (left == 1) {
		atomic_store(&f->fired, true);
	}
	return left == 1;
}

static int
fail(struct call *c)
{
	return call_fail(c, ERR_IO, "injected fault");
}

static int
damaged(struct call *c)
{
	return call_fail(c, ERR_CORRUPT, "injected damage");
}

/* The lock is needed because a background thread of the engine may read while a test hides another key. */
static bool
is_hidden(struct fault *f, struct slice key)
{
	lock_scope(&f->lock);
	return f->hidden.len > 0 && slice_eq(key, buf_view(&f->hidden));
}

#define BELOW(cur) (((struct fault_cursor *)(cur))->below)

static bool
at_hidden(struct kv_cursor *cur)
{
	struct fault_cursor *fc = (struct fault_cursor *)cur;

	if (!fc->below->ops->valid(fc->below) ||
	    !is_hidden(fc->fault, fc->below->ops->key(fc->below))) {
		return false;
	}
	fc->damaged = true;
	return true;
}

static void
fault_seek(struct kv_cursor *cur, struct slice key)
{
	BELOW(cur)->ops->seek(BELOW(cur), key);
	if (at_hidden(cur)) {
		BELOW(cur)->ops->next(BELOW(cur));
	}
}

static void
fault_seek_before(struct kv_cursor *cur, struct slice key)
{
	BELOW(cur)->ops->seek_before(BELOW(cur), key);
	if (at_hidden(cur)) {
		BELOW(cur)->ops->prev(BELOW(cur));
	}
}

static bool
fault_valid(struct kv_cursor *cur)
{
	return BELOW(cur)->ops->valid(BELOW(cur));
}

static void
fault_next(struct kv_cursor *cur)
{
	BELOW(cur)->ops->next(BELOW(cur));
	if (at_hidden(cur)) {
		BELOW(cur)->ops->next(BELOW(cur));
	}
}

static void
fault_prev(struct kv_cursor *cur)
{
	BELOW(cur)->ops->prev(BELOW(cur));
	if (at_hidden(cur)) {
		BELOW(cur)->ops->prev(BELOW(cur));
	}
}

static struct slice
fault_key(struct kv_cursor *cur)
{
	return BELOW(cur)->ops->key(BELOW(cur));
}

static struct slice
fault_value(struct kv_cursor *cur)
{
	return BELOW(cur)->ops->value(BELOW(cur));
}

static int
fault_status(struct kv_cursor *cur, struct call *c)
{
	if (fails_now(((struct fault_cursor *)cur)->fault)) {
		return fail(c);
	}
	if (((struct fault_cursor *)cur)->damaged) {
		return damaged(c);
	}
	return BELOW(cur)->ops->status(BELOW(cur), c);
}

static void
fault_cursor_free(struct kv_cursor *cur)
{
	BELOW(cur)->ops->free(BELOW(cur));
	free(cur);
}

static const struct kv_cursor_ops cursor_ops = {
	.seek = fault_seek,
	.seek_before = fault_seek_before,
	.valid = fault_valid,
	.next = fault_next,
	.prev = fault_prev,
	.key = fault_key,
	.value = fault_value,
	.status = fault_status,
	.free = fault_cursor_free,
};

static int
fault_get(struct kv *kv, struct call *c, struct kv_snapshot *at, struct slice key, struct buf *out)
{
	struct fault *f = (struct fault *)kv;

	if (fails_now(f)) {
		return fail(c);
	}
	return is_hidden(f, key) ? damaged(c) : kv_get(f->below, c, at, key, out);
}

static struct kv_snapshot *
fault_snapshot_new(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	return f->below->ops->snapshot_new(f->below);
}

static void
fault_snapshot_free(struct kv *kv, struct kv_snapshot *s)
{
	struct fault *f = (struct fault *)kv;

	f->below->ops->snapshot_free(f->below, s);
}

static struct kv_cursor *
fault_cursor_new(struct kv *kv, struct kv_snapshot *at, bool once)
{
	struct fault *f = (struct fault *)kv;
	struct fault_cursor *cur = calloc(1, sizeof(*cur));

	if (cur == NULL) {
		abort();
	}
	cur->cursor.ops = &cursor_ops;
	cur->below = f->below->ops->cursor_new(f->below, at, once);
	cur->fault = f;
	return &cur->cursor;
}

static struct kv_batch *
fault_batch_new(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	return f->below->ops->batch_new(f->below);
}

static void
pass_the_gate(struct fault *f)
{
	lock_scope(&f->lock);
	while (f->hold) {
		f->held = true;
		(void)pthread_cond_broadcast(&f->moved);
		(void)pthread_cond_wait(&f->moved, &f->lock);
	}
	f->held = false;
}

static int
fault_commit(struct kv *kv, struct call *c, struct kv_batch *b, bool durable)
{
	struct fault *f = (struct fault *)kv;

	pass_the_gate(f);
	if (fails_now(f)) {
		atomic_store(&f->broken, true);
	}
	if (atomic_load(&f->full)) {
		return call_fail(c, ERR_NO_SPACE, "No space left on device");
	}
	return atomic_load(&f->broken) ? fail(c) : kv_commit(f->below, c, b, durable);
}

static int
fault_room(struct kv *kv, struct call *c, enum kv_room what, const struct kv_batch *b)
{
	struct fault *f = (struct fault *)kv;
	int lacks = atomic_load(&f->lacks);

	if (lacks == KV_FAULT_ROOM_READ_ONLY) {
		return call_fail(c, ERR_READ_ONLY, "it is opened to be read only");
	}
	if (lacks == KV_FAULT_ROOM_NONE ||
	    (lacks == KV_FAULT_ROOM_LITTLE && what == KV_ROOM_GROWTH)) {
		lock_scope(&f->lock);
		f->refused = true;
		(void)pthread_cond_broadcast(&f->moved);
		return call_fail(c, ERR_NO_SPACE, "there is little room");
	}
	return kv_room(f->below, c, what, b);
}

static void
fault_compact(struct kv *kv, struct slice from, struct slice to)
{
	struct fault *f = (struct fault *)kv;

	f->below->ops->compact(f->below, from, to);
}

static uint64_t
fault_size(struct kv *kv, struct slice from, struct slice to)
{
	struct fault *f = (struct fault *)kv;

	return f->below->ops->size(f->below, from, to);
}

static void
fault_close(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	f->below->ops->close(f->below);
	buf_release(&f->hidden);
	(void)pthread_cond_destroy(&f->moved);
	(void)pthread_mutex_destroy(&f->lock);
	free(f);
}

static const struct kv_ops fault_ops = {
	.get = fault_get,
	.snapshot_new = fault_snapshot_new,
	.snapshot_free = fault_snapshot_free,
	.cursor_new = fault_cursor_new,
	.batch_new = fault_batch_new,
	.commit = fault_commit,
	.room = fault_room,
	.compact = fault_compact,
	.size = fault_size,
	.close = fault_close,
};

struct kv *
kv_fault_new(struct kv *below)
{
	struct fault *f = calloc(1, sizeof(*f));

	if (f == NULL) {
		abort();
	}
	f->kv.ops = &fault_ops;
	f->below = below;
	(void)pthread_mutex_init(&f->lock, NULL);
	(void)pthread_cond_init(&f->moved, NULL);
	return &f->kv;
}

void
kv_fault_arm(struct kv *kv, uint64_t nth)
{
	struct fault *f = (struct fault *)kv;

	atomic_store(&f->fired, false);
	atomic_store(&f->broken, false);
	atomic_store(&f->full, false);
	atomic_store(&f->left, nth);
}

void
kv_fault_fill(struct kv *kv)
{
	atomic_store(&((struct fault *)kv)->full, true);
}

void
kv_fault_hide(struct kv *kv, struct slice key)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	buf_clear(&f->hidden);
	buf_slice(&f->hidden, key);
}

void
kv_fault_room(struct kv *kv, enum kv_fault_room room)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	atomic_store(&f->lacks, room);
	f->refused = false;
}

void
kv_fault_wait_refused(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	while (!f->refused) {
		(void)pthread_cond_wait(&f->moved, &f->lock);
	}
}

bool
kv_fault_fired(struct kv *kv)
{
	return atomic_load(&((struct fault *)kv)->fired);
}

uint64_t
kv_fault_calls(struct kv *kv)
{
	return atomic_load(&((struct fault *)kv)->calls);
}

void
kv_fault_hold(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	f->hold = true;
}

void
kv_fault_wait_held(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	while (!f->held) {
		(void)pthread_cond_wait(&f->moved, &f->lock);
	}
}

void
kv_fault_go_on(struct kv *kv)
{
	struct fault *f = (struct fault *)kv;

	lock_scope(&f->lock);
	f->hold = false;
	(void)pthread_cond_broadcast(&f->moved);
}
