/* get - GetItem, and the read of single items for BatchGetItem and TransactGetItems */
#include "store/local/read/get.h"

#include "store/expr/expr.h"
#include "store/expr/legacy.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/metering.h"
#include "store/local/meter/throttle.h"
#include "store/local/records/catalog.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"

int
get_one(struct local *l, struct call *c, struct kv_snapshot *at, struct slice key, struct got *out)
{
	struct buf record = {.arena = &c->arena};

	int r = kv_get(l->kv, c, at, key, &record);

	if (r != 0) {
		return r == KV_ABSENT ? GET_ABSENT : r;
	}
	return record_decode_sized(c, buf_view(&record), &out->head, &out->item, &out->item_bytes);
}

int
get_key(struct call *c, const struct schema *s, const struct item *key, struct slice *out)
{
	struct key_values values;
	int r = key_from_request(c, &s->key, key, &values);

	if (r == 0) {
		*out = keyspace_item(&c->arena, s, NULL, &values);
	}
	return r;
}

struct throttle_place
get_place(const struct schema *s, struct slice key)
{
	return (struct throttle_place){
		.schema = s,
		.kind = THROTTLE_READ,
		.collection = slice_of(key.at, keyspace_collection_bytes(s, NULL, key)),
	};
}

int
get_wanted(struct call *c, struct slice text, const struct placeholders *ph,
	   const struct attributes_to_get *attributes, struct expr_projection **out)
{
	struct expr_scope *scope = expr_scope_open(c, ph);
	int r = expr_projection(c, scope, text, out);

	if (r == 0 && *out == NULL && attributes != NULL) {
		*out = legacy_projection(c, attributes);
	}
	return r < 0 ? r : expr_scope_close(c, scope);
}

int
get_schema(struct local *l, struct call *c, struct slice table,
	   const struct expr_projection *wanted, const struct schema **s)
{
	int r = catalog_find(l->catalog, c, table, s);

	return r < 0 ? r : expr_projection_check_key(c, wanted, *s);
}

int
get_bind(struct local *l, struct call *c, struct slice table, struct slice text,
	 const struct placeholders *ph, const struct attributes_to_get *attributes,
	 const struct schema **s, struct expr_projection **out)
{
	int r = get_wanted(c, text, ph, attributes, out);

	return r < 0 ? r : get_schema(l, c, table, *out, s);
}

int
local_exec_get_item(struct local *l, struct call *c, const struct get_item_in *in,
		    struct get_item_out *out)
{
	struct expr_projection *projection = NULL;
	const struct schema *s = NULL;
	struct slice key = {0};
	struct got got = {0};
	int r = get_bind(l, c, in->table, in->projection, &in->ph, &in->attributes, &s,
			 &projection);

	if (r == 0) {
		r = get_key(c, s, &in->key, &key);
	}
	*out = (struct get_item_out){0};
	if (r < 0) {
		return r;
	}
	assert(s != NULL);
	struct throttle_place place = get_place(s, key);
	enum capacity_read_cost cost = capacity_read_cost(in->consistent);
	struct capacity_sheet sheet = capacity_sheet(c, in->capacity);

	r = throttle_admit(l->throttle, c, &place);
	if (r == 0) {
		r = get_one(l, c, NULL, key, &got);
	}
	if (r < 0) {
		return r;
	}
	metering_pay(l, c, &place, capacity_read(got.item_bytes, cost));
	capacity_count_read(&sheet, s, in->table, got.item_bytes, cost);
	out->consumed = capacity_tell(&sheet, CAPACITY_ANY);
	if (r == 0) {
		out->found = true;
		out->item = expr_project(c, projection, &got.item);
		out->mtime_ns = got.head.mtime_ns;
	}
	return 0;
}
