/*
 * order - the stages of the checks of each request, as data
 *
 * The front end has decoded all values of the request, or knows which part it could not decode.
 */
#include "store/op/order.h"

#include <assert.h>

#include "store/model/item.h"
#include "store/model/legacy_check.h"
#include "store/model/placeholders.h"
#include "store/op/unmixed.h"
#include "store/op/validate.h"
#include "store/op/validate_int.h"

struct order_stage {
	int (*check)(struct call *c, const void *in); /* NULL: only the values of the part */
	enum order_part part;
	bool early; /* binding the expressions repeats the check; here only for order_check_before() */
	bool deep; /* see order_check_deep() */
};

/* ------------------------------------------------------------ stages of single items */

static int
order_get_mixed(struct call *c, const void *in)
{
	return unmixed_get(c, in);
}

static int
order_get_attributes(struct call *c, const void *in)
{
	const struct get_item_in *get = in;

	return legacy_check_names(c, &get->attributes);
}

static int
order_get_names(struct call *c, const void *in)
{
	const struct get_item_in *get = in;

	return placeholders_check_names(c, &get->ph);
}

/* The three writes begin with a struct write_in. */
static_assert(offsetof(struct put_item_in, write) == 0, "see above");
static_assert(offsetof(struct update_item_in, write) == 0, "see above");
static_assert(offsetof(struct delete_item_in, write) == 0, "see above");

static int
order_write_mixed(struct call *c, const void *in)
{
	return unmixed_write(c, in);
}

static int
order_update_mixed(struct call *c, const void *in)
{
	return unmixed_update(c, in);
}

static int
order_item(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return item_check(c, &write->item);
}

/* ReturnValues of PutItem and DeleteItem. */
static int
order_returns(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return write->return_values <= RETURN_ALL_OLD
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "ReturnValues can only be ALL_OLD or NONE");
}

static int
order_size(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return item_size(&write->item) <= LIMIT_ITEM_BYTES ? 0 : item_fail_size(c);
}

static int
order_updates(struct call *c, const void *in)
{
	const struct update_item_in *update = in;

	return legacy_check_updates(c, &update->updates);
}

static int
order_expected(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return legacy_check_expected(c, &write->expected);
}

static int
order_write_names(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return placeholders_check_names(c, &write->ph);
}

static int
order_write_values(struct call *c, const void *in)
{
	const struct write_in *write = in;

	return placeholders_check_keys(c, &write->ph);
}

/* ------------------------------------------------------------ stages of reads */

/* Both begin with a struct read_in. */
static_assert(offsetof(struct query_in, read) == 0, "see above");
static_assert(offsetof(struct scan_in, read) == 0, "see above");

static int
order_limit(struct call *c, const void *in)
{
	const struct read_in *read = in;

	return !read->has_limit || read->limit > 0
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   CONSTRAINT "Member must have value greater than or equal to 1",
				   "0", "limit");
}

static int
order_query_mixed(struct call *c, const void *in)
{
	return unmixed_query(c, in);
}

static int
order_scan_mixed(struct call *c, const void *in)
{
	return unmixed_scan(c, in);
}

static int
order_filter(struct call *c, const void *in)
{
	const struct read_in *read = in;

	return legacy_check_filter(c, &read->conditions);
}

static int
order_attributes(struct call *c, const void *in)
{
	const struct read_in *read = in;

	return legacy_check_names(c, &read->attributes);
}

static int
order_key_given(struct call *c, const void *in)
{
	const struct query_in *query = in;

	return query->key_condition.at != NULL || query->key_conditions.given
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "Either the KeyConditions or KeyConditionExpression parameter "
				   "must be specified in the request.");
}

