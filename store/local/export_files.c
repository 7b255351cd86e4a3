/* export_files - see export_files.h */
#include "store/local/export_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "store/base/base64.h"
#include "store/base/cleanup.h"
#include "store/base/json.h"
#include "store/base/md5.h"
#include "store/local/bucket.h"
#include "store/local/dump.h"
#include "store/model/arn.h"

/* The folder and what is known of it. */
struct folder {
	struct transfer_job *j;
	struct call *c;
	struct slice path; /* within the bucket */
	const char *data;  /* name of the only file of data */
	int dir;
	int data_dir;
	uint8_t md5[MD5_BYTES]; /* of data */
};

/* ------------------------------------------------------------ checksums */

static int
md5_of_file(struct folder *f)
{
	cleanup(cleanup_fd) int fd = openat(f->data_dir, f->data, O_RDONLY | O_CLOEXEC);
	char *block = arena_bytes(&f->c->arena, 1 << 16);
	struct md5 *m = md5_new();
	ssize_t n = fd < 0 ? -1 : 1;

	while (n > 0) {
		n = read(fd, block, 1 << 16);
		if (n > 0) {
			md5_add(m, slice_of(block, (size_t)n));
		}
	}
	int e = errno;

	md5_end(m, f->md5);
	return n < 0 ? bucket_failed(f->c, f->data, e) : 0;
}

/* A manifest, and its checksum in base64 beside it. */
static int
put_manifest(struct folder *f, const char *name, const char *sum_name, struct slice bytes)
{
	struct md5 *m = md5_new();
	uint8_t digest[MD5_BYTES];
	struct buf sum;

	md5_add(m, bytes);
	md5_end(m, digest);
	buf_init(&sum, &f->c->arena);
	base64_encode(&sum, slice_of((const char *)digest, sizeof(digest)));
	int r = bucket_put(f->c, f->dir, sum_name, buf_view(&sum));

	return r < 0 ? r : bucket_put(f->c, f->dir, name, bytes);
}

/* ------------------------------------------------------------ manifests */

static void
put_text(struct json_writer *w, const char *name, struct slice text)
{
	json_name(w, name);
	json_string(w, text);
}

/* As 2020-11-04T07:28:34.028Z. */
static void
put_time(struct json_writer *w, const char *name, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	char date[32];
	char text[48];
	struct tm tm;

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	(void)snprintf(text, sizeof(text), "%s.%03uZ", date, (unsigned)(ms % 1000));
	put_text(w, name, slice_from(text));
}

/* A name in the bucket: @rest in the folder. */
static struct slice
key_of(struct folder *f, const char *between, const char *rest)
{
	struct buf key;

	buf_init(&key, &f->c->arena);
	buf_fmt(&key, "%.*s/%s%s", SLICE_ARG(f->path), between, rest);
	return buf_view(&key);
}

static int
put_files_manifest(struct folder *f)
{
	struct slice md5 = slice_of((const char *)f->md5, sizeof(f->md5));
	struct json_writer w;
	struct buf text;
	struct buf sum;
	struct buf etag;

	buf_init(&text, &f->c->arena);
	buf_init(&sum, &f->c->arena);
	buf_init(&etag, &f->c->arena);
	base64_encode(&sum, md5);
	for (size_t i = 0; i < sizeof(f->md5); i++) {
		buf_fmt(&etag, "%02x", f->md5[i]);
	}
	json_writer_init(&w, &text, 0);
	json_open(&w, '{');
	json_name(&w, "itemCount");
	json_uint(&w, f->j->transfer.items);
	put_text(&w, "md5Checksum", buf_view(&sum));
	put_text(&w, "etag", buf_view(&etag));
	put_text(&w, "dataFileS3Key", key_of(f, "data/", f->data));
	json_close(&w);
	buf_char(&text, '\n');
	return put_manifest(f, "manifest-files.json", "manifest-files.md5", buf_view(&text));
}

