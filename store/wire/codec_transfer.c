/* codec_transfer - ExportTableToPointInTime, DescribeExport, ListExports */
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/wire/codec_int.h"

static const char *const statuses[] = {"IN_PROGRESS", "COMPLETED", "FAILED", NULL};
static const char all_statuses[] = "[IN_PROGRESS, COMPLETED, FAILED]";
static const char *const export_types[] = {"FULL_EXPORT", "INCREMENTAL_EXPORT", NULL};

/* ------------------------------------------------------------ parts */

static int
read_token(struct codec_reader *r, const struct json *root, struct slice *out)
{
	int status = codec_string(r, root, "ClientToken", out);

	if (status == 0 && out->len == 0 && !codec_is_null(json_get(root, "ClientToken"))) {
		codec_fault(r, "", "ClientToken",
			    "Member must satisfy regular expression pattern: ^[^\\$]+$");
	}
	return status;
}

/* @prefix: the name of that member */
static int
read_place(struct codec_reader *r, const struct json *obj, const char *prefix,
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

static void
write_place(struct codec_writer *w, const struct bucket_place *p, const char *prefix)
{
	codec_put_string(w, "S3Bucket", p->bucket);
	codec_put_string(w, "S3BucketOwner", p->owner);
	codec_put_string(w, prefix, p->prefix);
}

/* Of the table, @kind NULL, or of the transfer itself. */
static void
write_arn(struct codec_writer *w, const char *name, const struct transfer *t, const char *kind)
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
static int
read_state(struct codec_reader *r, const struct json *obj, const char *arn_name, const char *kind,
	   const char *status_name, struct transfer *out)
{
	struct slice arn = SLICE("");
	int word = TRANSFER_RUNNING;
	int status = codec_string(r, obj, arn_name, &arn);

	if (status == 0 && !arn_read(arn, kind, &out->table, &out->id)) {
		codec_null(r, arn_name);
	}
	if (status == 0) {
		status = codec_enum(r, obj, status_name, all_statuses, statuses, &word);
	}
	out->status = (enum transfer_status)word;
	return status;
}

static int
read_arn(struct codec_reader *r, const struct json *root, const char *name, struct slice *out)
{
	int status = codec_filled(r, root, name, LIMIT_TRANSFER_ARN_MIN, out);

	if (status == 0 && out->at == NULL) {
		codec_null(r, name);
	}
	return status;
}

/* The ends and failures, and when it began. */
static void
write_times(struct codec_writer *w, const struct transfer *t)
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

static int
read_times(struct codec_reader *r, const struct json *obj, struct transfer *t)
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
static int
read_query(struct codec_reader *r, const struct json *root, const char *limit,
	   struct transfer_query *out)
{
	bool given = false;
	int status = codec_filled(r, root, "TableArn", 1, &out->table);

	if (status == 0) {
		status = codec_limit(r, root, limit, 1, &given, &out->limit);
	}
	return status < 0 ? status : codec_string(r, root, "NextToken", &out->next);
}

static void
write_query(struct codec_writer *w, const char *limit, const struct transfer_query *q)
{
	codec_put_string(w, "TableArn", q->table);
	if (q->limit != 0) {
		codec_put_uint(w, limit, q->limit);
	}
	codec_put_string(w, "NextToken", q->next);
}

/* ------------------------------------------------------------ ExportTableToPointInTime */

/* In the service's words, but for the last. */
static int
check_type(struct codec_reader *r, int type, const struct json *incremental)
{
	const char *wrong = NULL;

	if (type < 0 && incremental != NULL) {
		wrong = "Invalid Request: Export Type expected to be Incremental Export when "
			"incremental export specification is provided";
	} else if (type == 0 && incremental != NULL) {
		wrong = "Invalid Request: When Export Type is Full Export , Incremental Export "
			"Specification should not be provided";
	} else if (type == 1 && incremental == NULL) {
		wrong = "Invalid Request: Incremental Export Specification expected when export "
			"type is set as Incremental Export";
	}
	if (wrong != NULL) {
		return call_fail(r->c, ERR_VALIDATION, "%s", wrong);
	}
	return type == 1 ? call_fail(r->c, ERR_NOT_SUPPORTED,
				     "ExportType INCREMENTAL_EXPORT is not supported")
			 : 0;
}

static int
read_type(struct codec_reader *r, const struct json *root, bool *typed)
{
	const struct json *incremental = NULL;
	int type = -1;
	int status = codec_enum(r, root, "ExportType", "[FULL_EXPORT, INCREMENTAL_EXPORT]",
				export_types, &type);

	if (status == 0) {
		status = codec_struct(r, root, "IncrementalExportSpecification",
				      "IncrementalExportSpecification", &incremental);
	}
	*typed = type >= 0;
	return status < 0 || r->n_faults > 0 ? status : check_type(r, type, incremental);
}

/* A directory encrypts nothing: what the service does unless it is told otherwise is let through. */
static int
refuse_keys(struct codec_reader *r, const struct json *root)
{
	static const char *const words[] = {"AES256", "KMS", NULL};
	int word = 0;
	int status = codec_enum(r, root, "S3SseAlgorithm", "[AES256, KMS]", words, &word);

	if (status < 0 || r->n_faults > 0) {
		return status;
	}
	if (word == 1) {
		return call_fail(r->c, ERR_NOT_SUPPORTED, "S3SseAlgorithm KMS is not supported");
	}
	return codec_is_null(json_get(root, "S3SseKmsKeyId"))
		       ? 0
		       : call_fail(r->c, ERR_VALIDATION,
				   "Invalid Request: KMS Key Id is not supported for this "
				   "encryption type");
}

static int
refuse_ion(struct codec_reader *r, const struct json *root)
{
	static const char *const words[] = {"DYNAMODB_JSON", "ION", NULL};
	int word = 0;
	int status = codec_enum(r, root, "ExportFormat", "[DYNAMODB_JSON, ION]", words, &word);

	return status == 0 && word == 1
		       ? call_fail(r->c, ERR_NOT_SUPPORTED, "ExportFormat ION is not supported")
		       : status;
}

int
codec_read_export_table_in(struct codec_reader *r, const struct json *root,
			   struct export_table_in *in)
{
	static const char *const refused[] = {"FilterSpecification", NULL};
	int status = codec_filled(r, root, "TableArn", 1, &in->arn);

	if (status == 0 && codec_is_null(json_get(root, "TableArn"))) {
		codec_null(r, "TableArn");
	}
	if (status == 0) {
		status = read_place(r, root, "S3Prefix", &in->place);
	}
	if (status == 0) {
		status = read_token(r, root, &in->token);
	}
	if (status == 0) {
		status = codec_seconds(r, root, "ExportTime", &in->time_ms);
	}
	if (status == 0) {
		status = refuse_ion(r, root);
	}
	if (status == 0) {
		status = refuse_keys(r, root);
	}
	if (status == 0) {
		status = read_type(r, root, &in->typed);
	}
	return status < 0 ? status : codec_refuse(r, root, refused);
}

void
codec_write_export_table_in(struct codec_writer *w, const struct export_table_in *in)
{
	codec_put_string(w, "TableArn", in->arn);
	codec_put_string(w, "ClientToken", in->token);
	write_place(w, &in->place, "S3Prefix");
	if (in->time_ms != 0) {
		codec_put_seconds(w, "ExportTime", in->time_ms);
	}
	if (in->typed) {
		codec_put_string(w, "ExportType", slice_from(export_types[0]));
	}
}

static void
write_manifest(struct codec_writer *w, const struct transfer *t)
{
	struct buf name;

	buf_init(&name, NULL);
	transfer_folder(&name, t);
	buf_str(&name, "/manifest-summary.json");
	codec_put_string(w, "ExportManifest", buf_view(&name));
	buf_release(&name);
}

static void
write_export(struct codec_writer *w, const struct transfer *t)
{
	codec_open(w, "ExportDescription", '{');
	write_arn(w, "ExportArn", t, "/export/");
	codec_put_string(w, "ExportStatus", slice_from(statuses[t->status]));
	write_arn(w, "TableArn", t, NULL);
	codec_put_seconds(w, "ExportTime", t->started_ms);
	codec_put_string(w, "ClientToken", t->token);
	write_place(w, &t->place, "S3Prefix");
	codec_put_string(w, "S3SseAlgorithm", SLICE("AES256"));
	codec_put_string(w, "ExportFormat", SLICE("DYNAMODB_JSON"));
	if (t->typed) {
		codec_put_string(w, "ExportType", slice_from(export_types[0]));
	}
	write_times(w, t);
	if (t->status == TRANSFER_DONE) {
		write_manifest(w, t);
		codec_put_uint(w, "BilledSizeBytes", t->bytes);
		codec_put_uint(w, "ItemCount", t->items);
	}
	json_close(&w->json);
}

static int
read_export(struct codec_reader *r, const struct json *root, struct transfer *t)
{
	const struct json *obj = NULL;
	int status = codec_struct(r, root, "ExportDescription", "ExportDescription", &obj);

	if (status == 0) {
		status = read_state(r, obj, "ExportArn", "/export/", "ExportStatus", t);
	}
	if (status == 0) {
		status = codec_string(r, obj, "ClientToken", &t->token);
	}
	if (status == 0) {
		status = read_place(r, obj, "S3Prefix", &t->place);
	}
	if (status == 0) {
		status = read_times(r, obj, t);
	}
	if (status == 0) {
		status = codec_uint(r, obj, "BilledSizeBytes", &t->bytes);
	}
	t->typed = !codec_is_null(json_get(obj, "ExportType"));
	return status < 0 ? status : codec_uint(r, obj, "ItemCount", &t->items);
}

void
codec_write_export_table_out(struct codec_writer *w, const struct export_table_in *in,
			     const struct export_table_out *out)
{
	(void)in;
	write_export(w, &out->export);
}

int
codec_read_export_table_out(struct codec_reader *r, const struct json *root,
			    const struct export_table_in *in, struct export_table_out *out)
{
	(void)in;
	return read_export(r, root, &out->export);
}

/* ------------------------------------------------------------ DescribeExport, ListExports */

int
codec_read_describe_export_in(struct codec_reader *r, const struct json *root,
			      struct describe_export_in *in)
{
	return read_arn(r, root, "ExportArn", &in->arn);
}

void
codec_write_describe_export_in(struct codec_writer *w, const struct describe_export_in *in)
{
	codec_put_string(w, "ExportArn", in->arn);
}

void
codec_write_describe_export_out(struct codec_writer *w, const struct describe_export_in *in,
				const struct describe_export_out *out)
{
	(void)in;
	write_export(w, &out->export);
}

int
codec_read_describe_export_out(struct codec_reader *r, const struct json *root,
			       const struct describe_export_in *in, struct describe_export_out *out)
{
	(void)in;
	return read_export(r, root, &out->export);
}

int
codec_read_list_exports_in(struct codec_reader *r, const struct json *root,
			   struct list_exports_in *in)
{
	return read_query(r, root, "MaxResults", &in->query);
}

void
codec_write_list_exports_in(struct codec_writer *w, const struct list_exports_in *in)
{
	write_query(w, "MaxResults", &in->query);
}

void
codec_write_list_exports_out(struct codec_writer *w, const struct list_exports_in *in,
			     const struct list_exports_out *out)
{
	(void)in;
	codec_open(w, "ExportSummaries", '[');
	for (size_t i = 0; i < out->page.n; i++) {
		const struct transfer *t = &out->page.at[i];

		json_open(&w->json, '{');
		write_arn(w, "ExportArn", t, "/export/");
		codec_put_string(w, "ExportStatus", slice_from(statuses[t->status]));
		codec_put_string(w, "ExportType", slice_from(export_types[0]));
		json_close(&w->json);
	}
	json_close(&w->json);
	codec_put_string(w, "NextToken", out->page.next);
}

int
codec_read_list_exports_out(struct codec_reader *r, const struct json *root,
			    const struct list_exports_in *in, struct list_exports_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "ExportSummaries", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct transfer *at = arena_new(&r->c->arena, struct transfer, list->n);

	json_each (child, list) {
		status = codec_element(r, child, "ExportSummary");
		if (status == 0) {
			status = read_state(r, child, "ExportArn", "/export/", "ExportStatus",
					    &at[out->page.n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->page.at = at;
	return codec_string(r, root, "NextToken", &out->page.next);
}
