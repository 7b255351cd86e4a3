/*
 * export - ExportTableToPointInTime, DescribeExport, ListExports; the files of an export
 *
 * An export is a folder in a bucket with one data file, two manifests and their checksums, laid out as by the
 * service.  It is written by a job.
 */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"
#include "store/local/archive/bucket.h"
#include "store/local/archive/item_file.h"
#include "store/local/archive/transfer.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"
#include "store/model/export_folder.h"
#include "store/model/manifest.h"
#include "store/op/op_transfer.h"

/* ------------------------------------------------------------ the files of an export */

/* Write all files to the folder @f and sync them; set the counts of j->transfer. */
static int
export_files(struct transfer_job *j, struct export_folder *f)
{
	struct call *c = &j->job.c;
	struct transfer *t = &j->transfer;
	struct item_file_counts n;
	int r = export_folder_put(c, f, "_started", slice_of(NULL, 0));
	cleanup(cleanup_fd) int fd = r < 0 ? r : export_folder_data(c, f, t->id);

	r = fd < 0 ? fd : item_file_write(j->job.local, c, j->at, t->schema, fd, f->name, &n);
	if (r < 0) {
		return r;
	}
	t->items = n.items;
	t->bytes = n.item_bytes;
	struct manifest m = {
		.table = t->table,
		.uuid = t->uuid,
		.id = t->id,
		.bucket = t->place.bucket,
		.prefix = t->place.prefix,
		.started_ms = t->started_ms,
		.ended_ms = transfer_job_now(j),
		.items = t->items,
		.bytes = t->bytes,
	};

	return export_folder_done(c, f, fd, &m);
}

/* Return: the folder of the export within the bucket */
static struct slice
export_path(struct call *c, const struct transfer *t)
{
	struct buf path = {.arena = &c->arena};

	transfer_folder(&path, t);
	return buf_view(&path);
}

/*
 * Return: whether the folder @name of @dir is that of the unfinished export
 * @own: the folder, if it is open; -1: then it is a folder that an export has begun and none has completed
 */