static void
put_arn(struct folder *f, struct json_writer *w, const char *name, bool of_export)
{
	const struct transfer *t = &f->j->transfer;
	struct buf arn;

	buf_init(&arn, &f->c->arena);
	buf_fmt(&arn, ARN_TABLE "%.*s", SLICE_ARG(t->table));
	if (of_export) {
		buf_fmt(&arn, "/export/%.*s", SLICE_ARG(t->id));
	}
	put_text(w, name, buf_view(&arn));
}

static int
put_summary(struct folder *f)
{
	const struct transfer *t = &f->j->transfer;
	struct json_writer w;
	struct buf text;

	buf_init(&text, &f->c->arena);
	json_writer_init(&w, &text, 0);
	json_open(&w, '{');
	put_text(&w, "version", SLICE("2020-06-30"));
	put_arn(f, &w, "exportArn", true);
	put_time(&w, "startTime", t->started_ms);
	put_time(&w, "endTime", transfer_job_now(f->j));
	put_arn(f, &w, "tableArn", false);
	put_text(&w, "tableId", t->uuid);
	put_time(&w, "exportTime", t->started_ms);
	put_text(&w, "s3Bucket", t->place.bucket);
	json_name(&w, "s3Prefix");
	if (t->place.prefix.len > 0) {
		json_string(&w, t->place.prefix);
	} else {
		json_raw(&w, SLICE("null"));
	}
	put_text(&w, "s3SseAlgorithm", SLICE("AES256"));
	json_name(&w, "s3SseKmsKeyId");
	json_raw(&w, SLICE("null"));
	put_text(&w, "manifestFilesS3Key", key_of(f, "", "manifest-files.json"));
	json_name(&w, "billedSizeBytes");
	json_uint(&w, t->bytes);
	json_name(&w, "itemCount");
	json_uint(&w, t->items);
	put_text(&w, "outputFormat", SLICE("DYNAMODB_JSON"));
	put_text(&w, "exportType", SLICE("FULL_EXPORT"));
	json_close(&w);
	return put_manifest(f, "manifest-summary.json", "manifest-summary.md5", buf_view(&text));
}

/* ------------------------------------------------------------ the whole */

static int
write_files(struct folder *f)
{
	struct dump_counts n;
	int r = bucket_put(f->c, f->dir, "_started", slice_of(NULL, 0));

	if (r == 0) {
		f->data_dir = bucket_folder(f->c, f->dir, SLICE("data"), true);
		r = f->data_dir < 0 ? f->data_dir : 0;
	}
	if (r == 0) {
		r = dump_write(f->j->local, f->c, f->j->at, f->j->schema, f->data_dir, f->data, &n);
	}
	if (r == 0) {
		f->j->transfer.items = n.items;
		f->j->transfer.bytes = n.item_bytes;
		r = md5_of_file(f);
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
	static const char *const names[] = {"_started", "manifest-files.json", "manifest-files.md5",
					    "manifest-summary.json", "manifest-summary.md5"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)unlinkat(f->dir, names[i], 0);
	}
	if (f->data_dir >= 0) {
		(void)unlinkat(f->data_dir, f->data, 0);
	}
	(void)unlinkat(f->dir, "data", AT_REMOVEDIR);
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
	cleanup(cleanup_fd) int bucket = bucket_open(j->local, &j->c, j->transfer.place.bucket);
	struct folder f = {.j = j, .c = &j->c, .dir = -1, .data_dir = -1};

	if (bucket < 0) {
		return bucket;
	}
	name_files(&f, &j->transfer);
	f.dir = bucket_folder(&j->c, bucket, f.path, true);
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
	cleanup(cleanup_fd) int bucket = bucket_open(l, c, t->place.bucket);
	struct folder f = {.c = c, .dir = -1, .data_dir = -1};

	if (bucket >= 0) {
		name_files(&f, t);
		f.dir = bucket_folder(c, bucket, f.path, false);
	}
	if (f.dir >= 0) {
		f.data_dir = bucket_folder(c, f.dir, SLICE("data"), false);
		remove_files(&f, bucket);
	}
	cleanup_fd(&f.data_dir);
	cleanup_fd(&f.dir);
	/* What is not there need not go. */
	c->error = (struct error){0};
}
