/*
 * export - ExportTableToPointInTime, DescribeExport, ListExports; the files of an export
 *
 * An export is a folder in a bucket with one data file, two manifests and their checksums, laid out as by the
 * service.  It is written by a job.
 */
#include "store/local/archive/export.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/text/md5.h"
#include "store/local/archive/bucket.h"
#include "store/local/archive/dump.h"
#include "store/local/archive/transfer.h"
#include "store/local/archive/transfer_job.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/jobs.h"
#include "store/local/records/catalog_int.h"
#include "store/local/tables/tables.h"
#include "store/model/arn.h"
#include "store/model/manifest.h"
#include "store/op/op_transfer.h"

/* ------------------------------------------------------------ the files of an export */

/* The folder of an export. */
struct folder {
	struct transfer_job *j;
	struct call *c;
	struct slice path; /* within the bucket */
	const char *data;  /* name of the only data file */
	int dir;
	int data_dir;
	mode_t mode;            /* of new folders, see bucket_open() */
	uint8_t md5[MD5_BYTES]; /* of the data file */
};

/* ------------------------------------------------------------ checksums */

static int
sum_data(struct folder *f)
{
	cleanup(cleanup_fd) int fd = openat(f->data_dir, f->data, O_RDONLY | O_CLOEXEC);
	int e = fd < 0 ? errno : md5_of_file(fd, f->md5);

	return e != 0 ? bucket_failed(f->c, f->data, e) : 0;
}

/* Write the file of the checksum, then the manifest. */
static int
export_files_put_manifest(struct folder *f, const char *name, const char *sum_name,
			  struct slice bytes)
{
	struct buf sum;

	buf_init(&sum, &f->c->arena);
	manifest_put_md5(&sum, bytes);
	int r = bucket_put(f->c, f->dir, sum_name, f->mode, buf_view(&sum));

	return r < 0 ? r : bucket_put(f->c, f->dir, name, f->mode, bytes);
}

/* ------------------------------------------------------------ manifests */

/* Return: the name within the bucket of a file in the folder. */
static struct slice
export_files_key_of(struct folder *f, const char *between, const char *rest)
{
	struct buf key;

	buf_init(&key, &f->c->arena);
	buf_fmt(&key, "%.*s/%s%s", SLICE_ARG(f->path), between, rest);
	return buf_view(&key);
}

static int
put_files_manifest(struct folder *f)
{
	struct manifest_file file = {.key = export_files_key_of(f, MANIFEST_DATA "/", f->data),
				     .items = f->j->transfer.items};
	struct buf text;

	memcpy(file.md5, f->md5, sizeof(file.md5));
	buf_init(&text, &f->c->arena);
	manifest_put_file(&text, &file);
	return export_files_put_manifest(f, MANIFEST_FILES ".json", MANIFEST_FILES ".md5",
					 buf_view(&text));
}

static int
put_summary(struct folder *f)
{
	const struct transfer *t = &f->j->transfer;
	struct manifest m = {
		.table = t->table,
		.uuid = t->uuid,
		.id = t->id,
		.bucket = t->place.bucket,
		.prefix = t->place.prefix,
		.files = export_files_key_of(f, "", MANIFEST_FILES ".json"),
		.started_ms = t->started_ms,
		.ended_ms = transfer_job_now(f->j),
		.items = t->items,
		.bytes = t->bytes,
	};
	struct buf text;

	buf_init(&text, &f->c->arena);
	manifest_put_summary(&text, &m);
	return export_files_put_manifest(f, MANIFEST_SUMMARY ".json", MANIFEST_SUMMARY ".md5",
					 buf_view(&text));
}

/* ------------------------------------------------------------ all files */

static int
write_files(struct folder *f)
{
	struct dump_counts n;
	int r = bucket_put(f->c, f->dir, "_started", f->mode, slice_of(NULL, 0));

	if (r == 0) {
		f->data_dir = bucket_folder(f->c, f->dir, SLICE(MANIFEST_DATA), f->mode);
		r = f->data_dir < 0 ? f->data_dir : 0;
	}
	if (r == 0) {
		r = dump_write(f->j->local, f->c, f->j->at, f->j->schema, f->data_dir, f->data,
			       f->mode & BUCKET_FILE, &n);
	}
	if (r == 0) {
		f->j->transfer.items = n.items;
		f->j->transfer.bytes = n.item_bytes;
		r = sum_data(f);
	}
	if (r == 0) {
		r = put_files_manifest(f);
	}
	if (r == 0) {
		r = put_summary(f);
	}
	if (r == 0 && (fsync(f->data_dir) < 0 || fsync(f->dir) < 0)) {
		r = bucket_failed(f->c, f->data, errno);
	}
	return r;
}

