/* codec_import - ImportTable, DescribeImport, ListImports */
#include "store/model/limits.h"
#include "store/wire/codec_transfer.h"

static const char *const formats[] = {"DYNAMODB_JSON", "CSV", "ION", NULL};
static const char *const compressions[] = {"NONE", "GZIP", "ZSTD", NULL};

/* ------------------------------------------------------------ what the files are */

static int
read_delimiter(struct codec_reader *r, const struct json *csv, char *out)
{
	struct slice s = {0};
	int status = codec_string(r, csv, "Delimiter", &s);

	if (status < 0 || codec_is_null(json_get(csv, "Delimiter"))) {
		return status;
	}
	if (s.len != 1 || strchr(",;:|\t ", s.at[0]) == NULL) {
		codec_fault(r, slice_cstr(&r->c->arena, s), "Delimiter",
			    "Member must satisfy regular expression pattern: [,;:|\\t ]");
		return 0;
	}
	*out = s.at[0];
	return 0;
}

/* The service's pattern, and one more thing that a column must have: a name of its own. */
static bool
is_header(struct slice name, const struct slice *before, size_t n)
{
	for (size_t i = 0; i < name.len; i++) {
		if (name.at[i] < ' ' || name.at[i] > '~' || name.at[i] == '"' ||
		    name.at[i] == ',') {
			return false;
		}
	}
	for (size_t i = 0; i < n; i++) {
		if (slice_eq(name, before[i])) {
			return false;
		}
	}
	return name.len > 0 && name.len <= LIMIT_NAME_BYTES;
}

static int
read_headers(struct codec_reader *r, const struct json *csv, struct import_source *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, csv, "HeaderList", &list);

	if (status < 0 || list == NULL) {
		return status;
	}
	struct slice *at = arena_new(&r->c->arena, struct slice, list->n);

	if (list->n < 1 || list->n > LIMIT_CSV_HEADERS) {
		codec_fault(r, list->n < 1 ? "[]" : "[...]", "HeaderList",
			    "Member must have length %s than or equal to %d",
			    list->n < 1 ? "greater" : "less", list->n < 1 ? 1 : LIMIT_CSV_HEADERS);
		return 0;
	}
	json_each (child, list) {
		size_t n = out->n_headers;

		status = codec_text(r, child, &at[n]);
		if (status < 0) {
			return status;
		}
		if (!is_header(at[n], at, n)) {
			codec_fault(r, slice_cstr(&r->c->arena, at[n]), "HeaderList",
				    "Member must satisfy constraint: [Members must be unique and "
				    "satisfy regular expression pattern: "
				    "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*]");
		}
		out->n_headers++;
	}
	out->headers = at;
	return 0;
}

static int
read_options(struct codec_reader *r, const struct json *root, struct import_source *out)
{
	const struct json *options = NULL;
	const struct json *csv = NULL;
	int status = codec_struct(r, root, "InputFormatOptions", "InputFormatOptions", &options);

	if (status == 0) {
		status = codec_struct(r, options, "Csv", "CsvOptions", &csv);
	}
	if (status < 0 || csv == NULL) {
		return status;
	}
	if (out->format != IMPORT_CSV) {
		return call_fail(r->c, ERR_VALIDATION,
				 "Invalid Request: Unsupported InputFormatOptions for the given "
				 "input format: %s.",
				 formats[out->format]);
	}
	r->prefix = SLICE("inputFormatOptions.csv.");
	status = read_delimiter(r, csv, &out->delimiter);
	if (status == 0) {
		status = read_headers(r, csv, out);
	}
	r->prefix = SLICE("");
	return status;
}

static int
read_source(struct codec_reader *r, const struct json *root, struct import_source *out)
{
	int format = IMPORT_JSON;
	int compression = 0;
	int status =
		codec_enum(r, root, "InputFormat", "[DYNAMODB_JSON, ION, CSV]", formats, &format);

	if (status == 0 && codec_is_null(json_get(root, "InputFormat"))) {
		codec_null(r, "InputFormat");
	}
	if (status == 0) {
		status = codec_enum(r, root, "InputCompressionType", "[ZSTD, NONE, GZIP]",
				    compressions, &compression);
	}
	if (status == 0 && (format == 2 || compression == 2)) {
		status = call_fail(r->c, ERR_NOT_SUPPORTED, "%s is not supported",
				   format == 2 ? "InputFormat ION" : "InputCompressionType ZSTD");
	}
	out->format = (enum import_format)format;
	out->gzip = compression == 1;
	return status < 0 ? status : read_options(r, root, out);
}

