/*
 * codec_query - Query and Scan, whose answers are pages of the same form
 */
#include "store/wire/codec_int.h"

/* In the order of enum select. */
static const char *const selects[] = {"",      "ALL_ATTRIBUTES",      "ALL_PROJECTED_ATTRIBUTES",
				      "COUNT", "SPECIFIC_ATTRIBUTES", NULL};

/* ------------------------------------------------------------ what both have */

static int
read_select(struct codec_reader *r, const struct json *root, enum select *out)
{
	int i = SELECT_DEFAULT;
	int status =
		codec_enum(r, root, "Select",
			   "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
			   selects, &i);

	*out = (enum select)i;
	return status;
}

static int
read_start(struct codec_reader *r, const struct json *root, struct item *out)
{
	int status = codec_item(r, root, "ExclusiveStartKey", out);

	if (status == 0 && out->n == 0 && !codec_is_null(json_get(root, "ExclusiveStartKey"))) {
		return call_fail(r->c, ERR_VALIDATION,
				 "The provided starting key is invalid: The provided key element "
				 "does not match the schema");
	}
	return status;
}

/* All but where it starts, which is looked at last; @filter: QueryFilter or ScanFilter */
static int
read_common(struct codec_reader *r, const struct json *root, const char *filter, struct read_in *in)
{
	int status = codec_capacity(r, root, &in->capacity);

	if (status == 0) {
		status = codec_table_name(r, root, &in->table);
	}
	if (status == 0) {
		status = codec_filled(r, root, "IndexName", 3, &in->index);
	}
	if (status == 0) {
		status = codec_expression(r, root, "FilterExpression", &in->filter);
	}
	if (status == 0) {
		status = codec_expression(r, root, "ProjectionExpression", &in->projection);
	}
	if (status == 0) {
		status = codec_placeholders(r, root, &in->ph);
	}
	if (status == 0) {
		status = codec_filter(r, root, filter, &in->conditions);
	}
	if (status == 0) {
		status = codec_attributes(r, root, &in->attributes);
	}
	if (status == 0) {
		status = read_select(r, root, &in->select);
	}
	if (status == 0) {
		status = codec_bool(r, root, "ConsistentRead", &in->consistent);
	}
	return status < 0 ? status : codec_limit(r, root, "Limit", 1, &in->has_limit, &in->limit);
}

static void
write_common(struct codec_writer *w, const char *filter, const struct read_in *in)
{
	codec_put_string(w, "TableName", in->table);
	codec_put_string(w, "IndexName", in->index);
	codec_put_string(w, "FilterExpression", in->filter);
	codec_put_string(w, "ProjectionExpression", in->projection);
	codec_put_placeholders(w, &in->ph);
	codec_put_conditions(w, filter, &in->conditions);
	codec_put_attributes(w, &in->attributes);
	codec_put_string(w, "Select", slice_from(selects[in->select]));
	codec_put_true(w, "ConsistentRead", in->consistent);
	codec_put_capacity(w, in->capacity);
	if (in->has_limit) {
		codec_put_uint(w, "Limit", in->limit);
	}
	if (in->start.n > 0) {
		codec_put_item(w, "ExclusiveStartKey", &in->start);
	}
}

static void
write_page(struct codec_writer *w, const struct page *page, enum select select)
{
	codec_put_consumed(w, &page->consumed);
	codec_put_uint(w, "Count", page->count);
	if (select != SELECT_COUNT && !page->in_text) {
		codec_put_items(w, "Items", page->items, page->count);
	}
	if (page->last.n > 0) {
		codec_put_item(w, "LastEvaluatedKey", &page->last);
	}
	codec_put_uint(w, "ScannedCount", page->scanned);
}

static int
read_page(struct codec_reader *r, const struct json *root, enum select select, struct page *page)
{
	size_t items = 0;
	int status = codec_consumed(r, root, &page->consumed);

	if (status == 0) {
		status = codec_uint(r, root, "Count", &page->count);
	}
	if (status == 0) {
		status = codec_uint(r, root, "ScannedCount", &page->scanned);
	}
	if (status == 0) {
		status = codec_items(r, root, "Items", &page->items, &items);
	}
	if (status == 0 && items != page->count &&
	    (page->items != NULL || select != SELECT_COUNT)) {
		return call_fail(r->c, ERR_VALIDATION, "an answer with %zu items says Count %zu",
				 items, page->count);
	}
	return status < 0 ? status : codec_item(r, root, "LastEvaluatedKey", &page->last);
}

/* ------------------------------------------------------------ Query */

int
codec_read_query_in(struct codec_reader *r, const struct json *root, struct query_in *in)
{
	bool forward = true;
	int status = codec_expression(r, root, "KeyConditionExpression", &in->key_condition);

	if (status == 0) {
		status = codec_key_conditions(r, root, &in->key_conditions);
	}
	if (status == 0) {
		status = read_common(r, root, "QueryFilter", &in->read);
	}
	if (status == 0) {
		status = codec_bool(r, root, "ScanIndexForward", &forward);
		in->backward = !forward;
	}
	return status < 0 ? status : read_start(r, root, &in->read.start);
}

void
codec_write_query_in(struct codec_writer *w, const struct query_in *in)
{
	write_common(w, "QueryFilter", &in->read);
	codec_put_string(w, "KeyConditionExpression", in->key_condition);
	codec_put_conditions(w, "KeyConditions", &in->key_conditions);
	if (in->backward) {
		json_name(&w->json, "ScanIndexForward");
		json_bool(&w->json, false);
	}
}

void
codec_write_query_out(struct codec_writer *w, const struct query_in *in,
		      const struct query_out *out)
{
	write_page(w, &out->page, in->read.select);
}

int
codec_read_query_out(struct codec_reader *r, const struct json *root, const struct query_in *in,
		     struct query_out *out)
{
	return read_page(r, root, in->read.select, &out->page);
}

/* ------------------------------------------------------------ Scan */

int
codec_read_scan_in(struct codec_reader *r, const struct json *root, struct scan_in *in)
{
	int status = read_common(r, root, "ScanFilter", &in->read);

	if (status == 0) {
		status = codec_limit(r, root, "Segment", 0, &in->has_segment, &in->segment);
	}
	if (status == 0) {
		status = codec_limit(r, root, "TotalSegments", 1, &in->has_total_segments,
				     &in->total_segments);
	}
	return status < 0 ? status : read_start(r, root, &in->read.start);
}

void
codec_write_scan_in(struct codec_writer *w, const struct scan_in *in)
{
	write_common(w, "ScanFilter", &in->read);
	if (in->has_segment) {
		codec_put_uint(w, "Segment", in->segment);
	}
	if (in->has_total_segments) {
		codec_put_uint(w, "TotalSegments", in->total_segments);
	}
}

void
codec_write_scan_out(struct codec_writer *w, const struct scan_in *in, const struct scan_out *out)
{
	write_page(w, &out->page, in->read.select);
}

int
codec_read_scan_out(struct codec_reader *r, const struct json *root, const struct scan_in *in,
		    struct scan_out *out)
{
	return read_page(r, root, in->read.select, &out->page);
}
