/* deletes - see deletes.h; a sliding window of a minute, divided into steps */
#include "fs/core/deletes.h"

#include "store/base/core/timing.h"

enum { DELETES_STEPS = 12 }; /* steps of a window */

struct deletes_table {
	struct deletes_table *next;
	uint64_t step;                  /* number of the newest step */
	uint32_t counts[DELETES_STEPS]; /* deletes per step, at its number modulo the size */
	bool shut;         /* the limit was reached, and deletes have been tried since */
	uint64_t tried_ms; /* time of the last try */
	size_t name_len;
	char name[];
};

void
deletes_init(struct deletes *d, bool limited, uint32_t max)
{
	*d = (struct deletes){
		.limited = limited, .max = max, .window_ms = timing_ms(TIMING_MAX_DELETE)};
	(void)pthread_mutex_init(&d->lock, NULL);
}

void
deletes_release(struct deletes *d)
{
	for (struct deletes_table *t = d->tables, *next; t != NULL; t = next) {
		next = t->next;
		free(t);
	}
	(void)pthread_mutex_destroy(&d->lock);
}

static struct deletes_table *
deletes_table(struct deletes *d, struct slice name)
{
	assert(lock_held(&d->lock));
	struct deletes_table *t = d->tables;

	while (t != NULL && !slice_eq(slice_of(t->name, t->name_len), name)) {
		t = t->next;
	}
	if (t == NULL) {
		t = mem_zeroed(1, sizeof(*t) + name.len);
		t->name_len = name.len;
		memcpy(t->name, name.at, name.len);
		t->next = d->tables;
		d->tables = t;
	}
	return t;
}

/* Clear the counts of the steps that are older than the window. */
static void
deletes_slide(const struct deletes *d, struct deletes_table *t, uint64_t now_ms)
{
	uint64_t step = now_ms * DELETES_STEPS / d->window_ms;

	for (uint64_t i = t->step + 1; i <= step && i <= t->step + DELETES_STEPS; i++) {
		t->counts[i % DELETES_STEPS] = 0;
	}
	t->step = step;
}

static uint64_t
deletes_sum(const struct deletes_table *t)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < DELETES_STEPS; i++) {
		sum += t->counts[i];
	}
	return sum;
}

bool
deletes_take(struct deletes *d, struct slice table, uint64_t now_ms)
{
	if (!d->limited) {
		return true;
	}
	lock_scope(&d->lock);
	struct deletes_table *t = deletes_table(d, table);

	deletes_slide(d, t, now_ms);
	t->shut = (t->shut && now_ms - t->tried_ms < d->window_ms) || deletes_sum(t) >= d->max;
	t->tried_ms = now_ms;
	t->counts[t->step % DELETES_STEPS] += !t->shut;
	return !t->shut;
}