/* Source: BEHAVIOUR 13.4 */
static int
order_segments(struct call *c, const void *of)
{
	const struct scan_in *in = of;

	if (in->has_segment && !in->has_total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The TotalSegments parameter is required but was not present in "
				 "the request when Segment parameter is present");
	}
	if (!in->has_segment && in->has_total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The Segment parameter is required but was not present in the "
				 "request when parameter TotalSegments is present");
	}
	if (!in->has_segment) {
		return 0;
	}
	if (in->total_segments < 1 || in->total_segments > LIMIT_SEGMENTS) {
		return call_fail(c, ERR_VALIDATION,
				 "1 validation error detected: Value '%u' at 'totalSegments' "
				 "failed to satisfy constraint: Member must have value %s than or "
				 "equal to %d",
				 in->total_segments, in->total_segments < 1 ? "greater" : "less",
				 in->total_segments < 1 ? 1 : LIMIT_SEGMENTS);
	}
	if (in->segment >= in->total_segments) {
		return call_fail(c, ERR_VALIDATION,
				 "The Segment parameter is zero-based and must be less than "
				 "parameter TotalSegments: Segment: %u is not less than "
				 "TotalSegments: %u",
				 in->segment, in->total_segments);
	}
	return 0;
}

static int
order_read_names(struct call *c, const void *in)
{
	const struct read_in *read = in;

	return placeholders_check_names(c, &read->ph);
}

static int
order_read_values(struct call *c, const void *in)
{
	const struct read_in *read = in;

	return placeholders_check_keys(c, &read->ph);
}

/* ------------------------------------------------------------ the table */

#define ORDER_CHECK(check_) \
	{ \
		.check = (check_), .part = ORDER_NONE \
	}
#define ORDER_PART(part_, check_) \
	{ \
		.check = (check_), .part = (part_) \
	}
#define ORDER_DEEP(check_) \
	{ \
		.check = (check_), .part = ORDER_NONE, .deep = true \
	}
#define ORDER_EARLY(check_) \
	{ \
		.check = (check_), .part = ORDER_NONE, .early = true \
	}

static const struct order_stage order_get[] = {
	ORDER_CHECK(order_get_mixed),      ORDER_PART(ORDER_ITEM, NULL),
	ORDER_CHECK(order_get_attributes), ORDER_EARLY(order_get_names),
	ORDER_PART(ORDER_VALUES, NULL),
};

static const struct order_stage order_put[] = {
	ORDER_CHECK(order_write_mixed),
	ORDER_PART(ORDER_ITEM, order_item),
	ORDER_DEEP(order_returns),
	ORDER_CHECK(order_size),
	ORDER_PART(ORDER_EXPECTED, order_expected),
	ORDER_EARLY(order_write_names),
	ORDER_EARLY(order_write_values),
	ORDER_PART(ORDER_VALUES, NULL),
};

static const struct order_stage order_update[] = {
	ORDER_CHECK(order_update_mixed),          ORDER_PART(ORDER_ITEM, NULL),
	ORDER_PART(ORDER_UPDATES, order_updates), ORDER_PART(ORDER_EXPECTED, order_expected),
	ORDER_EARLY(order_write_names),           ORDER_EARLY(order_write_values),
	ORDER_PART(ORDER_VALUES, NULL),
};

static const struct order_stage order_delete[] = {
	ORDER_CHECK(order_write_mixed), ORDER_PART(ORDER_ITEM, NULL),
	ORDER_DEEP(order_returns),      ORDER_PART(ORDER_EXPECTED, order_expected),
	ORDER_EARLY(order_write_names), ORDER_EARLY(order_write_values),
	ORDER_PART(ORDER_VALUES, NULL),
};

/* KeyConditions themselves are checked after the expressions. */
static const struct order_stage order_query[] = {
	ORDER_CHECK(order_limit),
	ORDER_CHECK(order_query_mixed),
	ORDER_PART(ORDER_FILTER, order_filter),
	ORDER_CHECK(order_attributes),
	ORDER_PART(ORDER_START, NULL),
	ORDER_CHECK(order_key_given),
	ORDER_EARLY(order_read_names),
	ORDER_EARLY(order_read_values),
	ORDER_PART(ORDER_VALUES, NULL),
	ORDER_PART(ORDER_KEY, NULL),
};

