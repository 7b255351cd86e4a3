/* codec_import - ImportTable, DescribeImport, ListImports */
#include "store/model/limits.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/codec_transfer.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ rows: format of the files */

enum { CODEC_JSON, CODEC_CSV, CODEC_ION };
static const char *const codec_formats[] = {"DYNAMODB_JSON", "CSV", "ION", NULL};
static const struct shape_words codec_format_words = {.at = codec_formats,
						      .set = "[DYNAMODB_JSON, ION, CSV]"};

enum { CODEC_PLAIN, CODEC_GZIP, CODEC_ZSTD };
static const struct shape_words codec_compression_words = {SHAPE_WORDS("NONE", "GZIP", "ZSTD"),
							   .set = "[ZSTD, NONE, GZIP]"};

static bool
codec_fits_delimiter(struct slice s)
{
	return s.len == 1 && s.at[0] != '\0' && strchr(",;:|\t ", s.at[0]) != NULL;
}

static const struct shape_pattern codec_delimiter_pattern = {"[,;:|\\t ]", codec_fits_delimiter};
static const struct shape_rule codec_delimiter_rule = {.pattern = &codec_delimiter_pattern};
static const struct shape_rule codec_headers_rule = {.min = 1, .max = LIMIT_CSV_HEADERS};

static const struct shape_member codec_csv_members[] = {
	SHAPE_ROW(struct codec_source, delimiter, "Delimiter", SHAPE_STRING,
		  .rule = &codec_delimiter_rule),
	SHAPE_ROW_LIST(struct codec_source, headers, n_headers, "HeaderList", &shape_strings,
		       .rule = &codec_headers_rule),
};
SHAPE_DEFINE(codec_csv, struct codec_source, SHAPE_CLASS("CsvOptions"))

static const struct shape_member codec_options_members[] = {
	SHAPE_INNER("Csv", &codec_csv, SHAPE_GIVEN(struct codec_source, csv)),
};
SHAPE_DEFINE(codec_options, struct codec_source, SHAPE_CLASS("InputFormatOptions"))

/* ------------------------------------------------------------ rows: place of the files, and the table */

static const struct shape_member codec_where_members[] = {
	CODEC_ROWS_PLACE(struct codec_transfer, of.place, "S3KeyPrefix"),
};
SHAPE_DEFINE(codec_where, struct codec_transfer, SHAPE_CLASS("S3BucketSource"))

#define CODEC_ROW_WHERE \
	SHAPE_INNER("S3BucketSource", &codec_where, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS)
#define CODEC_ROW_FORMAT \
	SHAPE_ROW(struct codec_transfer, source.format, "InputFormat", SHAPE_ENUM, \
		  .words = &codec_format_words, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS)

/* The first rows of CreateTable, except local indexes, which the service ignores here. */
static const struct shape_member codec_imported_table_members[] = {
	CODEC_ROW_DEFINITIONS(struct codec_new_table, definitions, SHAPE_REQUIRED),
	SHAPE_ROW(struct codec_new_table, of.table, "TableName", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = &codec_new_name_rule),
	CODEC_ROW_KEY_SCHEMA(struct codec_new_table, key, &codec_table_key_rule),
	CODEC_ROW_INDEXES(struct codec_new_table, indexes[1], "GlobalSecondaryIndexes",
			  &codec_global_shape),
	CODEC_ROWS_BILLING(struct codec_new_table),
};
SHAPE_DEFINE(codec_imported_table, struct codec_new_table, SHAPE_CLASS("TableCreationParameters"))

#define CODEC_ROWS_IMPORT \
	CODEC_ROW_WHERE, CODEC_ROW_FORMAT, \
		SHAPE_ROW(struct codec_transfer, source.compression, "InputCompressionType", \
			  SHAPE_ENUM, .words = &codec_compression_words, .flags = SHAPE_ALWAYS), \
		SHAPE_ROW(struct codec_transfer, source, "InputFormatOptions", SHAPE_STRUCT, \
			  .of = &codec_options), \
		SHAPE_ROW(struct codec_transfer, table, "TableCreationParameters", SHAPE_STRUCT, \
			  .of = &codec_imported_table, \
			  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_ANSWERED)

