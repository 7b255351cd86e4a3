/*
 * codec_capacity - words of ReturnConsumedCapacity and ReturnItemCollectionMetrics, and the answer's ConsumedCapacity
 *
 * An operation on one table has one object, a batch or a transaction a list of objects.
 */
#include <inttypes.h>
#include <stdio.h>

#include "store/base/text/json.h"
#include "store/engine/consumed.h"
#include "store/model/typed_json.h"
#include "store/wire/codec/codec_int.h"
#include "store/wire/codec/codec_rows.h"

#define CLASS "com.amazonaws.dynamodb.v20120810."

enum { TENTHS_OF_A_HALF = 5 };

const char *const codec_index_lists[2] = {"LocalSecondaryIndexes", "GlobalSecondaryIndexes"};

/* ------------------------------------------------------------ request words */

/* In the order of enum capacity_level. */
static const char *const levels[] = {"NONE", "TOTAL", "INDEXES", NULL};
const struct shape_words codec_capacity_words = {.at = levels, .set = "[INDEXES, TOTAL, NONE]"};

static const char *const sizes[] = {"NONE", "SIZE", NULL};
const struct shape_words codec_collections_words = {
	.at = sizes,
	.set = "[SIZE, NONE]",
	.newer = "ReturnItemCollectionMetrics can only be SIZE or NONE"};

/* ------------------------------------------------------------ capacity: writing */

/* In the order of enum capacity_kind. */
static const char *const kinds[] = {NULL, "ReadCapacityUnits", "WriteCapacityUnits"};

static void
codec_capacity_put_number(struct codec_writer *w, const char *name, uint64_t halves)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%" PRIu64 ".%d", halves / 2,
			 halves % 2 == 0 ? 0 : TENTHS_OF_A_HALF);

	json_name(&w->json, name);
	json_raw(&w->json, slice_of(text, (size_t)n));
}

static void
codec_capacity_put_units(struct codec_writer *w, enum capacity_kind kind, uint64_t halves)
{
	codec_capacity_put_number(w, "CapacityUnits", halves);
	if (kind != CAPACITY_ANY) {
		codec_capacity_put_number(w, kinds[kind], halves);
	}
}

static void
codec_capacity_put_indexes(struct codec_writer *w, const struct consumed *used, bool global)
{
	bool any = false;

	for (size_t i = 0; i < used->n_index; i++) {
		const struct consumed_index *ix = &used->index[i];

		if (ix->global != global) {
			continue;
		}
		if (!any) {
			codec_open(w, codec_index_lists[global], '{');
			any = true;
		}
		json_name_slice(&w->json, ix->name);
		json_open(&w->json, '{');
		codec_capacity_put_units(w, used->kind, ix->halves);
		json_close(&w->json);
	}
	if (any) {
		json_close(&w->json);
	}
}

static void
put_consumed(struct codec_writer *w, const struct consumed *used)
{
	codec_put_string(w, "TableName", used->table);
	codec_capacity_put_units(w, used->kind, used->halves);
	if (used->detailed) {
		codec_open(w, "Table", '{');
		codec_capacity_put_units(w, used->kind, used->of_table);
		json_close(&w->json);
		codec_capacity_put_indexes(w, used, false);
		codec_capacity_put_indexes(w, used, true);
	}
	json_close(&w->json);
}

/* ------------------------------------------------------------ capacity: reading */

static int
codec_capacity_read_units(struct codec_reader *r, const struct json *obj, uint64_t *halves)
{
	const struct json *j = json_get(obj, "CapacityUnits");
	uint64_t tenths = 0;

	if (codec_is_null(j)) {
		return 0;
	}
	if (j->type != JSON_NUMBER) {
		return call_fail(r->c, ERR_SERIALIZATION, "CapacityUnits is not a number");
	}
	int status = codec_amount(r, j->text, 1, &tenths);

	*halves = tenths / TENTHS_OF_A_HALF;
	return status;
}

static int
read_indexes(struct codec_reader *r, const struct json *obj, bool global,
	     struct consumed_index *index, size_t *n)
{
	const struct json *map = NULL;
	int status = codec_map(r, obj, codec_index_lists[global], CLASS "Capacity", &map);

