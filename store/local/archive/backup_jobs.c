/* backup_jobs - bodies of the jobs that write and restore table backups */
#include "store/local/archive/backup_jobs.h"

#include <assert.h>
#include <errno.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/system/say.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/dump.h"
#include "store/local/jobs/jobs.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/local/write/batch.h"
#include "store/model/schema.h"

enum { CALL_BUDGET = 64 << 20 };

struct backup_job {
	struct job job; /* first */
	struct archive archive;
	struct kv_snapshot *at; /* of a backup */
	struct slice table;     /* of a restore: the new table */
};

int
backup_jobs_enter(struct local *l, const struct job_needs *needs, struct call *c, struct job **out)
{
	return jobs_enter(l->jobs, sizeof(struct backup_job), needs, c, out);
}

static void
backup_jobs_begin(struct backup_job *b, const struct archive *a, void (*run)(struct work *w))
{
	b->archive = *a;
	b->archive.id = slice_copy(&b->job.c.arena, a->id);
	b->archive.name = slice_copy(&b->job.c.arena, a->name);
	b->archive.schema = schema_copy(&b->job.c.arena, a->schema);
	jobs_run(&b->job, run);
}

/* ------------------------------------------------------------ backup */

/* Return: 0; < 0: the file was deleted */
static int
backup_jobs_write(struct backup_job *b)
{
	struct local *l = jobs_local(b->job.jobs);
	struct archive *a = &b->archive;
	const char *name = archive_name(&b->job.c, a->id);
	cleanup(cleanup_fd) int folder = -1;
	struct dump_counts n = {0};
	int r = archive_folder(l, &b->job.c, true, &folder);

	r = r < 0 ? r : dump_write(l, &b->job.c, b->at, a->schema, folder, name, 0600, &n);
	if (r == 0) {
		r = archive_settle(&b->job.c, folder);
		(void)(r < 0 && unlinkat(folder, name, 0) < 0);
	}
	a->items = n.items;
	a->item_bytes = n.item_bytes;
	a->file_bytes = n.file_bytes;
	return r;
}

/* If the record cannot be written, its state stays RUNNING, and recovery.c marks it as failed at the next open. */
static void
backup_jobs_run_backup(struct work *w)
{
	struct backup_job *b = (struct backup_job *)w;
	struct local *l = jobs_local(b->job.jobs);
	struct archive *a = &b->archive;
	struct call after;
	int r = backup_jobs_write(b);

	l->kv->ops->snapshot_free(l->kv, b->at);
	jobs_need_nothing(&b->job);
	a->status = ARCHIVE_DONE;
	call_open(&after, b->job.c.now_ms, CALL_BUDGET);
	if (r < 0) {
		archive_fail(a, b->job.c.error.message);
	}
	(void)(archive_write(l, &after, a) < 0);
	call_close(&after);
	jobs_leave(&b->job);
}

void
backup_jobs_backup(struct job *j, const struct archive *a, struct kv_snapshot *at)
{
	struct backup_job *b = (struct backup_job *)j;

	b->at = at;
	backup_jobs_begin(b, a, backup_jobs_run_backup);
}

/* ------------------------------------------------------------ restore */

static int
backup_jobs_put(void *arg, struct call *c, const struct item *items, size_t n)
{
	const struct backup_job *b = arg;

	return batch_load(jobs_local(b->job.jobs), c,
			  &(struct load_items_in){.table = b->table, .items = items, .n_items = n});
}

static int
backup_jobs_publish(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	struct backup_job *b = arg;

	assert(s->creating);
	jobs_need_nothing(&b->job);
	s->creating = false;
	table_publish(t, c, s->table);
	return 0;
}

static void
backup_jobs_give_up(struct backup_job *b, const char *why)
{
	struct call c;

	say("the restore of the table %.*s from the backup %.*s failed, and the table was deleted: %s",
	    SLICE_ARG(b->table), SLICE_ARG(b->archive.id), why);
	call_open(&c, b->job.c.now_ms, CALL_BUDGET);
	(void)(table_give_up(jobs_local(b->job.jobs), &c, b->table) < 0);
	call_close(&c);
}

static void
backup_jobs_run_restore(struct work *w)
{
	struct backup_job *b = (struct backup_job *)w;
	struct local *l = jobs_local(b->job.jobs);
	const char *name = archive_name(&b->job.c, b->archive.id);
	cleanup(cleanup_fd) int folder = -1;
	int r = archive_folder(l, &b->job.c, false, &folder);

	if (r == 0 && folder < 0) {
		r = call_fail(&b->job.c, ERR_IO, "backups/%s: %s", name, strerrordesc_np(ENOENT));
	}
	if (r == 0) {
		r = dump_read(&b->job.c, folder, name, b->archive.items, b->archive.file_bytes,
			      jobs_stopping(b->job.jobs), backup_jobs_put, b);
		r = r < 0 ? call_prefix(&b->job.c, "%s/backups/", l->dir) : r;
	}

	if (r == 0) {
		r = alter_table(l, &b->job.c, b->table,
				&(struct alteration){.change = backup_jobs_publish,
						     .arg = b,
						     .even_creating = true},
				NULL);
	}
	if (r < 0 && !atomic_load(jobs_stopping(b->job.jobs))) {
		backup_jobs_give_up(b, b->job.c.error.message);
	}
	jobs_leave(&b->job);
}

void
backup_jobs_restore(struct job *j, const struct archive *a, struct slice table)
{
	struct backup_job *b = (struct backup_job *)j;

	b->table = slice_copy(&b->job.c.arena, table);
	backup_jobs_begin(b, a, backup_jobs_run_restore);
}
