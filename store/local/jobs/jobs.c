/* jobs - the queue of long-running jobs, and the list of what they need */
#include "store/local/jobs/jobs.h"

#include "store/base/core/workers.h"
#include "store/base/system/say.h"
#include "store/model/limits.h"

enum { CALL_BUDGET = 64 << 20 };

struct jobs {
	struct workers *workers; /* a single thread */
	atomic_bool stop;
	pthread_mutex_t lock; /* guards the following fields, and next and needs of each job */
	struct job *all;      /* the jobs that wait or run */
	unsigned n;
};

/* ------------------------------------------------------------ jobs */

int
jobs_enter(struct local *l, size_t bytes, const struct job_needs *needs, struct call *c,
	   struct job **out)
{
	struct jobs *js = l->jobs;

	assert(bytes >= sizeof(struct job));
	lock_scope(&js->lock);
	if (js->n == LIMIT_JOBS) {
		return call_fail(c, ERR_LIMIT,
				 "Subscriber limit exceeded: Only %d backups, restores, exports "
				 "and imports can be made simultaneously",
				 LIMIT_JOBS);
	}
	struct job *j = mem_zeroed(1, bytes);

	j->local = l;
	call_open(&j->c, c->now_ms, CALL_BUDGET);
	call_open(&j->after, c->now_ms, CALL_BUDGET);
	j->needs.table = slice_copy(&j->c.arena, needs->table);
	j->needs.backup = slice_copy(&j->c.arena, needs->backup);
	j->needs.snapshot = needs->snapshot;
	j->next = js->all;
	js->all = j;
	js->n++;
	*out = j;
	return 0;
}

void
jobs_leave(struct job *j)
{
	struct jobs *js = j->local->jobs;
	struct job **at = &js->all;

	{
		lock_scope(&js->lock);
		while (*at != j) {
			assert(*at != NULL);
			at = &(*at)->next;
		}
		*at = j->next;
		js->n--;
	}
	call_close(&j->after);
	call_close(&j->c);
	free(j);
}

static bool
jobs_is_same(struct slice a, struct slice b)
{
	return a.len > 0 && slice_eq(a, b);
}

bool
jobs_need(struct jobs *js, const struct job_needs *needs)
{
	bool yes = false;

	lock_scope(&js->lock);
	for (const struct job *j = js->all; j != NULL && !yes; j = j->next) {
		yes = jobs_is_same(j->needs.table, needs->table) ||
		      jobs_is_same(j->needs.backup, needs->backup);
	}
	return yes;
}

void
jobs_need_nothing(struct job *j)
{
	lock_scope(&j->local->jobs->lock);
	j->needs = (struct job_needs){0};
}

void
jobs_run(struct job *j, void (*run)(struct work *w))
{
	j->work.run = run;
	workers_add(j->local->jobs->workers, &j->work);
}

struct call *
jobs_after(struct job *j)
{
	call_clear(&j->after);
	return &j->after;
}

const atomic_bool *
jobs_stopping(const struct jobs *js)
{
	return &js->stop;
}

/* ------------------------------------------------------------ life */

struct jobs *
jobs_new(void)
{
	struct jobs *js = mem_new(struct jobs);

	js->workers = workers_new(1);
	(void)pthread_mutex_init(&js->lock, NULL);
	return js;
}

/* Log the number of jobs that delay the closing of the store. */
static void
tell_of_snapshots(struct jobs *js)
{
	unsigned n = 0;

	lock_scope(&js->lock);
	for (const struct job *j = js->all; j != NULL; j = j->next) {
		n += j->needs.snapshot;
	}
	if (n > 0) {
		say("%u backup%s to be written before the store is closed", n,
		    n == 1 ? " or export" : "s and exports");
	}
}

void
jobs_free(struct jobs *js)
{
	if (js != NULL) {
		atomic_store(&js->stop, true);
		tell_of_snapshots(js);
		workers_free(js->workers);
		(void)pthread_mutex_destroy(&js->lock);
		free(js);
	}
}
