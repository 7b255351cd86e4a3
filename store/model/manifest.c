/* manifest - see manifest.h */
#include "store/model/manifest.h"

#include "store/base/core/clock.h"
#include "store/base/text/base64.h"
#include "store/base/text/json.h"
#include "store/base/text/md5.h"
#include "store/model/arn.h"

/* ------------------------------------------------------------ writing */

static void
manifest_put_text(struct json_writer *w, const char *name, struct slice text)
{
	json_name(w, name);
	json_string(w, text);
}

/* Writes a time as 2020-11-04T07:28:34.028Z. */
static void
manifest_put_time(struct json_writer *w, const char *name, uint64_t ms)
{
	struct buf text;

	buf_init(&text, NULL);
	clock_put(&text, ms);
	buf_char(&text, 'Z');
	manifest_put_text(w, name, buf_view(&text));
	buf_release(&text);
}

static void
put_arn(struct json_writer *w, const char *name, const struct manifest *m, bool of_export)
{
	struct buf arn;

	buf_init(&arn, NULL);
	arn_put_table(&arn, SLICE(""), m->table);
	if (of_export) {
		buf_fmt(&arn, "/export/%.*s", SLICE_ARG(m->id));
	}
	manifest_put_text(w, name, buf_view(&arn));
	buf_release(&arn);
}

static void
put_null(struct json_writer *w, const char *name)
{
	json_name(w, name);
	json_raw(w, SLICE("null"));
}

void
manifest_put_summary(struct buf *out, const struct manifest *m)
{
	struct json_writer w;

	json_writer_init(&w, out, 0);
	json_open(&w, '{');
	manifest_put_text(&w, "version", SLICE("2020-06-30"));
	put_arn(&w, "exportArn", m, true);
	manifest_put_time(&w, "startTime", m->started_ms);
	manifest_put_time(&w, "endTime", m->ended_ms);
	put_arn(&w, "tableArn", m, false);
	manifest_put_text(&w, "tableId", m->uuid);
	manifest_put_time(&w, "exportTime", m->started_ms);
	manifest_put_text(&w, "s3Bucket", m->bucket);
	if (m->prefix.len > 0) {
		manifest_put_text(&w, "s3Prefix", m->prefix);
	} else {
		put_null(&w, "s3Prefix");
	}
	manifest_put_text(&w, "s3SseAlgorithm", SLICE("AES256"));
	put_null(&w, "s3SseKmsKeyId");
	manifest_put_text(&w, "manifestFilesS3Key", m->files);
	json_name(&w, "billedSizeBytes");
	json_uint(&w, m->bytes);
	json_name(&w, "itemCount");
	json_uint(&w, m->items);
	manifest_put_text(&w, "outputFormat", SLICE("DYNAMODB_JSON"));
	manifest_put_text(&w, "exportType", SLICE("FULL_EXPORT"));
	json_close(&w);
}

void
manifest_put_file(struct buf *out, const struct manifest_file *f)
{
	struct json_writer w;
	struct buf sum;
	struct buf etag;

	buf_init(&sum, NULL);
	buf_init(&etag, NULL);
	base64_encode(&sum, slice_of((const char *)f->md5, sizeof(f->md5)));
	for (size_t i = 0; i < sizeof(f->md5); i++) {
		buf_fmt(&etag, "%02x", f->md5[i]);
	}
	json_writer_init(&w, out, 0);
	json_open(&w, '{');
	json_name(&w, "itemCount");
	json_uint(&w, f->items);
	manifest_put_text(&w, "md5Checksum", buf_view(&sum));
	manifest_put_text(&w, "etag", buf_view(&etag));
	manifest_put_text(&w, "dataFileS3Key", f->key);
	json_close(&w);
	buf_char(out, '\n');
	buf_release(&sum);
	buf_release(&etag);
}

void
manifest_put_md5(struct buf *out, struct slice manifest)
{
	uint8_t digest[MD5_BYTES];

	md5_of_bytes(manifest, digest);
	base64_encode(out, slice_of((const char *)digest, sizeof(digest)));
}

/* ------------------------------------------------------------ reading */

int
manifest_check_md5(struct call *c, struct slice manifest, struct slice sum)
{
	struct buf own;

	buf_init(&own, &c->arena);
	manifest_put_md5(&own, manifest);
	return slice_eq(ascii_trim(sum), buf_view(&own))
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "its checksum is not that of the .md5 file");
}

static bool
manifest_is_text(const struct json *json, const char *text)
{
	return json != NULL && json->type == JSON_STRING && slice_is(json->text, text);
}

/* Reads itemCount, which each manifest has. */
static int
manifest_read_count(struct call *c, const struct json *json, uint64_t *out)
{
	const struct json *count = json_get(json, "itemCount");

	if (count == NULL || count->type != JSON_NUMBER || !ascii_count(count->text, out)) {
		return call_fail(c, ERR_VALIDATION, "it has no itemCount");
	}
	return 0;
}

/* Older manifests have no exportType: they are of whole tables. */
static int
manifest_check_type(struct call *c, const struct json *type, bool incremental)
{
	bool full = type == NULL || manifest_is_text(type, "FULL_EXPORT");

	if (!full && !manifest_is_text(type, "INCREMENTAL_EXPORT")) {
		return call_fail(c, ERR_VALIDATION,
				 "exportType is neither FULL_EXPORT nor INCREMENTAL_EXPORT");
	}
	if (full == incremental) {
		return call_fail(
			c, ERR_VALIDATION,
			full ? "this export is a whole table: import it without --apply"
			     : "this is an incremental export, not a whole table: import --apply puts and "
			       "deletes its items");
	}
	return 0;
}

int
manifest_check_summary(struct call *c, struct slice text, bool incremental, uint64_t *items)
{
	const struct json *json = NULL;

	int r = json_parse(c, text, JSON_LAST_WINS, &json);
	if (r < 0) {
		return r;
	}
	const struct json *format = json_get(json, "outputFormat");

	if (manifest_is_text(format, "ION")) {
		return call_fail(
			c, ERR_VALIDATION,
			"outputFormat is ION (Amazon Ion), which is not supported: export the table as "
			"DYNAMODB_JSON");
	}
	if (!manifest_is_text(format, "DYNAMODB_JSON")) {
		return call_fail(c, ERR_VALIDATION, "outputFormat is not DYNAMODB_JSON");
	}
	r = manifest_check_type(c, json_get(json, "exportType"), incremental);
	return r < 0 ? r : manifest_read_count(c, json, items);
}

int
manifest_read_file(struct call *c, struct slice line, struct manifest_file *out)
{
	const struct json *json = NULL;
	struct buf md5;

	int r = json_parse(c, line, JSON_LAST_WINS, &json);
	if (r < 0) {
		return r;
	}
	const struct json *key = json_get(json, "dataFileS3Key");
	const struct json *sum = json_get(json, "md5Checksum");

	buf_init(&md5, &c->arena);
	if (key == NULL || key->type != JSON_STRING || sum == NULL || sum->type != JSON_STRING ||
	    !base64_decode(&md5, sum->text) || md5.len != sizeof(out->md5)) {
		return call_fail(c, ERR_VALIDATION, "a line without dataFileS3Key or md5Checksum");
	}
	*out = (struct manifest_file){.key = key->text};
	memcpy(out->md5, md5.at, sizeof(out->md5));
	return manifest_read_count(c, json, &out->items);
}
