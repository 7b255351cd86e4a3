/*
 * feed - a ring of the newest changes
 *
 * Places are counted from 0 and never wrap: change number p is in ring[p % FEED_CHANGES] while tail <= p < head. A
 * change is copied once, when it is published. Readers share this copy, and the last holder frees it. A reader whose
 * place is before the tail has lost changes.
 */
#include "store/engine/feed.h"

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/model/item.h"

enum {
	FEED_CHANGES = 16384,
	FEED_BYTES = 32 << 20, /* of all changes together; one change may be larger */
};

struct published {
	struct change change;
	struct arena arena;  /* has all that the change points to */
	atomic_uint holders; /* the ring, and the calls of readers that use the change */
};

struct feed {
	atomic_int listeners;
	_Atomic uint64_t newest;
	_Atomic uint64_t overdue; /* calls of feed_wait() that timed out */

	pthread_mutex_t lock;     /* guards the rest, and the fields of all readers */
	pthread_cond_t more;      /* a change was published, or a reader woken */
	pthread_cond_t processed; /* a reader has processed a change, was woken or closed */
	struct feed_reader *readers;
	uint64_t head;
	uint64_t tail;
	size_t bytes;
	uint64_t unpublished; /* the newest sequence number at the last feed_lose() */
	struct published *ring[FEED_CHANGES];
};

struct feed_reader {
	struct feed *feed;
	struct feed_reader *next;
	const void *origin;
	uint64_t place;     /* number of the change that it gets next */
	uint64_t processed; /* it has processed all changes before this number */
	bool woken;
	bool skips_own;
	unsigned skipped; /* changes of its own origin since it was given one */
};

/* ------------------------------------------------------------ a published change */

static struct published *
published_new(const struct change *ch)
{
	struct published *p = mem_new(struct published);

	arena_init_small(&p->arena);
	atomic_init(&p->holders, 1);
	p->change = *ch;
	p->change.table = slice_copy(&p->arena, ch->table);
	p->change.old = ch->has_old ? item_copy(&p->arena, &ch->old) : (struct item){0};
	p->change.updated = ch->has_new ? item_copy(&p->arena, &ch->updated) : (struct item){0};
	return p;
}

static void
published_release(void *arg)
{
	struct published *p = arg;

	if (atomic_fetch_sub(&p->holders, 1) == 1) {
		arena_drop(&p->arena);
		free(p);
	}
}

/* ------------------------------------------------------------ the writer's side */

struct feed *
feed_new(void)
{
	struct feed *f = mem_new(struct feed);

	(void)pthread_mutex_init(&f->lock, NULL);
	thread_cond_init(&f->more);
	thread_cond_init(&f->processed);
	return f;
}

static void
drop_oldest(struct feed *f)
{
	assert(f->tail < f->head);
	struct published *p = f->ring[f->tail++ % FEED_CHANGES];

	f->bytes -= p->arena.used;
	published_release(p);
}

void
feed_free(struct feed *f)
{
	if (f == NULL) {
		return;
	}
	while (f->tail < f->head) {
		drop_oldest(f);
	}
	(void)pthread_cond_destroy(&f->processed);
	(void)pthread_cond_destroy(&f->more);
	(void)pthread_mutex_destroy(&f->lock);
	free(f);
}

bool
feed_listening(struct feed *f)
{
	return atomic_load(&f->listeners) > 0;
}

static bool
reader_skips(struct feed_reader *r, const struct change *ch)
{
	if (!r->skips_own || r->origin != ch->origin || ch->dropped || ch->altered) {
		return false;
	}
	r->skipped = (r->skipped + 1) % FEED_OWN_EACH;
	return r->skipped != 0;
}

static bool
feed_is_skipped_by_all(struct feed *f, const struct change *ch)
{
	bool skipped = true;

	lock_scope(&f->lock);
	for (struct feed_reader *r = f->readers; r != NULL; r = r->next) {
		skipped = reader_skips(r, ch) && skipped;
	}
	return skipped;
}

/* The change is copied without the lock, so that readers do not wait for the copy of a large item. */
void
feed_publish(struct feed *f, const struct change *ch)
{
	if (!feed_listening(f) || feed_is_skipped_by_all(f, ch)) {
		return;
	}
	struct published *p = published_new(ch);

	lock_scope(&f->lock);
	if (f->readers == NULL) { /* the last one left during the copy */
		published_release(p);
		return;
	}
	while (f->tail < f->head &&
	       (f->head - f->tail == FEED_CHANGES || f->bytes + p->arena.used > FEED_BYTES)) {
		drop_oldest(f);
	}
	assert(f->head - f->tail < FEED_CHANGES);
	f->ring[f->head++ % FEED_CHANGES] = p;
	f->bytes += p->arena.used;
	(void)pthread_cond_broadcast(&f->more);
}

