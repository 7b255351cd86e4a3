/*
 * codec_query - Query and Scan, whose answers are pages of the same form
 */
#include "store/base/text/json.h"
#include "store/model/item_json.h"
#include "store/model/typed_json.h"
#include "store/op/op.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* In the order of enum select. */
static const struct shape_words codec_select_words = {
	SHAPE_WORDS("", "ALL_ATTRIBUTES", "ALL_PROJECTED_ATTRIBUTES", "COUNT",
		    "SPECIFIC_ATTRIBUTES"),
	.set = "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"};

static const struct shape_rule codec_segment_rule = {.least = 0};

/* The members of struct read_in in @type; @filter_: QueryFilter or ScanFilter; @limit_flags: flags of Limit, whose
 * faults have the newer form in Query and the older one in Scan */
#define CODEC_ROWS_READ(type, filter_, limit_flags) \
	CODEC_ROW_CAPACITY(type, read.capacity), CODEC_ROW_TABLE(type, read.table), \
		SHAPE_ROW(type, read.index, "IndexName", SHAPE_STRING, .rule = &codec_index_rule), \
		SHAPE_ROW(type, read.select, "Select", SHAPE_ENUM, .words = &codec_select_words), \
		SHAPE_ROW(type, read.limit, "Limit", SHAPE_INTEGER, \
			  SHAPE_GIVEN(type, read.has_limit), .rule = &codec_positive_rule, \
			  .flags = (limit_flags)), \
		CODEC_ROW_EXPRESSION(type, read.filter, "FilterExpression"), \
		CODEC_ROW_EXPRESSION(type, read.projection, "ProjectionExpression"), \
		CODEC_ROW_NAMES(type, read.ph), CODEC_ROW_VALUES(type, read.ph), \
		CODEC_ROW_CONDITIONS(type, read.conditions, filter_, &codec_condition_shape, \
				     ORDER_FILTER), \
		CODEC_ROW_OPERATOR(type, read.conditions), \
		CODEC_ROW_ATTRIBUTES(type, read.attributes), \
		CODEC_ROW_BOOL(type, read.consistent, "ConsistentRead"), \
		SHAPE_ROW(type, read.start, "ExclusiveStartKey", SHAPE_ITEM, \
			  SHAPE_GIVEN(type, read.has_start), .part = ORDER_START)

/* ------------------------------------------------------------ Query */

static const struct shape_member codec_query_in_members[] = {
	CODEC_ROWS_READ(struct query_in, "QueryFilter", SHAPE_NEWER),
	CODEC_ROW_EXPRESSION(struct query_in, key_condition, "KeyConditionExpression"),
	CODEC_ROW_CONDITIONS(struct query_in, key_conditions, "KeyConditions",
			     &codec_condition_shape, ORDER_KEY),
	SHAPE_ROW(struct query_in, backward, "ScanIndexForward", SHAPE_BOOL,
		  .flags = SHAPE_OPPOSITE),
};
SHAPE_DEFINE(codec_query_in, struct query_in, NULL, .layer = SHAPE_OLDER_WORDS)

/* ------------------------------------------------------------ Scan */

static const struct shape_member codec_scan_in_members[] = {
	/* These rows come first, so that with more than FAULTS_MAX faults AttributesToGet is the one not reported. */
	SHAPE_ROW(struct scan_in, segment, "Segment", SHAPE_INTEGER,
		  SHAPE_GIVEN(struct scan_in, has_segment), .rule = &codec_segment_rule),
	SHAPE_ROW(struct scan_in, total_segments, "TotalSegments", SHAPE_INTEGER,
		  SHAPE_GIVEN(struct scan_in, has_total_segments), .rule = &codec_positive_rule),
	CODEC_ROWS_READ(struct scan_in, "ScanFilter", 0),
};

/* ------------------------------------------------------------ pages */

static const struct shape_member codec_page_members[] = {
	CODEC_ROW_CONSUMED(struct page, consumed),
	SHAPE_ROW(struct page, count, "Count", SHAPE_LONG, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct page, last, "LastEvaluatedKey", SHAPE_ITEM),
	SHAPE_ROW(struct page, scanned, "ScannedCount", SHAPE_LONG, .flags = SHAPE_ALWAYS),
};
static_assert(sizeof(((struct page *)NULL)->count) == sizeof(uint64_t), "Count is read as a Long");

/* Read the items, if they are there. */
static int
codec_read_items(struct codec_reader *r, const struct json *list, struct item **out, size_t *n)
{
	if (codec_is_null(list)) {
		return 0;
	}
	if (list->type != JSON_ARRAY) {
		return typed_json_not_container(r->c, list, "", false);
	}
	*out = arena_new(&r->c->arena, struct item, list->n);
	*n = 0;
	json_each (child, list) {
		int status = item_from_typed_json(r->c, child, &(*out)[(*n)++]);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

/* Read the items.  There must be as many as Count says, or none with Select COUNT. */
static int
codec_finish_page(struct codec_reader *r, const struct json *json, void *out)
{
	const struct read_in *in = op_read(r->in);
	struct page *page = out;
	size_t n = 0;
	int status = codec_read_items(r, json_get(json, "Items"), &page->items, &n);

	if (status == 0 && n != page->count &&
	    (page->items != NULL || in->select != SELECT_COUNT)) {
		return call_fail(r->c, ERR_VALIDATION, "an answer with %zu items says Count %zu", n,
				 page->count);
	}
	return status;
}

static_assert(offsetof(struct query_in, read) == 0, "codec_also_page() reads it");
static_assert(offsetof(struct scan_in, read) == 0, "likewise");

/* Write the items, unless the engine has written them already: see codec_encode_ahead(). */
static void
codec_also_page(struct codec_writer *w, const void *out)
{
	const struct read_in *in = w->in;
	const struct page *page = out;

	if (in->select != SELECT_COUNT && !page->in_text) {
		json_name(&w->json, "Items");
		json_open(&w->json, '[');
		for (size_t i = 0; i < page->count; i++) {
			item_put_json(codec_by_hand(w), &page->items[i], ITEM_TYPED);
		}
		json_close(&w->json);
	}
}

SHAPE_DEFINE(codec_page, struct page, NULL, .finish = codec_finish_page, .also = codec_also_page)

SHAPE_OPERATION(query, &codec_query_in, &codec_page)
SHAPE_ROWS_IN(scan)
SHAPE_ANSWER(scan, &codec_page)
