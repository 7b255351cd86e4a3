/* codec_export - ExportTableToPointInTime, DescribeExport, ListExports */
#include "store/op/op_transfer.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/codec_transfer.h"
#include "store/wire/codec/shape.h"

static const struct shape_words codec_type_words = {
	SHAPE_WORDS("FULL_EXPORT", "INCREMENTAL_EXPORT"),
	.set = "[FULL_EXPORT, INCREMENTAL_EXPORT]"};

/* ------------------------------------------------------------ ExportTableToPointInTime */

struct codec_export {
	struct export_table_in of;
	unsigned format;
	unsigned encryption;
	struct slice key;
	bool key_given;
	unsigned type;
	bool incremental;
};

static const struct shape_words codec_format_words = {SHAPE_WORDS("DYNAMODB_JSON", "ION"),
						      .set = "[DYNAMODB_JSON, ION]"};
static const struct shape_words codec_encryption_words = {SHAPE_WORDS("AES256", "KMS"),
							  .set = "[AES256, KMS]"};
static const struct shape codec_incremental = {
	.java_class = SHAPE_CLASS("IncrementalExportSpecification")};

static const struct shape_member codec_export_members[] = {
	SHAPE_ROW(struct codec_export, of.arn, "TableArn", SHAPE_STRING, .flags = SHAPE_REQUIRED,
		  .rule = &codec_filled_rule),
	CODEC_ROWS_PLACE(struct codec_export, of.place, "S3Prefix"),
	SHAPE_ROW(struct codec_export, of.token, "ClientToken", SHAPE_STRING,
		  .rule = &codec_client_token_rule),
	SHAPE_ROW(struct codec_export, of.time_ms, "ExportTime", SHAPE_TIME),
	SHAPE_ROW(struct codec_export, format, "ExportFormat", SHAPE_ENUM,
		  .words = &codec_format_words),
	SHAPE_ROW(struct codec_export, encryption, "S3SseAlgorithm", SHAPE_ENUM,
		  .words = &codec_encryption_words),
	SHAPE_ROW(struct codec_export, key, "S3SseKmsKeyId", SHAPE_STRING,
		  SHAPE_GIVEN(struct codec_export, key_given)),
	SHAPE_ROW(struct codec_export, type, "ExportType", SHAPE_ENUM,
		  SHAPE_GIVEN(struct codec_export, of.typed), .words = &codec_type_words),
	SHAPE_INNER("IncrementalExportSpecification", &codec_incremental,
		    SHAPE_GIVEN(struct codec_export, incremental)),
	CODEC_ROW_REFUSED("FilterSpecification"),
};

/* Check ExportType.  All messages except the last are the service's. */
static int
codec_check_type(struct call *c, const struct codec_export *e)
{
	bool by_increments = e->of.typed && e->type == 1;
	const char *wrong = NULL;

	if (!e->of.typed && e->incremental) {
		wrong = "Invalid Request: Export Type expected to be Incremental Export when "
			"incremental export specification is provided";
	} else if (e->of.typed && e->type == 0 && e->incremental) {
		wrong = "Invalid Request: When Export Type is Full Export , Incremental Export "
			"Specification should not be provided";
	} else if (by_increments && !e->incremental) {
		wrong = "Invalid Request: Incremental Export Specification expected when export "
			"type is set as Incremental Export";
	}
	if (wrong != NULL) {
		return call_fail(c, ERR_VALIDATION, "%s", wrong);
	}
	return by_increments ? call_fail(c, ERR_NOT_SUPPORTED,
					 "ExportType INCREMENTAL_EXPORT is not supported")
			     : 0;
}

/* Check parameters that are not supported.  AES256 is accepted, since it is the default, but nothing is encrypted. */
static int
codec_check_export(struct call *c, const struct codec_export *e)
{
	if (e->format == 1) {
		return call_fail(c, ERR_NOT_SUPPORTED, "ExportFormat ION is not supported");
	}
	if (e->encryption == 1) {
		return call_fail(c, ERR_NOT_SUPPORTED, "S3SseAlgorithm KMS is not supported");
	}
	if (e->key_given) {
		return call_fail(c, ERR_VALIDATION,
				 "Invalid Request: KMS Key Id is not supported for this "
				 "encryption type");
	}
	return codec_check_type(c, e);
}

static int
codec_unpack_export(struct codec_reader *r, const void *draft, void *in)
{
	const struct codec_export *e = draft;

	*(struct export_table_in *)in = e->of;
	return codec_defer(r, ORDER_ITEM, codec_check_export(r->c, e));
}

