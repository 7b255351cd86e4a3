/* ldb_search - see ldb_search.h */
#include "store/kv/ldb_search.h"

#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/mem.h"
#include "store/base/core/thread.h"
#include "store/base/system/say.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_error.h"

enum {
	STEP_BYTES = 4 << 20, /* between two looks whether to stop */
	WAIT_NS = 1000000000,
	QUIET_FACTOR = 10, /* the next search: so many times later than this one took */
};

void
ldb_search_init(struct ldb_search *s)
{
	*s = (struct ldb_search){0};
	(void)pthread_mutex_init(&s->lock, NULL);
	thread_cond_init(&s->changed);
}

static bool
ldb_search_stops(struct ldb_search *s)
{
	lock_scope(&s->lock);
	return s->stop;
}

/* All files, not up to the first one that is damaged. */
static void
ldb_search_files(struct ldb_search *s, struct ldb_damages *all)
{
	uint64_t after = 0;
	int r = 1;

	while (r == 1 && !ldb_search_stops(s)) {
		struct call own;

		call_open(&own, 0, SIZE_MAX);
		r = ldb_damage_check(&own, s->dir, &after, STEP_BYTES, ldb_damages_add, all);
		call_close(&own);
	}
}

static void *
ldb_search_run(void *arg)
{
	struct ldb_search *s = arg;
	struct ldb_damages all = {.n = 0};
	uint64_t begin = clock_steady_ns();

	ldb_search_files(s, &all);
	uint64_t end = clock_steady_ns();

	buf_str(&all.text, all.n > 0 ? ": " LDB_DAMAGE_ADVICE : "");
	buf_char(&all.text, '\0');
	lock_scope(&s->lock);
	free(s->found);
	s->found = all.n > 0 ? mem_string(all.text.at) : NULL;
	if (s->unnamed && all.n > 0) {
		say("%s", s->found);
		s->unnamed = false;
	}
	buf_release(&all.text);
	s->again_ns = end + QUIET_FACTOR * (end - begin);
	s->running = false;
	(void)pthread_cond_broadcast(&s->changed);
	return NULL;
}

/* With the lock held. */
static void
ldb_search_begin(struct ldb_search *s)
{
	if (s->running || s->stop || clock_steady_ns() < s->again_ns) {
		return;
	}
	if (s->started) {
		(void)pthread_join(s->thread, NULL); /* it has ended but for its last lines */
	}
	s->started = s->running = thread_start(&s->thread, ldb_search_run, s) == 0;
}

int
ldb_search_failed(struct ldb_search *s, struct call *c, const char *why)
{
	uint64_t until = clock_steady_ns() + WAIT_NS;

	if (!slice_starts(slice_from(why), SLICE("Corruption"))) {
		return ldb_failed(c, why);
	}
	lock_scope(&s->lock);
	ldb_search_begin(s);
	while (s->running && thread_cond_until(&s->changed, &s->lock, until)) {
	}
	if (s->found == NULL) {
		s->unnamed = s->running;
		return ldb_failed_for(
			c, why,
			"a file of the database is damaged, which itemctl check names: " LDB_DAMAGE_ADVICE);
	}
	return ldb_failed_for(c, why, s->found);
}

void
ldb_search_free(struct ldb_search *s)
{
	{
		lock_scope(&s->lock);
		s->stop = true;
	}
	if (s->started) {
		(void)pthread_join(s->thread, NULL);
	}
	free(s->found);
	(void)pthread_cond_destroy(&s->changed);
	(void)pthread_mutex_destroy(&s->lock);
}
