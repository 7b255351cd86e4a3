/* jobs - see jobs.h */
#include "store/local/jobs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/mem.h"
#include "store/local/alter.h"
#include "store/local/archive.h"
#include "store/local/batch.h"
#include "store/local/catalog_int.h"
#include "store/local/dump.h"
#include "store/local/tables.h"
#include "store/local/transfer.h"

enum { CALL_BUDGET = 64 << 20 };

struct jobs {
	struct local *local;
	struct workers *workers; /* one */
	atomic_bool stop;
};

struct job {
	struct work work; /* first */
	struct jobs *jobs;
	struct call c; /* holds what follows */
	struct archive archive;
	struct kv_snapshot *at; /* backup */
	struct slice table;     /* restore: the new one */
};

static struct job *
job_new(struct jobs *js, const struct call *c, const struct archive *a, void (*run)(struct work *w))
{
	struct job *j = mem_new(struct job);

	j->work.run = run;
	j->jobs = js;
	call_open(&j->c, c->now_ms, CALL_BUDGET);
	j->archive = *a;
	j->archive.id = slice_copy(&j->c.arena, a->id);
	j->archive.name = slice_copy(&j->c.arena, a->name);
	j->archive.schema = schema_copy(&j->c.arena, a->schema);
	return j;
}

static void
job_free(struct job *j)
{
	call_close(&j->c);
	free(j);
}

/* ------------------------------------------------------------ backup */

/* A failure of the record itself leaves it as it is: failed at the next start. */
static void
run_backup(struct work *w)
{
	struct job *j = (struct job *)w;
	struct local *l = j->jobs->local;
	struct archive *a = &j->archive;
	struct dump_counts n;
	int r = dump_write(l, &j->c, j->at, a->schema, AT_FDCWD, archive_path(l, &j->c, a->id),
			   &j->jobs->stop, &n);
	struct call after;

	l->kv->ops->snapshot_free(l->kv, j->at);
	a->status = r < 0 ? ARCHIVE_FAILED : ARCHIVE_DONE;
	a->items = n.items;
	a->item_bytes = n.item_bytes;
	a->file_bytes = n.file_bytes;
	a->failure = slice_from(r < 0 ? j->c.error.message : "");
	call_open(&after, j->c.now_ms, CALL_BUDGET);
	(void)(archive_write(l, &after, a) < 0);
	call_close(&after);
	job_free(j);
}

void
jobs_backup(struct jobs *js, const struct call *c, const struct archive *a, struct kv_snapshot *at)
{
	struct job *j = job_new(js, c, a, run_backup);

	j->at = at;
	workers_add(js->workers, &j->work);
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
	(void)c;
	(void)arg;
	s->creating = false;
	table_publish(t, c, s->table);
	return 0;
}

static void
run_restore(struct work *w)
{
	struct job *j = (struct job *)w;
	struct local *l = j->jobs->local;
	const char *path = archive_path(l, &j->c, j->archive.id);
	int r = dump_read(&j->c, path, j->archive.items, &j->jobs->stop, put_items, j);
	struct call after;

	call_open(&after, j->c.now_ms, CALL_BUDGET);
	if (r == 0) {
		r = alter_table(l, &after, j->table,
				&(struct alteration){.change = make_visible, .even_creating = true},
				NULL);
	}
	if (r < 0) {
		(void)(table_give_up(l, &after, j->table) < 0);
	}
	call_close(&after);
	job_free(j);
}

void
jobs_restore(struct jobs *js, const struct call *c, const struct archive *a, struct slice table)
{
	struct job *j = job_new(js, c, a, run_restore);

	j->table = slice_copy(&j->c.arena, table);
	workers_add(js->workers, &j->work);
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

struct leftovers {
	struct local *local;
	struct slice *ids;
	size_t n;
	size_t cap;
};

static int
look_for_failed(void *arg, struct call *c, const struct archive *a)
{
	struct leftovers *left = arg;

	if (a->status != ARCHIVE_DONE) {
		left->ids = arena_room(&c->arena, left->ids, left->n, &left->cap);
		left->ids[left->n++] = a->id;
	}
	return 0;
}

static int
forget_failed(struct local *l, struct call *c)
{
	struct leftovers left = {.local = l};
	int r = archive_each(l, c, slice_of(NULL, 0), look_for_failed, &left);

	for (size_t i = 0; i < left.n && r == 0; i++) {
		(void)(l->dir == NULL || unlink(archive_path(l, c, left.ids[i])) < 0);
		r = archive_forget(l, c, left.ids[i]);
	}
	return r;
}

static int
drop_unfinished(struct local *l, struct call *c)
{
	const struct schema *s = catalog_next(l->catalog, c, slice_of(NULL, 0));
	int r = 0;

	for (; s != NULL && r == 0; s = catalog_next(l->catalog, c, s->table)) {
		r = s->creating ? table_give_up(l, c, s->table) : 0;
	}
	return r;
}

/* What cannot be tidied away now waits for the next start: the store is opened all the same. */
static void
tidy(struct local *l, const struct call *c)
{
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	if (forget_failed(l, &own) == 0) {
		(void)(drop_unfinished(l, &own) < 0);
	}
	transfer_tidy(l, &own);
	call_close(&own);
}

struct jobs *
jobs_new(const struct call *c, struct local *l)
{
	struct jobs *js = mem_new(struct jobs);

	js->local = l;
	js->workers = workers_new(1);
	tidy(l, c);
	return js;
}

void
jobs_free(struct jobs *js)
{
	if (js != NULL) {
		atomic_store(&js->stop, true);
		workers_free(js->workers);
		free(js);
	}
}
