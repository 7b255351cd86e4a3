/* backup_jobs - bodies of the jobs that write and restore table backups */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/regular.h"
#include "store/base/system/say.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/item_file.h"
#include "store/local/archive/loader.h"
#include "store/local/archive/transfer.h"
#include "store/local/jobs/jobs.h"
#include "store/model/schema.h"

struct backup_job {
	struct job job; /* first */
	struct archive archive;
	struct kv_snapshot *at; /* of a backup */
	struct slice table;     /* of a restore: the new table */
};

int
backup_jobs_enter(struct local *l, const struct job_needs *needs, struct call *c, struct job **out)
{
	return jobs_enter(l, sizeof(struct backup_job), needs, c, out);
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

/* Write the items and sync them; set the counts of the record. */
static int
backup_jobs_write(struct backup_job *b, int folder, const char *name)
{
	struct archive *a = &b->archive;
	struct item_file_counts n = {0};
	struct stat st = {0};
	cleanup(cleanup_fd) int fd =
		openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		return archive_failed(&b->job.c, name);
	}
	int r = item_file_write(b->job.local, &b->job.c, b->at, a->schema, fd, name, &n);

	if (r == 0 && (fsync(fd) < 0 || fstat(fd, &st) < 0)) {
		r = archive_failed(&b->job.c, name);
	}
	r = r < 0 ? r : archive_settle(&b->job.c, folder);
	(void)(r < 0 && unlinkat(folder, name, 0) < 0);
	a->items = n.items;
	a->item_bytes = n.item_bytes;
	a->file_bytes = (uint64_t)st.st_size;
	return r;
}

/* If the record cannot be written, its state stays RUNNING, and recovery.c marks it as failed at the next open. */
static void
backup_jobs_run_backup(struct work *w)
{
	struct backup_job *b = (struct backup_job *)w;
	struct local *l = b->job.local;
	struct archive *a = &b->archive;
	cleanup(cleanup_fd) int folder = -1;
	int r = archive_folder(l, &b->job.c, true, &folder);

	r = r < 0 ? r : backup_jobs_write(b, folder, archive_name(&b->job.c, a->id));
	l->kv->ops->snapshot_free(l->kv, b->at);
	jobs_need_nothing(&b->job);
	a->status = ARCHIVE_DONE;
	if (r < 0) {
		archive_fail(a, b->job.c.error.message);
	}
	(void)(archive_write(l, jobs_after(&b->job), a) < 0);
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

/* Open the file of a backup, and compare its size: decompression ignores some bytes after the data. */
static int
backup_jobs_open(struct backup_job *b, int folder, const char *name)
{
	uint64_t bytes = b->archive.file_bytes;
	struct stat st;

	errno = ENOENT;
	int fd = folder < 0 ? REGULAR_FAILED : regular_open(folder, name);

	if (fd < 0) {
		return fd == REGULAR_OTHER
			       ? call_fail(&b->job.c, ERR_CORRUPT, "%s: not a regular file", name)
			       : archive_failed(&b->job.c, name);
	}
	if (bytes != 0 && fstat(fd, &st) == 0 && (uint64_t)st.st_size != bytes) {
		(void)close(fd);
		return call_fail(&b->job.c, ERR_CORRUPT, "%s: %llu bytes, but %llu were written",
				 name, (unsigned long long)st.st_size, (unsigned long long)bytes);
	}
	return fd;
}

/* Put the items of the file into the table. */
static int
backup_jobs_load(struct backup_job *b)
{
	struct local *l = b->job.local;
	struct call *c = &b->job.c;
	const char *name = archive_name(c, b->archive.id);
	struct transfer counts = {.table = b->table, .source.gzip = true};
	const struct loader loader = {.local = l, .c = c, .transfer = &counts, .strict = true};
	cleanup(cleanup_fd) int folder = -1;
	int r = archive_folder(l, c, false, &folder);

	if (r < 0) {
		return r;
	}
	int fd = backup_jobs_open(b, folder, name);

	r = fd < 0 ? fd : loader_file(&loader, fd, slice_from(name));
	if (r == 0 && counts.items != b->archive.items) {
		r = call_fail(c, ERR_CORRUPT, "%s: these are not the items that were written",
			      name);
	}
	return r < 0 ? call_prefix(c, "%s/backups/", l->dir) : 0;
}

/* The backup may be deleted as soon as the table is visible. */
static int
backup_jobs_end(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	struct backup_job *b = arg;

	(void)t;
	(void)c;
	(void)s;
	jobs_need_nothing(&b->job);
	return 0;
}

static void
backup_jobs_run_restore(struct work *w)
{
	struct backup_job *b = (struct backup_job *)w;

	if (loader_end(&b->job, b->table, backup_jobs_load(b), backup_jobs_end, b) < 0) {
		say("the restore of the table %.*s from the backup %.*s failed, and the table was deleted: %s",
		    SLICE_ARG(b->table), SLICE_ARG(b->archive.id), b->job.c.error.message);
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
