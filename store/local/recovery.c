/* recovery - fails or restarts the jobs of an earlier process, and removes their files */
#include "store/local/recovery.h"

#include "store/base/system/folder.h"
#include "store/base/system/say.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/transfer.h"
#include "store/local/commit/damage.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog.h"
#include "store/local/tables/tables.h"

enum { CALL_BUDGET = 64 << 20, FAILED_KEPT_MS = 24 * 60 * 60 * 1000 };

/* ------------------------------------------------------------ backups */

/* Mark a backup that was being written as failed; forget an old failed one. */
static int
tidy_backup(void *arg, struct call *c, const struct archive *found)
{
	struct local *l = arg;

	if (found == NULL) {
		damage_pass_over(c);
		return 0;
	}
	struct archive a = *found;

	if (a.status == ARCHIVE_RUNNING) {
		archive_fail(&a, "the process ended before the backup was complete");
		return archive_write(l, c, &a);
	}
	if (a.status != ARCHIVE_FAILED || c->now_ms <= a.started_ms + FAILED_KEPT_MS) {
		return 0;
	}
	a.status = ARCHIVE_DELETED;
	return archive_write(l, c, &a);
}

static int
tidy_backups(struct local *l, struct call *c)
{
	return archive_each(l, c, slice_of(NULL, 0), tidy_backup, l);
}

/* ------------------------------------------------------------ files */

/*
 * Return: 1: the file belongs to an unfinished backup and may be removed; 0: keep it; < 0.  A file without a record
 * is kept, because it may be newer than the store.
 */
static int
is_left(struct local *l, struct call *c, struct slice id)
{
	struct archive a;
	int r = archive_find(l, c, id, &a);

	if (r == KV_ABSENT) {
		say("backups/%.*s.json.gz is not a backup of this store: it stays where it is",
		    SLICE_ARG(id));
		return 0;
	}
	if (r == -ERR_CORRUPT) {
		damage_pass_over(c);
		return 0;
	}
	return r < 0 ? r : a.status != ARCHIVE_DONE;
}

static int
tidy_files(struct local *l, struct call *c)
{
	cleanup(cleanup_fd) int folder = -1;
	int r = l->dir == NULL ? 0 : archive_folder(l, c, false, &folder);
	cleanup(cleanup_dir) DIR *d = folder < 0 ? NULL : folder_list(folder);
	const char *entry;
	bool removed = false;

	if (folder >= 0 && d == NULL) {
		return call_fail(c, ERR_IO, "backups: %s", strerrordesc_np(errno));
	}
	while (r == 0 && (entry = folder_next(d)) != NULL) {
		struct slice id = archive_file(slice_from(entry));

		if (id.len > 0) {
			r = is_left(l, c, id);
		}
		if (id.len > 0 && r == 1) {
			r = 0;
			removed = unlinkat(folder, entry, 0) == 0 || removed;
		}
	}
	return r == 0 && removed ? archive_settle(c, folder) : r;
}

/* ------------------------------------------------------------ tables */

static int
begin_again(struct local *l, struct call *c, const struct schema *s)
{
	const struct job_needs needs = {.backup = s->restored.backup};
	struct archive a;
	struct job *job;

	if (s->restored.backup.len == 0) {
		return import_begin_again(l, c, s);
	}
	int r = archive_find(l, c, s->restored.backup, &a);

	if (r == KV_ABSENT) {
		say("the restore of the table %.*s failed: the backup %.*s does not exist",
		    SLICE_ARG(s->table), SLICE_ARG(s->restored.backup));
		return table_give_up(l, c, s->table);
	}
	if (r == 0) {
		r = backup_jobs_enter(l, &needs, c, &job);
	}
	if (r == 0) {
		backup_jobs_restore(job, &a, s->table);
	}
	return r;
}

static int
tidy_tables(struct local *l, struct call *c)
{
	const struct schema *s = catalog_next(l->catalog, c, slice_of(NULL, 0));
	int r = 0;

	for (; s != NULL && r == 0; s = catalog_next(l->catalog, c, s->table)) {
		r = s->creating ? begin_again(l, c, s) : 0;
		if (r == -ERR_CORRUPT) {
			damage_pass_over(c);
			r = 0;
		}
	}
	return r;
}

/* Transfers come before tables, because tidy_tables() restarts imports, which may end at any time. */
void
recovery_tidy(struct local *l, const struct call *c)
{
	int (*const steps[])(struct local * l, struct call * c) = {tidy_backups, tidy_files,
								   transfer_tidy, tidy_tables};
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	bool read_only = kv_room(l->kv, &own, KV_ROOM_COMPACTION, NULL) == -ERR_READ_ONLY;

	call_close(&own);
	/* Nothing can be written to a read-only store; the reason was reported when it was opened. */
	if (read_only) {
		return;
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		call_open(&own, c->now_ms, CALL_BUDGET);
		if (steps[i](l, &own) < 0) {
			say("unfinished work of an earlier process waits for the next start: %s",
			    own.error.message);
		}
		call_close(&own);
	}
}