static bool
export_is_own(int dir, const char *name, int own)
{
	cleanup(cleanup_fd) int fd =
		openat(dir, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat now;
	struct stat st;

	if (own >= 0) {
		return fstat(fd, &now) == 0 && fstat(own, &st) == 0 && st.st_dev == now.st_dev &&
		       st.st_ino == now.st_ino;
	}
	return fstatat(fd, "_started", &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstatat(fd, MANIFEST_SUMMARY ".json", &st, AT_SYMLINK_NOFOLLOW) != 0;
}

/* Remove the folder of an unfinished export, but not those above it; what cannot be removed stays. */
static void
export_remove(struct call *c, int bucket, const struct transfer *t, int own)
{
	struct slice path = export_path(c, t);
	size_t above = path.len - t->id.len;
	const char *name = slice_cstr(&c->arena, slice_skip(path, above));
	cleanup(cleanup_fd) int dir = bucket_folder(c, bucket, slice_of(path.at, above - 1), 0);

	if (dir >= 0 && export_is_own(dir, name, own)) {
		folder_remove_at(dir, name);
	}
}

void
export_files_remove(const struct local *l, struct call *c, const struct transfer *t)
{
	cleanup(cleanup_fd) int bucket = bucket_open(l, c, t->place.bucket, NULL);

	if (bucket >= 0) {
		export_remove(c, bucket, t, -1);
	}
	/* Files that do not exist are no error. */
	c->error = (struct error){0};
}

/* ------------------------------------------------------------ the operations */

/* A time that is less than this ago means "now": clients truncate it to seconds. */
enum { NOW_MS = 60 * 1000 };

/*
 * Errors:  those of bucket_open(), bucket_folder() and item_file_write(), and of bucket_code().  Everything that was
 *          written is then removed, except for folders of the prefix.
 */
static void
export_run(struct work *w)
{
	struct transfer_job *j = (struct transfer_job *)w;
	struct kv *kv = j->job.local->kv;
	struct call *c = &j->job.c;
	struct slice path = export_path(c, &j->transfer);
	mode_t mode = 0;
	cleanup(cleanup_fd) int bucket =
		bucket_open(j->job.local, c, j->transfer.place.bucket, &mode);
	cleanup(cleanup_fd) int dir = bucket < 0 ? bucket : bucket_folder(c, bucket, path, mode);
	struct export_folder f = {.dir = dir, .mode = mode, .path = path, .code_of = bucket_code};
	int r = dir < 0 ? dir : export_files(j, &f);

	if (r < 0 && dir >= 0) {
		export_remove(c, bucket, &j->transfer, dir);
	}
	kv->ops->snapshot_free(kv, j->at);
	jobs_need_nothing(&j->job);
	transfer_job_end(j, r);
}

/* ------------------------------------------------------------ the request */

struct request {
	struct local *local;
	const struct export_table_in *in;
	struct transfer *transfer;
	const struct schema *schema; /* NULL: the token belongs to an earlier export */
	struct kv_snapshot *at;
};

/* Check the time of the export.  The messages are the service's. */
static int
check_time(struct call *c, const struct schema *s, uint64_t ms)
{
	if (ms == 0 || (ms <= c->now_ms && ms + NOW_MS >= c->now_ms)) {
		return 0;
	}
	return call_fail(c, ERR_EXPORT_TIME, "%s",
			 ms > c->now_ms || ms < s->recovery_ms
				 ? "Export Time is invalid"
				 : "Point in Time Recovery is not available for specified export "
				   "time");
}

/* This operation ends its group, so the snapshot contains exactly what was committed before it. */
static int
export_run_request(struct txn *t, struct call *c, void *arg)
{
	struct request *rq = arg;
	const struct export_table_in *in = rq->in;
	struct transfer asked = {
		.table = arn_table(in->arn),
		.token = in->token,
		.place = in->place,
		.typed = in->typed,
		.time_ms = in->time_ms,
	};
	int r = transfer_of_token(t, c, TRANSFER_EXPORT, &asked, rq->transfer);

	if (r != KV_ABSENT) {
		return r;
	}
	const struct schema *s = catalog_get(rq->local->catalog, c, in->arn);

	if (s == NULL || s->creating) {
		return fail_no_such_table(c, in->arn);
	}
	if (s->recovery_ms == 0) {
		return call_fail(c, ERR_NO_RECOVERY,
				 "Point in time recovery is not enabled for table '%.*s'",
				 SLICE_ARG(s->table));
	}
	r = check_time(c, s, in->time_ms);
	if (r < 0) {
		return r;
	}
	rq->schema = s;
	asked.uuid = s->uuid;
	*rq->transfer = asked;
	transfer_begin(t, c, TRANSFER_EXPORT, rq->transfer);
	return 0;
}

static void
request_committed(void *arg)
{
	struct request *rq = arg;

	if (rq->schema != NULL) {
		rq->at = rq->local->kv->ops->snapshot_new(rq->local->kv);
	}
}

int
local_exec_export_table(struct local *l, struct call *c, const struct export_table_in *in,
			struct export_table_out *out)
{
	struct request rq = {.local = l, .in = in, .transfer = &out->exported};
	const struct job_needs needs = {.snapshot = true};
	struct job *job = NULL;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no buckets");
	}
	int r = jobs_enter(l, sizeof(struct transfer_job), &needs, c, &job);

	if (r < 0) {
		return r;
	}
	r = txn_run_last(l->queue, c, export_run_request, request_committed, &rq);
	if (r == 0 && rq.schema != NULL) {
		transfer_job_run(job, &out->exported, rq.schema, rq.at, false, export_run);
	} else {
		jobs_leave(job);
	}
	return r;
}

/* ------------------------------------------------------------ DescribeExport, ListExports */

int
local_exec_describe_export(struct local *l, struct call *c, const struct describe_export_in *in,
			   struct describe_export_out *out)
{
	return transfer_describe(l, c, TRANSFER_EXPORT, in->arn, &out->exported);
}

int
local_exec_list_exports(struct local *l, struct call *c, const struct list_exports_in *in,
			struct list_exports_out *out)
{
	return transfer_list(l, c, TRANSFER_EXPORT, &in->query, &out->page);
}
