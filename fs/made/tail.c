/*
 * tail - see follow_int.h; the followers are asked for in turn
 *
 * A follower that has reached the end of its stream is asked for again a second later, as the SDKs' consumers do. One
 * with FOLLOW_BYTES of unread lines is not asked for until it has read some: the stream keeps the records.
 */
#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/engine/change_line.h"
#include "store/engine/stream_walk.h"

#include "fs/file/request.h"
#include "fs/made/follow_int.h"

enum {
	IDLE_MS = 1000,
	BUSY_MS = 200, /* between two pages with records: a shard allows five requests per second */
	PAGE_BUDGET = 64 * 1024 * 1024,
};

/* The follower to ask for now, or NULL and the time when there may be one. */
static struct follower *
first_due(const struct follow_list *l, uint64_t now_ns, uint64_t *when_ns)
{
	assert(lock_held(&l->lock));
	struct follower *first = NULL;

	*when_ns = THREAD_FOR_EVER;
	for (struct follower *f = l->first; f != NULL; f = f->next) {
		if (!f->ended && follow_unread(f) < FOLLOW_BYTES && f->due_ns < *when_ns) {
			first = f;
			*when_ns = f->due_ns;
		}
	}
	return *when_ns <= now_ns ? first : NULL;
}

/* Take over the result of one request. */
static void
tail_take(struct follower *f, struct call *c, int r, struct slice text)
{
	assert(lock_held(&f->m->follow.lock) && !f->closed);
	unsigned pause_ms = r != 0 ? IDLE_MS : text.len > 0 ? BUSY_MS : 0;

	if (r < 0 && r != -ERR_NO_TABLE && !f->failing && !f->m->follow.over) {
		request_note(f->m, c, f->uid, r, f->handle->node);
	}
	f->failing = r < 0;
	f->ended = r == STREAM_WALK_END || r == -ERR_NO_TABLE;
	f->due_ns = clock_steady_ns() + pause_ms * NS_PER_MS;
	if (stream_walk_lost(f->walk)) {
		f->lost_unknown = true;
		follow_put_lost(f);
	}
	buf_slice(&f->lines, text);
	follow_count(f);
}

/* Return: whether the request is no longer needed. */
static bool
tail_is_over(const void *asker)
{
	const struct follower *f = asker;
	lock_scope(&f->m->follow.lock);

	return f->closed || f->m->follow.over;
}

/* Ask once. The lock is released while the endpoint is asked and while the kernel is notified. */
static void
tail_ask(struct follow_list *l, struct follower *f)
{
	assert(lock_held(&l->lock) && f->walk != NULL);
	struct woken w = {.n = 0};
	struct stream_walk_page page;
	struct call c;
	struct buf text;

	f->asking = true;
	(void)pthread_mutex_unlock(&l->lock);
	call_open(&c, clock_now_ms(), PAGE_BUDGET);
	c.given_up = tail_is_over;
	c.asker = f;
	buf_init(&text, NULL);
	int r = stream_walk_next(f->walk, &c, &page);

	for (size_t i = 0; i < page.n; i++) {
		change_line_put(&text, f->schema, f->m->form.typed, &page.records[i]);
	}
	(void)pthread_mutex_lock(&l->lock);
	f->asking = false;
	bool closed = f->closed;

	if (!closed) {
		tail_take(f, &c, r, buf_view(&text));
		follow_distribute(f, &w);
	}
	(void)pthread_mutex_unlock(&l->lock);
	follow_wake(&w);
	if (closed) {
		follow_free(f);
	}
	buf_release(&text);
	call_close(&c);
	(void)pthread_mutex_lock(&l->lock);
}

static void *
tail(void *arg)
{
	struct follow_list *l = arg;
	lock_scope(&l->lock);

	while (!l->over) {
		uint64_t when_ns;
		struct follower *f = first_due(l, clock_steady_ns(), &when_ns);

		if (f != NULL) {
			tail_ask(l, f);
		} else {
			(void)thread_cond_until(&l->due, &l->lock, when_ns);
		}
	}
	return NULL;
}

int
tail_start(struct mount *m, struct call *c)
{
	assert(lock_held(&m->follow.lock));
	struct follow_list *l = &m->follow;

	if (l->tailing) {
		return 0;
	}
	int e = thread_start(&l->tail, tail, l);

	l->tailing = e == 0;
	return e == 0 ? 0 : call_fail(c, ERR_BUSY, "cannot start a thread");
}

void
tail_go_on(struct mount *m)
{
	assert(lock_held(&m->follow.lock));
	if (m->follow.tailing) {
		(void)pthread_cond_signal(&m->follow.due);
	}
}

void
tail_wait(struct mount *m)
{
	if (m->follow.tailing) {
		(void)pthread_join(m->follow.tail, NULL);
		m->follow.tailing = false;
	}
}
