/*
 * codec_capacity - ConsumedCapacity and ItemCollectionMetrics, and the words of the members that ask for them
 *
 * An operation on one table has one object of ConsumedCapacity, a batch or a transaction a list of objects.  A write of
 * one item has one object of ItemCollectionMetrics, others have a list for each table.
 */
#include <inttypes.h>

#include "store/base/text/json.h"
#include "store/engine/consumed.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

enum { TENTHS_OF_A_HALF = 5 };

/* ------------------------------------------------------------ request words */

/* In the order of enum capacity_level. */
const struct shape_words codec_capacity_words = {SHAPE_WORDS("NONE", "TOTAL", "INDEXES"),
						 .set = "[INDEXES, TOTAL, NONE]"};

const struct shape_words codec_collections_words = {
	SHAPE_WORDS("NONE", "SIZE"), .set = "[SIZE, NONE]",
	.newer = "ReturnItemCollectionMetrics can only be SIZE or NONE"};

/* ------------------------------------------------------------ units */

/* Units, counted in halves; more precise ones are rounded down. */
static int
codec_read_halves(struct codec_reader *r, const struct json *json, void *field)
{
	uint64_t tenths = 0;

	if (json->type != JSON_NUMBER) {
		return call_fail(r->c, ERR_SERIALIZATION, "%.*s is not a number",
				 SLICE_ARG(json->name));
	}
	int status = codec_amount(r, json->text, 1, &tenths);

	*(uint64_t *)field = tenths / TENTHS_OF_A_HALF;
	return status;
}

static void
codec_write_halves(struct codec_writer *w, const void *field)
{
	uint64_t halves = *(const uint64_t *)field;

	buf_fmt(codec_by_hand(w), "%" PRIu64 ".%d", halves / 2,
		halves % 2 == 0 ? 0 : TENTHS_OF_A_HALF);
}

const struct shape_custom codec_halves = {codec_read_halves, codec_write_halves};

/* Draft of the capacity of a table, an index, or all of them. */
struct codec_used {
	struct slice name; /* of an index */
	uint64_t halves;
	uint64_t same; /* halves again, under the name of their kind; not used when it is read */
	bool reads;
	bool writes;
};

#define CODEC_ROWS_USED \
	SHAPE_ROW(struct codec_used, halves, "CapacityUnits", SHAPE_CUSTOM, \
		  .custom = &codec_halves, .flags = SHAPE_ALWAYS), \
		SHAPE_ROW(struct codec_used, same, "ReadCapacityUnits", SHAPE_CUSTOM, \
			  .custom = &codec_halves, SHAPE_GIVEN(struct codec_used, reads)), \
		SHAPE_ROW(struct codec_used, same, "WriteCapacityUnits", SHAPE_CUSTOM, \
			  .custom = &codec_halves, SHAPE_GIVEN(struct codec_used, writes))

static const struct shape_member codec_used_members[] = {CODEC_ROWS_USED};
static const struct shape codec_used_shape = {SHAPE_MEMBERS(struct codec_used, codec_used_members),
					      .key = offsetof(struct codec_used, name)};

static struct codec_used
codec_pack_used(enum capacity_kind kind, struct slice name, uint64_t halves)
{
	return (struct codec_used){name, halves, halves, kind == CAPACITY_READ,
				   kind == CAPACITY_WRITE};
}

/* ------------------------------------------------------------ ConsumedCapacity */

struct codec_consumed {
	struct codec_used all; /* first, for CODEC_ROWS_USED */
	struct slice table;
	struct codec_used of_table;
	bool detailed;
	struct codec_used *index[2]; /* local, global */
	size_t n_index[2];
};

static const struct shape_member codec_consumed_members[] = {
	CODEC_ROW_STRING(struct codec_consumed, table, "TableName"),
	CODEC_ROWS_USED,
	SHAPE_ROW(struct codec_consumed, of_table, "Table", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_consumed, detailed), .of = &codec_used_shape),
	SHAPE_ROW_MAP(struct codec_consumed, index[0], n_index[0], "LocalSecondaryIndexes",
		      &codec_used_shape),
	SHAPE_ROW_MAP(struct codec_consumed, index[1], n_index[1], "GlobalSecondaryIndexes",
		      &codec_used_shape),
};

/* If the answer has no table name, take that of the request. */
static int
codec_unpack_consumed(struct codec_reader *r, const void *draft, void *answer)
{
	const struct codec_consumed *d = draft;
	struct consumed *out = answer;
	struct consumed_index *index =
		arena_new(&r->c->arena, struct consumed_index, d->n_index[0] + d->n_index[1]);

	*out = (struct consumed){
		.table = d->table.len > 0 ? d->table : consumed_table(r->in),
		.kind = d->all.writes  ? CAPACITY_WRITE
			: d->all.reads ? CAPACITY_READ
				       : CAPACITY_ANY,
		.halves = d->all.halves,
		.detailed = d->detailed,
		.of_table = d->of_table.halves,
		.index = index,
	};
	for (int global = 0; global < 2; global++) {
		for (size_t i = 0; i < d->n_index[global]; i++) {
			const struct codec_used *ix = &d->index[global][i];

			index[out->n_index++] =
				(struct consumed_index){ix->name, global == 1, ix->halves};
		}
	}
	return 0;
}