static void
write_source(struct codec_writer *w, const struct import_source *s)
{
	codec_put_string(w, "InputFormat", slice_from(formats[s->format]));
	codec_put_string(w, "InputCompressionType", slice_from(compressions[s->gzip]));
	if (s->delimiter == 0 && s->n_headers == 0) {
		return;
	}
	codec_open(w, "InputFormatOptions", '{');
	codec_open(w, "Csv", '{');
	codec_put_string(w, "Delimiter", slice_of(&s->delimiter, s->delimiter != 0));
	if (s->n_headers > 0) {
		codec_open(w, "HeaderList", '[');
		for (size_t i = 0; i < s->n_headers; i++) {
			json_string(&w->json, s->headers[i]);
		}
		json_close(&w->json);
	}
	json_close(&w->json);
	json_close(&w->json);
}

/* ------------------------------------------------------------ where they are, and the table */

static int
read_where(struct codec_reader *r, const struct json *root, struct bucket_place *out)
{
	const struct json *obj = NULL;
	int status = codec_struct(r, root, "S3BucketSource", "S3BucketSource", &obj);

	if (status == 0 && obj == NULL) {
		codec_null(r, "S3BucketSource");
		return 0;
	}
	r->prefix = SLICE("s3BucketSource.");
	if (status == 0) {
		status = transfer_read_place(r, obj, "S3KeyPrefix", out);
	}
	r->prefix = SLICE("");
	return status;
}

static void
write_where(struct codec_writer *w, const struct bucket_place *p)
{
	codec_open(w, "S3BucketSource", '{');
	transfer_write_place(w, p, "S3KeyPrefix");
	json_close(&w->json);
}

static int
read_table(struct codec_reader *r, const struct json *root, struct create_table_in *out)
{
	const struct json *obj = NULL;
	int status =
		codec_struct(r, root, "TableCreationParameters", "TableCreationParameters", &obj);

	out->schema = arena_new(&r->c->arena, struct schema, 1);
	if (status == 0 && obj == NULL) {
		codec_null(r, "TableCreationParameters");
		return 0;
	}
	r->prefix = SLICE("tableCreationParameters.");
	if (status == 0) {
		status = codec_read_imported_table(r, obj, out);
	}
	r->prefix = SLICE("");
	return status;
}

static void
write_table(struct codec_writer *w, const struct create_table_in *table)
{
	codec_open(w, "TableCreationParameters", '{');
	codec_write_new_table(w, table);
	json_close(&w->json);
}

/* ------------------------------------------------------------ ImportTable */

int
codec_read_import_table_in(struct codec_reader *r, const struct json *root,
			   struct import_table_in *in)
{
	int status = transfer_read_token(r, root, &in->token);

	if (status == 0 && codec_is_null(json_get(root, "ClientToken"))) {
		codec_null(r, "ClientToken");
	}
	if (status == 0) {
		status = read_where(r, root, &in->place);
	}
	if (status == 0) {
		status = read_source(r, root, &in->source);
	}
	return status < 0 ? status : read_table(r, root, &in->table);
}

void
codec_write_import_table_in(struct codec_writer *w, const struct import_table_in *in)
{
	codec_put_string(w, "ClientToken", in->token);
	write_where(w, &in->place);
	write_source(w, &in->source);
	write_table(w, &in->table);
}

static void
write_import(struct codec_writer *w, const struct transfer *t)
{
	codec_open(w, "ImportTableDescription", '{');
	transfer_write_arn(w, "ImportArn", t, "/import/");
	codec_put_string(w, "ImportStatus", slice_from(transfer_statuses[t->status]));
	transfer_write_arn(w, "TableArn", t, NULL);
	codec_put_string(w, "TableId", t->uuid);
	codec_put_string(w, "ClientToken", t->token);
	write_where(w, &t->place);
	write_source(w, &t->source);
	write_table(w, &(struct create_table_in){.schema = t->schema});
	codec_put_uint(w, "ErrorCount", t->errors);
	codec_put_uint(w, "ProcessedItemCount", t->processed);
	codec_put_uint(w, "ImportedItemCount", t->items);
	transfer_write_times(w, t);
	if (t->status != TRANSFER_RUNNING) {
		codec_put_uint(w, "ProcessedSizeBytes", t->bytes);
	}
	json_close(&w->json);
}

static int
read_counts(struct codec_reader *r, const struct json *obj, struct transfer *t)
{
	int status = codec_uint(r, obj, "ErrorCount", &t->errors);

	if (status == 0) {
		status = codec_uint(r, obj, "ProcessedItemCount", &t->processed);
	}
	if (status == 0) {
		status = codec_uint(r, obj, "ImportedItemCount", &t->items);
	}
	return status < 0 ? status : codec_uint(r, obj, "ProcessedSizeBytes", &t->bytes);
}

