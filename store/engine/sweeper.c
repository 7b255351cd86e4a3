/*
 * sweeper - see sweeper.h
 *
 * A sweep reads every item of the tables that have a time to live. After each page the thread rests four times as long
 * as the page took, so a sweep takes at most a fifth of one processor. With SWEEPER_BY_COST, the next sweep starts soon
 * in a small store, and in a large one so late that all sweeps together take a hundredth of one processor.
 */
#include "store/engine/sweeper.h"

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/engine/engine.h"

enum {
	CALL_BUDGET = 64 << 20,
	REST = 4,             /* between pages: multiple of the time of the page */
	REST_SWEEPS = 99,     /* between sweeps: multiple of the time of all pages */
	REST_LEAST_MS = 2000, /* limits of that */
	REST_MOST_MS = 60000,
};

struct sweeper {
	struct engine *engine;
	void (*failed)(const struct error *e);
	pthread_t thread;

	pthread_mutex_t lock; /* guards what follows */
	pthread_cond_t news;
	uint64_t every_ms;
	uint64_t rest_from; /* steady: when the last sweep ended */
	uint64_t took_ms;   /* the time of all pages of the last sweep */
	bool stop;
};

/* Waits for news; Return: false if @until_ms, of the steady clock, has passed */
static bool
wait_until(struct sweeper *s, uint64_t until_ms)
{
	assert(lock_held(&s->lock));
	return thread_cond_until(&s->news, &s->lock, until_ms * NS_PER_MS);
}

/* The time from the end of a sweep to the next one. */
static uint64_t
rest_ms(const struct sweeper *s)
{
	uint64_t ms = REST_SWEEPS * s->took_ms;

	assert(lock_held(&s->lock));
	return s->every_ms != SWEEPER_BY_COST ? s->every_ms
	       : ms < REST_LEAST_MS           ? REST_LEAST_MS
	       : ms > REST_MOST_MS            ? REST_MOST_MS
					      : ms;
}

/* Waits until the next sweep is due; Return: false to stop */
static bool
rest_long(struct sweeper *s)
{
	lock_scope(&s->lock);
	while (!s->stop) {
		if (s->every_ms == 0) {
			(void)pthread_cond_wait(&s->news, &s->lock);
		} else if (!wait_until(s, s->rest_from + rest_ms(s))) {
			return true;
		}
	}
	return false;
}

/* Waits between two pages; Return: false to end the sweep: stop, or the interval is 0 now */
static bool
rest_short(struct sweeper *s, uint64_t ms)
{
	uint64_t until = clock_steady_ms() + ms;

	lock_scope(&s->lock);
	while (!s->stop && s->every_ms != 0 && wait_until(s, until)) {
	}
	return !s->stop && s->every_ms != 0;
}

/* Sweeps one page. @next: the position of the page, then of the next one; empty at the end */
static int
sweeper_sweep_page(struct sweeper *s, struct buf *next)
{
	struct sweep_in in = {.next = buf_view(next)};
	struct sweep_out out = {0};
	cleanup(call_close) struct call c;

	call_open(&c, clock_now_ms(), CALL_BUDGET);
	int r = engine_sweep(s->engine, &c, &in, &out);

	buf_clear(next);
	if (r == 0) {
		buf_slice(next, out.next);
	} else {
		s->failed(&c.error);
	}
	return r;
}

/* Return: the time that its pages took, in ms */
static uint64_t
sweeper_sweep(struct sweeper *s)
{
	cleanup(buf_release) struct buf next = {0};
	uint64_t all = 0;
	uint64_t took;
	int r;

	do {
		uint64_t start = clock_steady_ms();

		r = sweeper_sweep_page(s, &next);
		took = clock_steady_ms() - start;
		all += took;
	} while (r == 0 && next.len > 0 && rest_short(s, REST * took));
	return all;
}

static void *
sweeper_work(void *arg)
{
	struct sweeper *s = arg;

	while (rest_long(s)) {
		uint64_t took = sweeper_sweep(s);

		lock_scope(&s->lock);
		s->took_ms = took;
		s->rest_from = clock_steady_ms();
	}
	return NULL;
}

int
sweeper_start(struct call *c, struct engine *e, uint64_t every_ms,
	      void (*failed)(const struct error *e), struct sweeper **out)
{
	struct sweeper *s = mem_new(struct sweeper);

	s->engine = e;
	s->failed = failed;
	s->every_ms = every_ms;
	s->rest_from = clock_steady_ms();
	(void)pthread_mutex_init(&s->lock, NULL);
	thread_cond_init(&s->news);
	if (thread_start(&s->thread, sweeper_work, s) != 0) {
		(void)pthread_cond_destroy(&s->news);
		(void)pthread_mutex_destroy(&s->lock);
		free(s);
		return call_fail(c, ERR_IO, "cannot start the thread of the TTL sweeper");
	}
	*out = s;
	return 0;
}

void
sweeper_every(struct sweeper *s, uint64_t every_ms)
{
	lock_scope(&s->lock);
	s->every_ms = every_ms;
	(void)pthread_cond_signal(&s->news);
}

void
sweeper_stop(struct sweeper *s)
{
	if (s == NULL) {
		return;
	}
	(void)pthread_mutex_lock(&s->lock);
	s->stop = true;
	(void)pthread_cond_signal(&s->news);
	(void)pthread_mutex_unlock(&s->lock);
	(void)pthread_join(s->thread, NULL);
	(void)pthread_cond_destroy(&s->news);
	(void)pthread_mutex_destroy(&s->lock);
	free(s);
}