static void
codec_pack_consumed(struct codec_writer *w, const void *answer, void *draft)
{
	const struct consumed *used = answer;
	struct codec_consumed *d = draft;

	d->table = used->table;
	d->all = codec_pack_used(used->kind, SLICE(""), used->halves);
	d->detailed = used->detailed;
	d->of_table = codec_pack_used(used->kind, SLICE(""), used->of_table);
	for (size_t i = 0; i < used->n_index && used->detailed; i++) {
		const struct consumed_index *ix = &used->index[i];
		struct codec_used **list = &d->index[ix->global];

		if (*list == NULL) {
			*list = arena_new(&w->arena, struct codec_used, used->n_index);
		}
		(*list)[d->n_index[ix->global]++] =
			codec_pack_used(used->kind, ix->name, ix->halves);
	}
}

const struct shape codec_consumed_shape = {SHAPE_DRAFT(struct consumed, struct codec_consumed,
						       codec_consumed_members,
						       codec_unpack_consumed, codec_pack_consumed)};

/* ------------------------------------------------------------ ItemCollectionMetrics: one collection */

static int
codec_read_gb(struct codec_reader *r, const struct json *json, uint64_t *out)
{
	if (json == NULL || json->type != JSON_NUMBER) {
		return call_fail(r->c, ERR_SERIALIZATION, "SizeEstimateRangeGB is not two numbers");
	}
	return codec_amount(r, json->text, 0, out);
}

/* Read SizeEstimateRangeGB; @field: the struct collection */
static int
codec_read_range(struct codec_reader *r, const struct json *json, void *field)
{
	struct collection *out = field;
	const struct json *low = json->type == JSON_ARRAY ? json->child : NULL;
	const struct json *high = low == NULL ? NULL : low->next;
	int status = codec_read_gb(r, low, &out->low_gb);

	return status < 0 ? status : codec_read_gb(r, high, &out->high_gb);
}

static void
codec_write_range(struct codec_writer *w, const void *field)
{
	const struct collection *one = field;

	buf_fmt(codec_by_hand(w), "[%" PRIu64 ".0,%" PRIu64 ".0]", one->low_gb, one->high_gb);
}

const struct shape_custom codec_range = {codec_read_range, codec_write_range};

static_assert(offsetof(struct collection, table) == 0, "codec_range is a row of the whole struct");
static const struct shape_member codec_collection_shape_members[] = {
	SHAPE_ROW(struct collection, key, "ItemCollectionKey", SHAPE_ITEM, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct collection, table, "SizeEstimateRangeGB", SHAPE_CUSTOM,
		  .flags = SHAPE_ALWAYS | SHAPE_ANSWERED, .custom = &codec_range),
};

/* The table is that of the request; codec_read_touched() replaces it. */
static int
codec_finish_collection(struct codec_reader *r, const struct json *json, void *answer)
{
	(void)json;
	((struct collection *)answer)->table = consumed_table(r->in);
	return 0;
}

SHAPE_SHARE(codec_collection_shape, struct collection, NULL, .finish = codec_finish_collection)

/* ------------------------------------------------------------ ItemCollectionMetrics: a list for each table */

static int
codec_read_touched(struct codec_reader *r, const struct json *table, struct collection_list *out,
		   struct collection *at)
{
	int status =
		table->type == JSON_ARRAY ? 0 : typed_json_not_container(r->c, table, "", false);

	json_each (child, table) {
		struct collection *one = &at[out->n++];

		if (status == 0 && child->type != JSON_OBJECT) {
			status = typed_json_not_container(r->c, child, "", true);
		}
		if (status == 0) {
			status = shape_read(r, &codec_collection_shape, child, one);
		}
		one->table = table->name;
	}
	return status;
}

static int
codec_read_collection_many(struct codec_reader *r, const struct json *json, void *field)
{
	struct collection_list *out = field;
	size_t n = 0;
	int status = 0;

	if (json->type != JSON_OBJECT) {
		return typed_json_not_container(r->c, json, "", false);
	}
	json_each (table, json) {
		n += table->n;
	}
	struct collection *at = arena_new(&r->c->arena, struct collection, n);

	*out = (struct collection_list){.at = at};
	json_each (table, json) {
		status = status < 0 ? status : codec_read_touched(r, table, out, at);
	}
	return status;
}

/* Write the collections of the table of the @first one; there are none of this table before it. */
static void
codec_write_touched(struct codec_writer *w, const struct collection_list *list, size_t first)
{
	json_name_slice(&w->json, list->at[first].table);
	json_open(&w->json, '[');
	for (size_t i = first; i < list->n; i++) {
		if (slice_eq(list->at[i].table, list->at[first].table)) {
			json_open(&w->json, '{');
			shape_write(w, &codec_collection_shape, &list->at[i]);
			json_close(&w->json);
		}
	}
	json_close(&w->json);
}

static void
codec_write_collection_many(struct codec_writer *w, const void *field)
{
	const struct collection_list *list = field;

	json_open(&w->json, '{');
	for (size_t i = 0; i < list->n; i++) {
		size_t first = 0;

		while (!slice_eq(list->at[first].table, list->at[i].table)) {
			first++;
		}
		if (first == i) {
			codec_write_touched(w, list, i);
		}
	}
	json_close(&w->json);
}

const struct shape_custom codec_collection_many = {codec_read_collection_many,
						   codec_write_collection_many};