static int
read_import(struct codec_reader *r, const struct json *root, struct transfer *t)
{
	const struct json *obj = NULL;
	struct create_table_in table = {0};
	int status =
		codec_struct(r, root, "ImportTableDescription", "ImportTableDescription", &obj);

	if (status == 0) {
		status = transfer_read_state(r, obj, "ImportArn", "/import/", "ImportStatus", t);
	}
	if (status == 0) {
		status = codec_string(r, obj, "ClientToken", &t->token);
	}
	if (status == 0) {
		status = read_where(r, obj, &t->place);
	}
	if (status == 0) {
		status = read_source(r, obj, &t->source);
	}
	if (status == 0) {
		status = read_table(r, obj, &table);
	}
	if (status == 0) {
		status = read_counts(r, obj, t);
	}
	t->schema = table.schema;
	return status < 0 ? status : transfer_read_times(r, obj, t);
}

void
codec_write_import_table_out(struct codec_writer *w, const struct import_table_in *in,
			     const struct import_table_out *out)
{
	(void)in;
	write_import(w, &out->import);
}

int
codec_read_import_table_out(struct codec_reader *r, const struct json *root,
			    const struct import_table_in *in, struct import_table_out *out)
{
	(void)in;
	return read_import(r, root, &out->import);
}

/* ------------------------------------------------------------ DescribeImport, ListImports */

int
codec_read_describe_import_in(struct codec_reader *r, const struct json *root,
			      struct describe_import_in *in)
{
	return transfer_read_arn(r, root, "ImportArn", &in->arn);
}

void
codec_write_describe_import_in(struct codec_writer *w, const struct describe_import_in *in)
{
	codec_put_string(w, "ImportArn", in->arn);
}

void
codec_write_describe_import_out(struct codec_writer *w, const struct describe_import_in *in,
				const struct describe_import_out *out)
{
	(void)in;
	write_import(w, &out->import);
}

int
codec_read_describe_import_out(struct codec_reader *r, const struct json *root,
			       const struct describe_import_in *in, struct describe_import_out *out)
{
	(void)in;
	return read_import(r, root, &out->import);
}

int
codec_read_list_imports_in(struct codec_reader *r, const struct json *root,
			   struct list_imports_in *in)
{
	return transfer_read_query(r, root, "PageSize", &in->query);
}

void
codec_write_list_imports_in(struct codec_writer *w, const struct list_imports_in *in)
{
	transfer_write_query(w, "PageSize", &in->query);
}

static void
write_summary(struct codec_writer *w, const struct transfer *t)
{
	json_open(&w->json, '{');
	transfer_write_arn(w, "ImportArn", t, "/import/");
	codec_put_string(w, "ImportStatus", slice_from(transfer_statuses[t->status]));
	transfer_write_arn(w, "TableArn", t, NULL);
	write_where(w, &t->place);
	codec_put_string(w, "InputFormat", slice_from(formats[t->source.format]));
	codec_put_seconds(w, "StartTime", t->started_ms);
	if (t->status != TRANSFER_RUNNING) {
		codec_put_seconds(w, "EndTime", t->ended_ms);
	}
	json_close(&w->json);
}

static int
read_summary(struct codec_reader *r, const struct json *obj, struct transfer *t)
{
	int format = IMPORT_JSON;
	int status = transfer_read_state(r, obj, "ImportArn", "/import/", "ImportStatus", t);

	if (status == 0) {
		status = read_where(r, obj, &t->place);
	}
	if (status == 0) {
		status = codec_enum(r, obj, "InputFormat", "[DYNAMODB_JSON, ION, CSV]", formats,
				    &format);
	}
	t->source.format = (enum import_format)format;
	return status < 0 ? status : transfer_read_times(r, obj, t);
}

void
codec_write_list_imports_out(struct codec_writer *w, const struct list_imports_in *in,
			     const struct list_imports_out *out)
{
	(void)in;
	codec_open(w, "ImportSummaryList", '[');
	for (size_t i = 0; i < out->page.n; i++) {
		write_summary(w, &out->page.at[i]);
	}
	json_close(&w->json);
	codec_put_string(w, "NextToken", out->page.next);
}

int
codec_read_list_imports_out(struct codec_reader *r, const struct json *root,
			    const struct list_imports_in *in, struct list_imports_out *out)
{
	const struct json *list = NULL;
	int status = codec_list(r, root, "ImportSummaryList", &list);

	(void)in;
	if (status < 0 || list == NULL) {
		return status;
	}
	struct transfer *at = arena_new(&r->c->arena, struct transfer, list->n);

	json_each (child, list) {
		status = codec_element(r, child, "ImportSummary");
		if (status == 0) {
			status = read_summary(r, child, &at[out->page.n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	out->page.at = at;
	return codec_string(r, root, "NextToken", &out->page.next);
}