/* ------------------------------------------------------------ ImportTable */

/*
 * Return whether a header matches the service's pattern, is not empty or too long, and differs from the @n before it.
 */
static bool
codec_is_header(struct slice name, const struct slice *before, size_t n)
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
codec_check_source(struct call *c, const struct codec_source *s)
{
	if (s->format == CODEC_ION || s->compression == CODEC_ZSTD) {
		return call_fail(c, ERR_NOT_SUPPORTED, "%s is not supported",
				 s->format == CODEC_ION ? "InputFormat ION"
							: "InputCompressionType ZSTD");
	}
	if (s->csv && s->format != CODEC_CSV) {
		return call_fail(c, ERR_VALIDATION,
				 "Invalid Request: Unsupported InputFormatOptions for the given "
				 "input format: %s.",
				 codec_formats[s->format]);
	}
	for (size_t i = 0; i < s->n_headers && s->n_headers <= LIMIT_CSV_HEADERS; i++) {
		if (!codec_is_header(s->headers[i], s->headers, i)) {
			return call_fail(c, ERR_VALIDATION,
					 "1 validation error detected: Value '%.*s' at "
					 "'inputFormatOptions.csv.headerList' failed to satisfy "
					 "constraint: Member must satisfy constraint: [Members "
					 "must be unique and satisfy regular expression pattern: "
					 "[\\x20-\\x21\\x23-\\x2B\\x2D-\\x7E]*]",
					 SLICE_ARG(s->headers[i]));
		}
	}
	return 0;
}

static struct import_source
codec_unpack_source(const struct codec_source *s)
{
	return (struct import_source){
		.format = s->format == CODEC_CSV ? IMPORT_CSV : IMPORT_JSON,
		.gzip = s->compression == CODEC_GZIP,
		.delimiter = s->delimiter.len > 0 ? s->delimiter.at[0] : '\0',
		.headers = s->headers,
		.n_headers = s->n_headers,
	};
}

static int
codec_unpack_import(struct codec_reader *r, const void *draft, void *in)
{
	const struct codec_transfer *t = draft;
	struct import_table_in *out = in;
	int status = codec_defer(r, ORDER_ITEM, codec_check_source(r->c, &t->source));

	out->token = t->of.token;
	out->place = t->of.place;
	out->source = codec_unpack_source(&t->source);
	return status < 0 ? status : codec_unpack_new_table(r, &t->table, &out->table);
}

/* Pack the parts that a request and a description share; @s: the format of the files */
static void
codec_pack_parts(struct codec_writer *w, const struct import_source *s,
		 const struct create_table_in *table, struct codec_transfer *out)
{
	out->source = (struct codec_source){
		.format = s->format == IMPORT_CSV ? CODEC_CSV : CODEC_JSON,
		.compression = s->gzip ? CODEC_GZIP : CODEC_PLAIN,
		.csv = s->delimiter != 0 || s->n_headers > 0,
		.headers = s->headers,
		.n_headers = s->n_headers,
	};
	if (s->delimiter != 0) {
		out->source.delimiter = slice_of(&s->delimiter, 1);
	}
	codec_pack_new_table(w, table, &out->table);
}

static void
codec_pack_import(struct codec_writer *w, const void *in, void *draft)
{
	const struct import_table_in *from = in;
	struct codec_transfer *t = draft;

	t->of.token = from->token;
	t->of.place = from->place;
	codec_pack_parts(w, &from->source, &from->table, t);
}

static const struct shape_member codec_import_members[] = {
	SHAPE_ROW(struct codec_transfer, of.token, "ClientToken", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_client_token_rule),
	CODEC_ROWS_IMPORT,
};
SHAPE_DEFINE_DRAFT(codec_import, struct import_table_in, struct codec_transfer, codec_unpack_import,
		   codec_pack_import)