/* Remove the files that an export writes, and nothing else. */
static void
remove_files(const struct folder *f, int bucket)
{
	static const char *const names[] = {"_started", MANIFEST_FILES ".json",
					    MANIFEST_FILES ".md5", MANIFEST_SUMMARY ".json",
					    MANIFEST_SUMMARY ".md5"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)unlinkat(f->dir, names[i], 0);
	}
	if (f->data_dir >= 0) {
		(void)unlinkat(f->data_dir, f->data, 0);
	}
	(void)unlinkat(f->dir, MANIFEST_DATA, AT_REMOVEDIR);
	(void)unlinkat(bucket, slice_cstr(&f->c->arena, f->path), AT_REMOVEDIR);
}

/* Set the names of the folder and of its data file. */
static void
name_files(struct folder *f, const struct transfer *t)
{
	struct buf path;
	struct buf data;

	buf_init(&path, &f->c->arena);
	buf_init(&data, &f->c->arena);
	transfer_folder(&path, t);
	buf_fmt(&data, "%.*s.json.gz", SLICE_ARG(t->id));
	f->path = buf_view(&path);
	f->data = data.at;
}

/*
 * Write all files and sync them; set the counts of j->transfer.
 *
 * Errors:  those of bucket_open(), bucket_folder(), bucket_put() and dump_write().  Everything that was written
 *          is then removed, except for folders of the prefix.
 */
static int
export_files(struct transfer_job *j)
{
	assert(j->kind == TRANSFER_EXPORT);

	struct folder f = {.j = j, .c = &j->job.c, .dir = -1, .data_dir = -1};
	cleanup(cleanup_fd) int bucket =
		bucket_open(j->local, &j->job.c, j->transfer.place.bucket, &f.mode);

	if (bucket < 0) {
		return bucket;
	}
	name_files(&f, &j->transfer);
	f.dir = bucket_folder(&j->job.c, bucket, f.path, f.mode);
	int r = f.dir < 0 ? f.dir : write_files(&f);

	if (r < 0 && f.dir >= 0) {
		remove_files(&f, bucket);
	}
	cleanup_fd(&f.data_dir);
	cleanup_fd(&f.dir);
	return r;
}

void
export_files_remove(const struct local *l, struct call *c, const struct transfer *t)
{
	cleanup(cleanup_fd) int bucket = bucket_open(l, c, t->place.bucket, NULL);
	struct folder f = {.c = c, .dir = -1, .data_dir = -1};

	if (bucket >= 0) {
		name_files(&f, t);
		f.dir = bucket_folder(c, bucket, f.path, 0);
	}
	if (f.dir >= 0) {
		f.data_dir = bucket_folder(c, f.dir, SLICE(MANIFEST_DATA), 0);
		remove_files(&f, bucket);
	}
	cleanup_fd(&f.data_dir);
	cleanup_fd(&f.dir);
	/* Files that do not exist are no error. */
	c->error = (struct error){0};
}

/* ------------------------------------------------------------ the operations */

/* A time that is less than this ago means "now": clients truncate it to seconds. */
enum { NOW_MS = 60 * 1000 };

static void
export_run_export(struct work *w)
{
	struct transfer_job *j = (struct transfer_job *)w;
	struct kv *kv = j->local->kv;
	int r = export_files(j);

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
	int r = transfer_of_token(t, c, TRANSFER_EXPORT, in->token, rq->transfer);

	if (r != KV_ABSENT) {
		return r < 0 ? r : transfer_check_same(c, TRANSFER_EXPORT, &asked, rq->transfer);
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
	struct transfer_job *job = NULL;

	if (l->dir == NULL) {
		return call_fail(c, ERR_NOT_SUPPORTED, "a store in memory has no buckets");
	}
	int r = transfer_job_enter(l, &(struct job_needs){.snapshot = true}, c, &job);

	if (r < 0) {
		return r;
	}
	r = txn_run_last(l->queue, c, export_run_request, request_committed, &rq);
	if (r == 0 && rq.schema != NULL) {
		job->at = rq.at;
		transfer_job_run(job, TRANSFER_EXPORT, &out->exported, rq.schema,
				 export_run_export);
	} else {
		jobs_leave(&job->job);
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