/* Skips one number: a reader that has not reached it finds its place before the tail. */
void
feed_lose(struct feed *f)
{
	if (!feed_listening(f)) {
		return;
	}
	lock_scope(&f->lock);
	while (f->tail < f->head) {
		drop_oldest(f);
	}
	f->tail = ++f->head;
	f->unpublished = feed_newest(f);
	(void)pthread_cond_broadcast(&f->more);
}

uint64_t
feed_newest(const struct feed *f)
{
	return atomic_load(&f->newest);
}

void
feed_committed(struct feed *f, uint64_t seq)
{
	atomic_store(&f->newest, seq);
}

/* ------------------------------------------------------------ the readers' side */

struct feed_reader *
feed_open(struct feed *f)
{
	struct feed_reader *r = mem_new(struct feed_reader);

	lock_scope(&f->lock);
	r->feed = f;
	r->place = f->head;
	r->processed = f->head;
	r->next = f->readers;
	f->readers = r;
	(void)atomic_fetch_add(&f->listeners, 1);
	return r;
}

void
feed_close(struct feed_reader *r)
{
	if (r == NULL) {
		return;
	}
	struct feed *f = r->feed;

	(void)pthread_mutex_lock(&f->lock);
	struct feed_reader **at = &f->readers;

	while (*at != r) {
		at = &(*at)->next;
	}
	*at = r->next;
	(void)atomic_fetch_sub(&f->listeners, 1);
	while (f->readers == NULL && f->tail < f->head) {
		drop_oldest(f);
	}
	(void)pthread_cond_broadcast(&f->processed);
	(void)pthread_mutex_unlock(&f->lock);
	free(r);
}

void
feed_set_origin(struct feed_reader *r, const void *origin)
{
	lock_scope(&r->feed->lock);
	r->origin = origin;
}

void
feed_skip_own(struct feed_reader *r, bool skip)
{
	lock_scope(&r->feed->lock);
	r->skips_own = skip;
}

void
feed_wake(struct feed_reader *r)
{
	lock_scope(&r->feed->lock);
	r->woken = true;
	(void)pthread_cond_broadcast(&r->feed->more);
	(void)pthread_cond_broadcast(&r->feed->processed);
}

static uint64_t
time_after(int timeout_ms)
{
	return timeout_ms < 0 ? THREAD_FOR_EVER
			      : clock_steady_ns() + (uint64_t)timeout_ms * NS_PER_MS;
}

int
feed_next(struct feed_reader *r, struct call *c, int timeout_ms, struct change *out)
{
	struct feed *f = r->feed;
	uint64_t end = time_after(timeout_ms);

	lock_scope(&f->lock);
	r->processed = r->place;
	(void)pthread_cond_broadcast(&f->processed);
	while (!r->woken && r->place == f->head && thread_cond_until(&f->more, &f->lock, end)) {
	}
	if (r->woken || r->place == f->head) {
		return r->woken ? FEED_CLOSED : FEED_TIMEOUT;
	}
	if (r->place < f->tail) {
		bool any = f->tail < f->head;

		r->place = f->head;
		out->seq = any ? f->ring[(f->head - 1) % FEED_CHANGES]->change.seq : f->unpublished;
		return FEED_LOST;
	}
	struct published *p = f->ring[r->place++ % FEED_CHANGES];

	(void)atomic_fetch_add(&p->holders, 1);
	arena_hold(&c->arena, published_release, p);
	*out = p->change;
	return 0;
}

/* The place after change @seq. The ring is in the order of the sequence numbers. */
static uint64_t
place_after(const struct feed *f, uint64_t seq)
{
	uint64_t place = f->head;

	assert(lock_held(&f->lock));
	while (place > f->tail && f->ring[(place - 1) % FEED_CHANGES]->change.seq > seq) {
		place--;
	}
	return place;
}

static bool
all_processed(const struct feed *f, uint64_t place, const void *except)
{
	assert(lock_held(&f->lock));
	for (const struct feed_reader *r = f->readers; r != NULL; r = r->next) {
		bool exempt = r->woken || (except != NULL && r->origin == except);

		if (!exempt && r->processed < place) {
			return false;
		}
	}
	return true;
}

bool
feed_wait(struct feed *f, uint64_t seq, const void *except, int timeout_ms)
{
	if (!feed_listening(f)) {
		return true;
	}
	uint64_t end = time_after(timeout_ms);

	lock_scope(&f->lock);
	uint64_t place = place_after(f, seq);

	while (!all_processed(f, place, except) &&
	       thread_cond_until(&f->processed, &f->lock, end)) {
	}
	bool done = all_processed(f, place, except);

	(void)atomic_fetch_add(&f->overdue, !done);
	return done;
}

bool
feed_is_processed(const struct feed_reader *r)
{
	lock_scope(&r->feed->lock);
	return r->processed == r->feed->head;
}

uint64_t
feed_overdue(const struct feed *f)
{
	return atomic_load(&f->overdue);
}
