/*
 * codec_collection - ItemCollectionMetrics: one object for a write of one item, otherwise a list for each table
 */
#include <inttypes.h>
#include <stdio.h>

#include "store/base/text/json.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"

#define CLASS "com.amazonaws.dynamodb.v20120810."

/* ------------------------------------------------------------ writing */

static void
put_gb(struct codec_writer *w, uint64_t gb)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%" PRIu64 ".0", gb);

	json_raw(&w->json, slice_of(text, (size_t)n));
}

static void
put_collection(struct codec_writer *w, const struct collection *one)
{
	codec_put_item(w, "ItemCollectionKey", &one->key);
	codec_open(w, "SizeEstimateRangeGB", '[');
	put_gb(w, one->low_gb);
	put_gb(w, one->high_gb);
	json_close(&w->json);
	json_close(&w->json);
}

static void
put_table(struct codec_writer *w, const struct collection_list *list, struct slice table)
{
	json_name_slice(&w->json, table);
	json_open(&w->json, '[');
	for (size_t i = 0; i < list->n; i++) {
		if (slice_eq(list->at[i].table, table)) {
			json_open(&w->json, '{');
			put_collection(w, &list->at[i]);
		}
	}
	json_close(&w->json);
}

static bool
is_first_of_table(const struct collection_list *list, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (slice_eq(list->at[k].table, list->at[i].table)) {
			return false;
		}
	}
	return true;
}

static void
codec_write_collection_many(struct codec_writer *w, const void *field)
{
	const struct collection_list *list = field;

	json_open(&w->json, '{');
	for (size_t i = 0; i < list->n; i++) {
		if (is_first_of_table(list, i)) {
			put_table(w, list, list->at[i].table);
		}
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ reading */

static int
read_gb(struct codec_reader *r, const struct json *j, uint64_t *out)
{
	if (j == NULL || j->type != JSON_NUMBER) {
		return call_fail(r->c, ERR_SERIALIZATION, "SizeEstimateRangeGB is not two numbers");
	}
	return codec_amount(r, j->text, 0, out);
}

static int
read_collection(struct codec_reader *r, const struct json *obj, struct collection *out)
{
	const struct json *range = NULL;
	int status = codec_item(r, obj, "ItemCollectionKey", &out->key);

	if (status == 0) {
		status = codec_list(r, obj, "SizeEstimateRangeGB", &range);
	}
	if (status < 0) {
		return status;
	}
	const struct json *low = range == NULL ? NULL : range->child;
	const struct json *high = low == NULL ? NULL : low->next;

	status = read_gb(r, low, &out->low_gb);
	return status < 0 ? status : read_gb(r, high, &out->high_gb);
}

/* Read the object of a write of one item.  The table is that of the request. */
static int
codec_read_collection_one(struct codec_reader *r, const struct json *json, void *field)
{
	struct collection_list *out = field;
	int status = codec_element(r, json, "ItemCollectionMetrics");

	if (status < 0 || out == NULL) {
		return status;
	}
	struct collection *one = arena_new(&r->c->arena, struct collection, 1);

	one->table = r->in->put_item.write.table;
	*out = (struct collection_list){one, 1};
	return read_collection(r, json, one);
}

static bool
codec_collection_given(const void *field)
{
	return ((const struct collection_list *)field)->n > 0;
}

static void
codec_write_collection_one(struct codec_writer *w, const void *field)
{
	json_open(&w->json, '{');
	put_collection(w, ((const struct collection_list *)field)->at);
}

const struct shape_custom codec_collection_one = {codec_read_collection_one, codec_collection_given,
						  codec_write_collection_one};

static int
read_table(struct codec_reader *r, const struct json *table, struct collection *at, size_t *n)
{
	if (table->type != JSON_ARRAY) {
		return call_fail(r->c, ERR_SERIALIZATION, "Unexpected field type");
	}
	json_each (child, table) {
		at[*n].table = table->name;
		int status = codec_element(r, child, "ItemCollectionMetrics");
		if (status == 0) {
			status = read_collection(r, child, &at[(*n)++]);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static int
codec_read_collection_many(struct codec_reader *r, const struct json *json, void *field)
{
	struct collection_list *out = field;
	size_t n = 0;

	if (json->type != JSON_OBJECT) {
		return typed_json_not_container(
			r->c, json,
			"java.util.Map<java.lang.String, java.util.List<" CLASS
			"ItemCollectionMetrics>>",
			false);
	}
	if (out == NULL) {
		return 0;
	}
	json_each (table, json) {
		n += table->n;
	}
	struct collection *at = arena_new(&r->c->arena, struct collection, n);

	*out = (struct collection_list){.at = at};
	json_each (table, json) {
		int status = read_table(r, table, at, &out->n);

		if (status < 0) {
			return status;
		}
	}
	return 0;
}

const struct shape_custom codec_collection_many = {
	codec_read_collection_many, codec_collection_given, codec_write_collection_many};
