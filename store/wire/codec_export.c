/* codec_export - ExportTableToPointInTime, DescribeExport, ListExports */
#include "store/wire/codec_transfer.h"

static const char *const export_types[] = {"FULL_EXPORT", "INCREMENTAL_EXPORT", NULL};

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
		status = transfer_read_place(r, root, "S3Prefix", &in->place);
	}
	if (status == 0) {
		status = transfer_read_token(r, root, &in->token);
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
	transfer_write_place(w, &in->place, "S3Prefix");
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
	transfer_write_arn(w, "ExportArn", t, "/export/");
	codec_put_string(w, "ExportStatus", slice_from(transfer_statuses[t->status]));
	transfer_write_arn(w, "TableArn", t, NULL);
	codec_put_string(w, "TableId", t->uuid);
	codec_put_seconds(w, "ExportTime", t->started_ms);
	codec_put_string(w, "ClientToken", t->token);
	transfer_write_place(w, &t->place, "S3Prefix");
	codec_put_string(w, "S3SseAlgorithm", SLICE("AES256"));
	codec_put_string(w, "ExportFormat", SLICE("DYNAMODB_JSON"));
	if (t->typed) {
		codec_put_string(w, "ExportType", slice_from(export_types[0]));
	}
	transfer_write_times(w, t);
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
		status = transfer_read_state(r, obj, "ExportArn", "/export/", "ExportStatus", t);
	}
	if (status == 0) {
		status = codec_string(r, obj, "ClientToken", &t->token);
	}
	if (status == 0) {
		status = transfer_read_place(r, obj, "S3Prefix", &t->place);
	}
	if (status == 0) {
		status = transfer_read_times(r, obj, t);
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
	return transfer_read_arn(r, root, "ExportArn", &in->arn);
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
	return transfer_read_query(r, root, "MaxResults", &in->query);
}

void
codec_write_list_exports_in(struct codec_writer *w, const struct list_exports_in *in)
{
	transfer_write_query(w, "MaxResults", &in->query);
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
		transfer_write_arn(w, "ExportArn", t, "/export/");
		codec_put_string(w, "ExportStatus", slice_from(transfer_statuses[t->status]));
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
			status = transfer_read_state(r, child, "ExportArn", "/export/",
						     "ExportStatus", &at[out->page.n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->page.at = at;
	return codec_string(r, root, "NextToken", &out->page.next);
}
