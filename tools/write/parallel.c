/*
 * parallel - see parallel.h
 *
 * The threads share p->width places.  A request that is sent has a place; one that pauses has none.  The calling thread
 * starts threads while the width grows.
 */
#include "tools/write/parallel.h"

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/thread.h"

#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"
#include "tools/text/patience.h"

enum {
	LOOK_MS = 100, /* between two checks for a signal */
	CUT_MS = 100,  /* several failures within this time halve the width only once */
};

struct run {
	struct parallel *p;
	parallel_fn *fn;
	void *arg;
	bool *done; /* [n] */
	size_t n;
	uint64_t now_ms;
	atomic_size_t
		failed; /* the first failed request; SIZE_MAX: none; later ones are not sent */
	pthread_mutex_t lock; /* guards all that follows, *p and done[] */
	pthread_cond_t changed;
	size_t next;        /* the next request to begin */
	unsigned under_way; /* requests that have a place */
	unsigned alive;     /* threads */
	uint64_t cut_ms;    /* steady time when the width was halved */
	struct patience patience;
	struct call failure; /* has the error of the request @failed */
};

/* The request of a thread, for turn_is_over(). */
struct turn {
	struct run *run;
	size_t i;
};

/* ------------------------------------------------------------ the width */

static unsigned
run_most(const struct run *run)
{
	return run->p->most == 0 ? PARALLEL_MOST : run->p->most;
}

static void
run_widen(struct run *run)
{
	struct parallel *p = run->p;

	assert(lock_held(&run->lock));
	p->answers++;
	if (p->width < run_most(run) && (!p->throttled || p->answers >= p->width)) {
		p->width++;
		p->answers = 0;
	}
}

static void
run_narrow(struct run *run)
{
	struct parallel *p = run->p;
	uint64_t now = clock_steady_ms();

	assert(lock_held(&run->lock));
	if (now - run->cut_ms >= CUT_MS) {
		p->width = p->width > 1 ? p->width / 2 : 1;
		p->throttled = true;
		p->answers = 0;
		run->cut_ms = now;
	}
}

/* ------------------------------------------------------------ one request */

/* Return true if request @i must not be sent any more.  Requests before a failed one are still sent. */
static bool
run_is_over(const struct run *run, size_t i)
{
	return i > run->failed || stop_asked() != 0;
}

static bool
turn_is_over(const void *asker)
{
	const struct turn *turn = asker;

	return run_is_over(turn->run, turn->i);
}

/* Wait for a place.  Return: false: do not send the request */
static bool
run_enter(struct run *run, size_t i)
{
	lock_scope(&run->lock);

	while (run->under_way >= run->p->width && !run_is_over(run, i)) {
		(void)thread_cond_until(&run->changed, &run->lock,
					clock_steady_ns() + LOOK_MS * NS_PER_MS);
	}
	if (run_is_over(run, i)) {
		return false;
	}
	run->under_way++;
	return true;
}

static void
run_fail(struct run *run, size_t i, const struct call *c)
{
	assert(lock_held(&run->lock));
	if (i < run->failed) {
		run->failed = i;
		call_clear(&run->failure);
		(void)ctl_adopt(&run->failure, c);
	}
}

/* Count the result @r of request @i, and give up its place.  Return: true: send it again after a pause */
static bool
run_leave(struct run *run, size_t i, struct call *c, int r, struct patience *own)
{
	lock_scope(&run->lock);

	assert(run->under_way > 0);
	run->under_way--;
	(void)pthread_cond_broadcast(&run->changed);
	if (r >= 0) {
		patience_begin(&run->patience);
		patience_begin(own);
		if (r == 0) {
			run->done[i] = true;
			run_widen(run);
		} else {
			run_narrow(run);
		}
		return r > 0;
	}
	if (stop_asked() != 0 && patience_may_pass(c->error.code, true)) {
		return false; /* the request was not executed: the run is interrupted */
	}
	if (stop_asked() != 0 || !patience_may_pass(c->error.code, run->p->once)) {
		run_fail(run, i, c);
		return false;
	}
	run_narrow(run);
	if (patience_is_over(&run->patience)) {
		(void)patience_give_up(c, &run->patience);
		run_fail(run, i, c);
		return false;
	}
	if (run->p->progress != NULL) {
		progress_waits(run->p->progress, run->patience.moved_ms, &c->error);
	}
	return true;
}