static const struct order_stage order_scan[] = {
	ORDER_CHECK(order_limit),       ORDER_CHECK(order_scan_mixed),
	ORDER_CHECK(order_attributes),  ORDER_PART(ORDER_FILTER, order_filter),
	ORDER_PART(ORDER_START, NULL),  ORDER_CHECK(order_segments),
	ORDER_EARLY(order_read_names),  ORDER_EARLY(order_read_values),
	ORDER_PART(ORDER_VALUES, NULL),
};

#define ORDER_STAGES(stages) \
	{ \
		(stages), sizeof(stages) / sizeof((stages)[0]) \
	}

static const struct {
	const struct order_stage *at;
	size_t n;
} orders[OP_COUNT] = {
	[OP_GET_ITEM] = ORDER_STAGES(order_get),
	[OP_PUT_ITEM] = ORDER_STAGES(order_put),
	[OP_UPDATE_ITEM] = ORDER_STAGES(order_update),
	[OP_DELETE_ITEM] = ORDER_STAGES(order_delete),
	[OP_QUERY] = ORDER_STAGES(order_query),
	[OP_SCAN] = ORDER_STAGES(order_scan),
};

/* ------------------------------------------------------------ running the stages */

static int
order_check(struct call *c, enum op_type type, const void *in)
{
	int r = 0;

	assert(orders[type].n > 0);
	for (size_t i = 0; i < orders[type].n && r == 0; i++) {
		const struct order_stage *stage = &orders[type].at[i];

		r = stage->check == NULL || stage->early ? 0 : stage->check(c, in);
	}
	return r;
}

int
order_check_deep(struct call *c, const struct op_in *in)
{
	int r = 0;

	assert(in->type < OP_COUNT);
	for (size_t i = 0; i < orders[in->type].n && r == 0; i++) {
		const struct order_stage *stage = &orders[in->type].at[i];

		r = stage->deep ? stage->check(c, &in->get_item) : 0;
	}
	return r;
}

int
order_check_before(struct call *c, const struct op_in *in, enum order_part part)
{
	int r = 0;

	assert(in->type < OP_COUNT && part != ORDER_NONE);
	for (size_t i = 0; i < orders[in->type].n && r == 0; i++) {
		const struct order_stage *stage = &orders[in->type].at[i];

		if (stage->part == part) {
			break;
		}
		r = stage->check == NULL ? 0 : stage->check(c, &in->get_item);
	}
	return r;
}

/* ------------------------------------------------------------ one operation each */

int
validate_get_item(struct call *c, const struct get_item_in *in)
{
	int r = validate_table_name(c, in->table);

	return r < 0 ? r : order_check(c, OP_GET_ITEM, in);
}

int
validate_put_item(struct call *c, const struct put_item_in *in)
{
	int r = validate_table_name(c, in->write.table);

	return r < 0 ? r : validate_envelop(c, order_check(c, OP_PUT_ITEM, in));
}

int
validate_update_item(struct call *c, const struct update_item_in *in)
{
	int r = validate_table_name(c, in->write.table);

	return r < 0 ? r : validate_envelop(c, order_check(c, OP_UPDATE_ITEM, in));
}

int
validate_delete_item(struct call *c, const struct delete_item_in *in)
{
	int r = validate_table_name(c, in->write.table);

	return r < 0 ? r : validate_envelop(c, order_check(c, OP_DELETE_ITEM, in));
}

int
validate_query(struct call *c, const struct query_in *in)
{
	int r = validate_table_name(c, in->read.table);

	return r < 0 ? r : order_check(c, OP_QUERY, in);
}

int
validate_scan(struct call *c, const struct scan_in *in)
{
	int r = validate_table_name(c, in->read.table);

	return r < 0 ? r : order_check(c, OP_SCAN, in);
}
