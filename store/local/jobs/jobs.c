/* jobs - see jobs.h */
#include "store/local/jobs/jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"
#include "store/base/core/workers.h"
#include "store/base/system/say.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/dump.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/local/write/batch.h"
#include "store/model/limits.h"

enum { CALL_BUDGET = 64 << 20 };

struct jobs {
	struct local *local;
	struct workers *workers; /* one */
	atomic_bool stop;
	pthread_mutex_t lock; /* of what follows */
	struct job *all;      /* waiting or running */
	unsigned n;
};

struct job {
	struct work work; /* first */
	struct jobs *jobs;
	struct job *next;       /* all's */
	struct job_needs needs; /* likewise */
	struct call c;          /* holds what follows */
	struct archive archive;
	struct kv_snapshot *at; /* backup */
	struct slice table;     /* restore: the new one */
};

/* ------------------------------------------------------------ all of them */

int
jobs_enter(struct jobs *js, const struct job_needs *needs, struct call *c, struct job **out)
{
	lock_scope(&js->lock);
	if (js->n == LIMIT_JOBS) {
		return call_fail(c, ERR_LIMIT,
				 "Subscriber limit exceeded: Only %d backups, restores, exports "
				 "and imports can be made simultaneously",
				 LIMIT_JOBS);
	}
	struct job *j = mem_new(struct job);

	j->jobs = js;
	call_open(&j->c, c->now_ms, CALL_BUDGET);
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
	struct jobs *js = j->jobs;
	struct job **at = &js->all;

	{
		lock_scope(&js->lock);
		while (*at != j) {
			at = &(*at)->next;
		}
		*at = j->next;
		js->n--;
	}
	call_close(&j->c);
	free(j);
}

static bool
is_same(struct slice a, struct slice b)
{
	return a.len > 0 && slice_eq(a, b);
}

bool
jobs_need(struct jobs *js, const struct job_needs *needs)
{
	bool yes = false;

	lock_scope(&js->lock);
	for (const struct job *j = js->all; j != NULL && !yes; j = j->next) {
		yes = is_same(j->needs.table, needs->table) ||
		      is_same(j->needs.backup, needs->backup);
	}
	return yes;
}

void
jobs_need_nothing(struct job *j)
{
	lock_scope(&j->jobs->lock);
	j->needs = (struct job_needs){0};
}

static void
begin(struct job *j, const struct archive *a, void (*run)(struct work *w))
{
	j->archive = *a;
	j->archive.id = slice_copy(&j->c.arena, a->id);
	j->archive.name = slice_copy(&j->c.arena, a->name);
	j->archive.schema = schema_copy(&j->c.arena, a->schema);
	j->work.run = run;
	workers_add(j->jobs->workers, &j->work);
}

/* ------------------------------------------------------------ backup */

/* Return: 0, < 0: the file is gone. */
static int
write_file(struct job *j)
{
	struct local *l = j->jobs->local;
	struct archive *a = &j->archive;
	const char *name = archive_name(&j->c, a->id);
	cleanup(cleanup_fd) int folder = -1;
	struct dump_counts n = {0};
	int r = archive_folder(l, &j->c, true, &folder);

	r = r < 0 ? r : dump_write(l, &j->c, j->at, a->schema, folder, name, 0600, &n);
	if (r == 0) {
		r = archive_settle(&j->c, folder);
		(void)(r < 0 && unlinkat(folder, name, 0) < 0);
	}
	a->items = n.items;
	a->item_bytes = n.item_bytes;
	a->file_bytes = n.file_bytes;
	return r;
}

/* A failure of the record itself leaves it as it is: failed at the next start. */
static void
run_backup(struct work *w)
{
	struct job *j = (struct job *)w;
	struct local *l = j->jobs->local;
	struct archive *a = &j->archive;
	struct call after;
	int r = write_file(j);

	l->kv->ops->snapshot_free(l->kv, j->at);
	jobs_need_nothing(j);
	a->status = ARCHIVE_DONE;
	call_open(&after, j->c.now_ms, CALL_BUDGET);
	if (r < 0) {
		archive_fail(a, j->c.error.message);
	}
	(void)(archive_write(l, &after, a) < 0);
	call_close(&after);
	jobs_leave(j);
}

void
jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at)
{
	j->at = at;
	begin(j, a, run_backup);
}

/* ------------------------------------------------------------ restore */

static int
put_items(void *arg, struct call *c, const struct item *items, size_t n)
{
	const struct job *j = arg;

	return batch_load(j->jobs->local, c,
			  &(struct load_items_in){.table = j->table, .items = items, .n_items = n});
}

static int
make_visible(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	jobs_need_nothing(arg);
	s->creating = false;
	table_publish(t, c, s->table);
	return 0;
}

static void
give_up(struct job *j, const char *why)
{
	struct call c;

	say("the restore of the table %.*s from the backup %.*s failed, and the table is gone again: %s",
	    SLICE_ARG(j->table), SLICE_ARG(j->archive.id), why);
	call_open(&c, j->c.now_ms, CALL_BUDGET);
	(void)(table_give_up(j->jobs->local, &c, j->table) < 0);
	call_close(&c);
}

static void
run_restore(struct work *w)
{
	struct job *j = (struct job *)w;
	struct local *l = j->jobs->local;
	const char *name = archive_name(&j->c, j->archive.id);
	cleanup(cleanup_fd) int folder = -1;
	int r = archive_folder(l, &j->c, false, &folder);

	if (r == 0 && folder < 0) {
		r = call_fail(&j->c, ERR_IO, "backups/%s: %s", name, strerrordesc_np(ENOENT));
	}
	if (r == 0) {
		r = dump_read(&j->c, folder, name, j->archive.items, j->archive.file_bytes,
			      &j->jobs->stop, put_items, j);
		r = r < 0 ? call_prefix(&j->c, "%s/backups/", l->dir) : r;
	}

	if (r == 0) {
		r = alter_table(l, &j->c, j->table,
				&(struct alteration){
					.change = make_visible, .arg = j, .even_creating = true},
				NULL);
	}
	if (r < 0 && !atomic_load(&j->jobs->stop)) {
		give_up(j, j->c.error.message);
	}
	jobs_leave(j);
}

void
jobs_restore(struct job *j, const struct archive *a, struct slice table)
{
	j->table = slice_copy(&j->c.arena, table);
	begin(j, a, run_restore);
}

/* ------------------------------------------------------------ others */

void
jobs_add(struct jobs *js, struct work *w)
{
	workers_add(js->workers, w);
}

const atomic_bool *
jobs_stopping(const struct jobs *js)
{
	return &js->stop;
}

/* ------------------------------------------------------------ life */

struct jobs *
jobs_new(struct local *l)
{
	struct jobs *js = mem_new(struct jobs);

	js->local = l;
	js->workers = workers_new(1);
	(void)pthread_mutex_init(&js->lock, NULL);
	return js;
}

/* Who closes the store wonders why it takes so long. */
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
