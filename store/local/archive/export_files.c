/* export_files - see export_files.h */
#include "store/local/archive/export_files.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/text/md5.h"
#include "store/local/archive/bucket.h"
#include "store/local/archive/dump.h"
#include "store/local/archive/transfer_job.h"
#include "store/model/manifest.h"
#include "store/op/op_transfer.h"

/* The folder and what is known of it. */
struct folder {
	struct transfer_job *j;
	struct call *c;
	struct slice path; /* within the bucket */
	const char *data;  /* name of the only file of data */
	int dir;
	int data_dir;
	mode_t mode;            /* of what is made, see bucket_open() */
	uint8_t md5[MD5_BYTES]; /* of data */
};

/* ------------------------------------------------------------ checksums */

static int
sum_data(struct folder *f)
{
	cleanup(cleanup_fd) int fd = openat(f->data_dir, f->data, O_RDONLY | O_CLOEXEC);
	int e = fd < 0 ? errno : md5_of_file(fd, f->md5);

	return e != 0 ? bucket_failed(f->c, f->data, e) : 0;
}

/* A manifest, and its checksum beside it. */
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

/* A name in the bucket: @rest in the folder. */
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

/* ------------------------------------------------------------ the whole */

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

/* All that has been written and nothing else. */
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

/* What the folder and its file of data are called. */
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

int
export_files(struct transfer_job *j)
{
	struct folder f = {.j = j, .c = &j->c, .dir = -1, .data_dir = -1};
	cleanup(cleanup_fd) int bucket =
		bucket_open(j->local, &j->c, j->transfer.place.bucket, &f.mode);

	if (bucket < 0) {
		return bucket;
	}
	name_files(&f, &j->transfer);
	f.dir = bucket_folder(&j->c, bucket, f.path, f.mode);
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
	/* What is not there need not go. */
	c->error = (struct error){0};
}