static void
codec_pack_export(struct codec_writer *w, const void *in, void *draft)
{
	(void)w;
	((struct codec_export *)draft)->of = *(const struct export_table_in *)in;
}

SHAPE_DEFINE_DRAFT(codec_export, struct export_table_in, struct codec_export, codec_unpack_export,
		   codec_pack_export)

/* ------------------------------------------------------------ ExportDescription */

static const struct shape_member codec_exported_members[] = {
	CODEC_ROWS_STATE("ExportArn", "ExportStatus"),
	SHAPE_ROW(struct codec_transfer, export_ms, "ExportTime", SHAPE_TIME,
		  .flags = SHAPE_ALWAYS),
	CODEC_ROWS_PLACE(struct codec_transfer, of.place, "S3Prefix"),
	SHAPE_FIXED("S3SseAlgorithm", "AES256"),
	SHAPE_FIXED("ExportFormat", "DYNAMODB_JSON"),
	SHAPE_ROW(struct codec_transfer, type, "ExportType", SHAPE_ENUM,
		  SHAPE_GIVEN(struct codec_transfer, of.typed), .words = &codec_type_words),
	CODEC_ROWS_END,
	CODEC_ROW_STRING(struct codec_transfer, manifest, "ExportManifest"),
	SHAPE_ROW(struct codec_transfer, of.bytes, "BilledSizeBytes", SHAPE_LONG,
		  SHAPE_GIVEN(struct codec_transfer, done)),
	SHAPE_ROW(struct codec_transfer, of.items, "ItemCount", SHAPE_LONG,
		  SHAPE_GIVEN(struct codec_transfer, done)),
};

static int
codec_unpack_exported(struct codec_reader *r, const void *draft, void *out)
{
	return codec_unpack_transfer(r->c, draft, "/export/", out);
}

static void
codec_pack_exported(struct codec_writer *w, const void *out, void *draft)
{
	const struct transfer *t = out;
	struct codec_transfer *d = draft;
	struct buf name;

	codec_pack_transfer(w, t, "/export/", d);
	d->export_ms = t->started_ms;
	d->done = t->status == TRANSFER_DONE;
	if (d->done) {
		buf_init(&name, &w->arena);
		transfer_folder(&name, t);
		buf_str(&name, "/manifest-summary.json");
		d->manifest = buf_view(&name);
	}
}

SHAPE_DEFINE_DRAFT(codec_exported, struct transfer, struct codec_transfer, codec_unpack_exported,
		   codec_pack_exported)

static_assert(offsetof(struct describe_export_out, exported) == 0, "it is read like the next");
static const struct shape_member codec_export_table_out_members[] = {
	SHAPE_ROW(struct export_table_out, exported, "ExportDescription", SHAPE_STRUCT,
		  .of = &codec_exported, .flags = SHAPE_ALWAYS | SHAPE_ANSWERED)};

SHAPE_REQUEST(export_table, &codec_export)
SHAPE_ROWS_OUT(export_table)

/* ------------------------------------------------------------ DescribeExport, ListExports */

static const struct shape_member codec_describe_export_in_members[] = {
	SHAPE_ROW(struct describe_export_in, arn, "ExportArn", SHAPE_STRING,
		  .flags = SHAPE_REQUIRED, .rule = &codec_transfer_arn_rule),
};

SHAPE_ROWS_IN(describe_export)
SHAPE_ANSWER(describe_export, &codec_export_table_out)

static const struct shape_member codec_export_summary_members[] = {
	CODEC_ROW_NAME(struct codec_transfer, arn, "ExportArn"),
	SHAPE_ROW(struct codec_transfer, of.status, "ExportStatus", SHAPE_ENUM,
		  .words = &codec_transfer_words, .flags = SHAPE_ALWAYS),
	SHAPE_FIXED("ExportType", "FULL_EXPORT"),
};
SHAPE_DEFINE_DRAFT(codec_export_summary, struct transfer, struct codec_transfer,
		   codec_unpack_exported, codec_pack_exported)

static const struct shape_member codec_list_exports_in_members[] = {
	CODEC_ROWS_QUERY(struct list_exports_in, "MaxResults"),
};
static const struct shape_member codec_list_exports_out_members[] = {
	SHAPE_ROW_LIST(struct list_exports_out, page.at, page.n, "ExportSummaries",
		       &codec_export_summary, .flags = SHAPE_ALWAYS),
	CODEC_ROW_STRING(struct list_exports_out, page.next, "NextToken"),
};

SHAPE_ROWS(list_exports)
