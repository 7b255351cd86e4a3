/* codec_transfer - see codec_transfer.h */
#include "store/wire/codec_transfer.h"

#include "store/model/arn.h"
#include "store/model/limits.h"

const char *const transfer_statuses[] = {"IN_PROGRESS", "COMPLETED", "FAILED", NULL};
static const char all_statuses[] = "[IN_PROGRESS, COMPLETED, FAILED]";

int
transfer_read_token(struct codec_reader *r, const struct json *root, struct slice *out)
{
	int status = codec_string(r, root, "ClientToken", out);

	if (status == 0 && out->len == 0 && !codec_is_null(json_get(root, "ClientToken"))) {
		codec_fault(r, "", "ClientToken",
			    "Member must satisfy regular expression pattern: ^[^\\$]+$");
	}
	return status;
}

/* @prefix: the name of that member */
int
transfer_read_place(struct codec_reader *r, const struct json *obj, const char *prefix,
		    struct bucket_place *out)
{
	int status = codec_string(r, obj, "S3Bucket", &out->bucket);

	if (status == 0 && codec_is_null(json_get(obj, "S3Bucket"))) {
		codec_null(r, "S3Bucket");
	} else if (status == 0 && out->bucket.len == 0) {
		codec_fault(r, "", "S3Bucket",
			    "Member must satisfy regular expression pattern: "
			    "^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$");
	}
	if (status == 0) {
		status = codec_filled(r, obj, "S3BucketOwner", LIMIT_ACCOUNT_DIGITS, &out->owner);
	}
	return status < 0 ? status : codec_filled(r, obj, prefix, 1, &out->prefix);
}

void
transfer_write_place(struct codec_writer *w, const struct bucket_place *p, const char *prefix)
{
	codec_put_string(w, "S3Bucket", p->bucket);
	codec_put_string(w, "S3BucketOwner", p->owner);
	codec_put_string(w, prefix, p->prefix);
}

/* Of the table, @kind NULL, or of the transfer itself. */
void
transfer_write_arn(struct codec_writer *w, const char *name, const struct transfer *t,
		   const char *kind)
{
	struct buf arn;

	buf_init(&arn, NULL);
	buf_fmt(&arn, ARN_TABLE "%.*s", SLICE_ARG(t->table));
	if (kind != NULL) {
		buf_fmt(&arn, "%s%.*s", kind, SLICE_ARG(t->id));
	}
	codec_put_string(w, name, buf_view(&arn));
	buf_release(&arn);
}

/* What names it and says how far it is: "ExportArn" and the like, "/export/". */
int
transfer_read_state(struct codec_reader *r, const struct json *obj, const char *arn_name,
		    const char *kind, const char *status_name, struct transfer *out)
{
	struct slice arn = SLICE("");
	int word = TRANSFER_RUNNING;
	int status = codec_string(r, obj, arn_name, &arn);

	if (status == 0 && !arn_read(arn, kind, &out->table, &out->id)) {
		codec_null(r, arn_name);
	}
	if (status == 0) {
		status = codec_enum(r, obj, status_name, all_statuses, transfer_statuses, &word);
	}
	out->status = (enum transfer_status)word;
	return status < 0 ? status : codec_string(r, obj, "TableId", &out->uuid);
}

int
transfer_read_arn(struct codec_reader *r, const struct json *root, const char *name,
		  struct slice *out)
{
	int status = codec_filled(r, root, name, LIMIT_TRANSFER_ARN_MIN, out);

	if (status == 0 && out->at == NULL) {
		codec_null(r, name);
	}
	return status;
}

/* The ends and failures, and when it began. */
void
transfer_write_times(struct codec_writer *w, const struct transfer *t)
{
	codec_put_seconds(w, "StartTime", t->started_ms);
	if (t->status != TRANSFER_RUNNING) {
		codec_put_seconds(w, "EndTime", t->ended_ms);
	}
	if (t->status == TRANSFER_FAILED) {
		codec_put_string(w, "FailureCode", t->failure_code);
		codec_put_string(w, "FailureMessage", t->failure);
	}
}

int
transfer_read_times(struct codec_reader *r, const struct json *obj, struct transfer *t)
{
	int status = codec_seconds(r, obj, "StartTime", &t->started_ms);

	if (status == 0) {
		status = codec_seconds(r, obj, "EndTime", &t->ended_ms);
	}
	if (status == 0) {
		status = codec_string(r, obj, "FailureCode", &t->failure_code);
	}
	return status < 0 ? status : codec_string(r, obj, "FailureMessage", &t->failure);
}

/* @limit: the name of that member */
int
transfer_read_query(struct codec_reader *r, const struct json *root, const char *limit,
		    struct transfer_query *out)
{
	bool given = false;
	int status = codec_filled(r, root, "TableArn", 1, &out->table);

	if (status == 0) {
		status = codec_limit(r, root, limit, 1, &given, &out->limit);
	}
	return status < 0 ? status : codec_string(r, root, "NextToken", &out->next);
}

void
transfer_write_query(struct codec_writer *w, const char *limit, const struct transfer_query *q)
{
	codec_put_string(w, "TableArn", q->table);
	if (q->limit != 0) {
		codec_put_uint(w, limit, q->limit);
	}
	codec_put_string(w, "NextToken", q->next);
}