/* ------------------------------------------------------------ ImportTableDescription */

static const struct shape_member codec_described_members[] = {
	CODEC_ROWS_STATE("ImportArn", "ImportStatus"),
	CODEC_ROWS_IMPORT,
	CODEC_ROW_NUMBER(struct codec_transfer, of.errors, "ErrorCount"),
	CODEC_ROW_NUMBER(struct codec_transfer, of.processed, "ProcessedItemCount"),
	CODEC_ROW_NUMBER(struct codec_transfer, of.items, "ImportedItemCount"),
	CODEC_ROWS_END,
	SHAPE_ROW(struct codec_transfer, of.bytes, "ProcessedSizeBytes", SHAPE_LONG,
		  SHAPE_GIVEN(struct codec_transfer, ended)),
};

static int
codec_unpack_imported(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_transfer *from = draft;
	struct schema *s = arena_new(&r->c->arena, struct schema, 1);
	struct transfer *t = out;
	int status = codec_unpack_transfer(r->c, from, "/import/", t);

	t->schema = s;
	t->source = codec_unpack_source(&from->source);
	return status < 0 ? status : codec_accept_new_table(r->c, &from->table, s);
}

static void
codec_pack_imported(struct codec_writer *w, const void *out, void *draft)
{
	static const struct schema none;
	const struct transfer *t = out;
	const struct create_table_in table = {.schema = t->schema == NULL ? &none : t->schema};

	codec_pack_transfer(w, t, "/import/", draft);
	codec_pack_parts(w, &t->source, &table, draft);
}

SHAPE_DEFINE_DRAFT(codec_described, struct transfer, struct codec_transfer, codec_unpack_imported,
		   codec_pack_imported)

static_assert(offsetof(struct describe_import_out, import) == 0, "it is read like the next");
static const struct shape_member codec_import_table_out_members[] = {
	SHAPE_ROW(struct import_table_out, import, "ImportTableDescription", SHAPE_STRUCT,
		  .of = &codec_described, .flags = SHAPE_ALWAYS | SHAPE_ANSWERED)};

SHAPE_REQUEST(import_table, &codec_import)
SHAPE_ROWS_OUT(import_table)

/* ------------------------------------------------------------ DescribeImport, ListImports */

static const struct shape_member codec_describe_import_in_members[] = {
	SHAPE_ROW(struct describe_import_in, arn, "ImportArn", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_transfer_arn_rule),
};

SHAPE_ROWS_IN(describe_import)
SHAPE_ANSWER(describe_import, &codec_import_table_out)

static const struct shape_member codec_import_summary_members[] = {
	CODEC_ROW_NAME(struct codec_transfer, arn, "ImportArn"),
	SHAPE_ROW(struct codec_transfer, of.status, "ImportStatus", SHAPE_ENUM,
		  .words = &codec_transfer_words, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct codec_transfer, table_arn, "TableArn"),
	CODEC_ROW_WHERE,
	CODEC_ROW_FORMAT,
	SHAPE_ROW(struct codec_transfer, of.started_ms, "StartTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_transfer, of.ended_ms, "EndTime", SHAPE_TIME,
		  SHAPE_GIVEN(struct codec_transfer, ended)),
};
SHAPE_DEFINE_DRAFT(codec_import_summary, struct transfer, struct codec_transfer,
		   codec_unpack_imported, codec_pack_imported)

static const struct shape_member codec_list_imports_in_members[] = {
	CODEC_ROWS_QUERY(struct list_imports_in, "PageSize"),
};
static const struct shape_member codec_list_imports_out_members[] = {
	SHAPE_ROW_LIST(struct list_imports_out, page.at, page.n, "ImportSummaryList",
		       &codec_import_summary, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct list_imports_out, page.next, "NextToken"),
};

SHAPE_ROWS(list_imports)