static void
parallel_run_one(struct run *run, size_t i)
{
	const struct turn turn = {run, i};
	const struct call pause = {.given_up = turn_is_over, .asker = &turn};
	struct patience own;
	bool again = true;

	patience_begin(&own);
	while (again && run_enter(run, i)) {
		call_scope(c, run->now_ms);
		int r = run->fn(run->arg, i, &c);

		again = run_leave(run, i, &c, r, &own);
		again = again && pause_ms(&pause, patience_pause_ms(&own));
	}
}

/* ------------------------------------------------------------ threads */

static bool
run_take(struct run *run, size_t *i)
{
	lock_scope(&run->lock);

	if (run->next == run->n || run_is_over(run, run->next)) {
		run->alive--;
		(void)pthread_cond_broadcast(&run->changed);
		return false;
	}
	*i = run->next++;
	return true;
}

static void *
run_work(void *arg)
{
	struct run *run = arg;
	size_t i;

	while (run_take(run, &i)) {
		parallel_run_one(run, i);
	}
	return NULL;
}

/* Start threads while there are places and requests for them.  Return: number of threads */
static unsigned
run_start(struct run *run, pthread_t *threads, unsigned n)
{
	assert(lock_held(&run->lock) && run->p->width <= PARALLEL_MOST);
	while (n < run->p->width && n < run->n && run->next < run->n &&
	       !run_is_over(run, run->next) && thread_start(&threads[n], run_work, run) == 0) {
		run->alive++;
		n++;
	}
	return n;
}

static void
run_threads(struct run *run)
{
	pthread_t threads[PARALLEL_MOST];
	unsigned n = 0;

	(void)pthread_mutex_lock(&run->lock);
	n = run_start(run, threads, n);
	if (n == 0) {
		run->alive++;
		(void)pthread_mutex_unlock(&run->lock);
		(void)run_work(run); /* no thread could be started */
		return;
	}
	while (run->alive > 0) {
		(void)thread_cond_until(&run->changed, &run->lock,
					clock_steady_ns() + LOOK_MS * NS_PER_MS);
		n = run_start(run, threads, n);
	}
	(void)pthread_mutex_unlock(&run->lock);
	for (unsigned i = 0; i < n; i++) {
		(void)pthread_join(threads[i], NULL);
	}
}

/* Send one request after the other, to a local store.  Repeat only requests that were throttled or partly done. */
static int
run_in_turn(struct run *run, struct call *c)
{
	struct patience patience;
	int r = 0;

	patience_begin(&patience);
	for (size_t i = 0; r == 0 && i < run->n; i += run->done[i]) {
		r = stop_check(c);
		if (r < 0) {
			return r;
		}
		call_scope(own, run->now_ms);
		r = run->fn(run->arg, i, &own);
		run->done[i] = r == 0;
		if (r >= 0) {
			patience_begin(&patience);
			r = 0;
		} else if (!error_throttled(own.error.code) || patience_is_over(&patience)) {
			r = ctl_adopt(c, &own);
		} else {
			r = stop_pause(patience_pause_ms(&patience)) ? 0 : stop_check(c);
		}
	}
	return r;
}

int
parallel_run(struct parallel *p, struct call *c, size_t n, parallel_fn *fn, void *arg, bool *done)
{
	struct run run = {.p = p,
			  .fn = fn,
			  .arg = arg,
			  .done = done,
			  .n = n,
			  .now_ms = c->now_ms,
			  .failed = SIZE_MAX};
	int r = 0;

	for (size_t i = 0; i < n; i++) {
		done[i] = false;
	}
	if (!p->foreign || n == 0) {
		return run_in_turn(&run, c);
	}
	p->width = p->width == 0 ? PARALLEL_FIRST : p->width;
	p->width = p->width < run_most(&run) ? p->width : run_most(&run);
	patience_begin(&run.patience);
	call_open(&run.failure, c->now_ms, CALL_BUDGET);
	(void)pthread_mutex_init(&run.lock, NULL);
	thread_cond_init(&run.changed);
	run_threads(&run);
	if (run.failed != SIZE_MAX) {
		r = ctl_adopt(c, &run.failure);
	}
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = done[i] ? 0 : stop_check(c);
	}
	(void)pthread_cond_destroy(&run.changed);
	(void)pthread_mutex_destroy(&run.lock);
	call_close(&run.failure);
	return r;
}
