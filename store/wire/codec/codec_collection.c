/*
 * codec_collection - ItemCollectionMetrics: one object for a write of one item, otherwise a list for each table
 */
#include <inttypes.h>

#include "store/base/text/json.h"
#include "store/engine/consumed.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

/* ------------------------------------------------------------ one collection */

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

/* ------------------------------------------------------------ a list for each table */

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