	if (status < 0 || map == NULL) {
		return status;
	}
	json_each (child, map) {
		struct consumed_index *ix = &index[(*n)++];

		*ix = (struct consumed_index){.name = child->name, .global = global};
		status = codec_element(r, child, "Capacity");
		if (status == 0) {
			status = codec_capacity_read_units(r, child, &ix->halves);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static size_t
codec_capacity_members(const struct json *obj, const char *name)
{
	const struct json *j = json_get(obj, name);

	return j == NULL ? 0 : j->n;
}

static int
read_parts(struct codec_reader *r, const struct json *obj, struct consumed *out)
{
	size_t n = codec_capacity_members(obj, codec_index_lists[0]) +
		   codec_capacity_members(obj, codec_index_lists[1]);
	struct consumed_index *index = arena_new(&r->c->arena, struct consumed_index, n);
	const struct json *table = NULL;
	int status = codec_struct(r, obj, "Table", "Capacity", &table);

	out->detailed = table != NULL;
	out->index = index;
	if (status == 0) {
		status = codec_capacity_read_units(r, table, &out->of_table);
	}
	if (status == 0) {
		status = read_indexes(r, obj, false, index, &out->n_index);
	}
	return status < 0 ? status : read_indexes(r, obj, true, index, &out->n_index);
}

/* If the answer has no table name, take that of the request. */
static int
read_consumed(struct codec_reader *r, const struct json *obj, struct consumed *out)
{
	int status = codec_string(r, obj, "TableName", &out->table);

	if (out->table.len == 0) {
		out->table = consumed_table(r->in);
	}

	for (int kind = CAPACITY_READ; kind <= CAPACITY_WRITE; kind++) {
		if (!codec_is_null(json_get(obj, kinds[kind]))) {
			out->kind = (enum capacity_kind)kind;
		}
	}
	if (status == 0) {
		status = codec_capacity_read_units(r, obj, &out->halves);
	}
	return status < 0 ? status : read_parts(r, obj, out);
}

static int
codec_read_consumed_one(struct codec_reader *r, const struct json *json, void *field)
{
	struct consumed_list *out = field;
	int status = codec_element(r, json, "ConsumedCapacity");

	if (status < 0 || out == NULL) {
		return status;
	}
	struct consumed *one = arena_new(&r->c->arena, struct consumed, 1);

	*out = (struct consumed_list){one, 1};
	return read_consumed(r, json, one);
}

static bool
codec_consumed_given(const void *field)
{
	return ((const struct consumed_list *)field)->n > 0;
}

static void
codec_write_consumed_one(struct codec_writer *w, const void *field)
{
	json_open(&w->json, '{');
	put_consumed(w, ((const struct consumed_list *)field)->at);
}

const struct shape_custom codec_consumed_one = {codec_read_consumed_one, codec_consumed_given,
						codec_write_consumed_one};

static int
codec_read_consumed_many(struct codec_reader *r, const struct json *json, void *field)
{
	struct consumed_list *out = field;

	if (json->type != JSON_ARRAY) {
		return typed_json_not_container(r->c, json, "", false);
	}
	if (out == NULL) {
		return 0;
	}
	struct consumed *at = arena_new(&r->c->arena, struct consumed, json->n);

	*out = (struct consumed_list){.at = at};
	json_each (child, json) {
		int status = codec_element(r, child, "ConsumedCapacity");

		if (status == 0) {
			status = read_consumed(r, child, &at[out->n++]);
		}
		if (status < 0) {
			return status;
		}
	}
	return 0;
}

static void
codec_write_consumed_many(struct codec_writer *w, const void *field)
{
	const struct consumed_list *list = field;

	json_open(&w->json, '[');
	for (size_t i = 0; i < list->n; i++) {
		json_open(&w->json, '{');
		put_consumed(w, &list->at[i]);
	}
	json_close(&w->json);
}

const struct shape_custom codec_consumed_many = {codec_read_consumed_many, codec_consumed_given,
						 codec_write_consumed_many};
