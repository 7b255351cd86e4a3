/*
 * batch_get - BatchGetItem: many keys of several tables, up to 16 MB of items
 *
 * All keys are checked before the first item is read. All items come from one snapshot; DynamoDB promises less.
 */
#include "store/expr/expr.h"
#include "store/local/meter/capacity.h"
#include "store/local/meter/metering.h"
#include "store/local/meter/throttle.h"
#include "store/local/read/get.h"
#include "store/local/records/key.h"
#include "store/model/limits.h"

/* One table of the request, bound. */
struct part {
	const struct batch_get *asked;
	const struct schema *schema;
	struct expr_projection *projection;
	struct slice *keys; /* asked->n_keys LevelDB keys */
	struct item *items; /* room for asked->n_keys items */
};

/* Make the keys of one table, after all tables were bound. */
static int
bind_keys(struct call *c, struct part *out)
{
	const struct batch_get *asked = out->asked;
	int r = 0;

	out->keys = arena_new(&c->arena, struct slice, asked->n_keys);
	out->items = arena_new(&c->arena, struct item, asked->n_keys);
	for (size_t i = 0; r == 0 && i < asked->n_keys; i++) {
		r = get_key(c, out->schema, &asked->keys[i], &out->keys[i]);
	}
	return r < 0 ? r : key_check_distinct(c, out->keys, asked->n_keys);
}

/* The state of a batch. */
struct batch {
	struct local *local;
	struct call *c;
	struct kv_snapshot *at;
	struct capacity_sheet sheet;
	size_t bytes; /* of the items so far */
	size_t done;  /* keys of all tables that were read */
};

enum { GET_LATER = 2 };

/* Return: 0; GET_LATER: not read, because the batch would have too many bytes; < 0, which may be error_throttled() */
static int
batch_get_read_key(struct batch *b, const struct part *part, size_t i, struct batch_got *out)
{
	const struct batch_get *asked = part->asked;
	enum capacity_read_cost cost = capacity_read_cost(asked->consistent);
	struct throttle_place place = get_place(part->schema, part->keys[i]);
	struct got got = {0};

	if (b->bytes > LIMIT_BATCH_BYTES) {
		return GET_LATER;
	}
	int r = throttle_admit(b->local->throttle, b->c, &place);

	if (r == 0) {
		r = get_one(b->local, b->c, b->at, part->keys[i], &got);
	}
	if (r < 0) {
		return r;
	}
	b->bytes += got.item_bytes;
	if (b->bytes > LIMIT_BATCH_BYTES) {
		return GET_LATER;
	}
	metering_pay(b->local, b->c, &place, capacity_read(got.item_bytes, cost));
	capacity_count_read(&b->sheet, part->schema, asked->table, got.item_bytes, cost);
	if (r != GET_ABSENT) {
		part->items[out->n_items++] = expr_project(b->c, part->projection, &got.item);
	}
	return 0;
}

/* Read the items of one table; @left: receives the keys that were not read. */
static int
batch_get_read_part(struct batch *b, const struct part *part, struct batch_got *out,
		    struct batch_get *left)
{
	const struct batch_get *asked = part->asked;
	struct item *keys = NULL;

	*out = (struct batch_got){.table = asked->table, .items = part->items};
	*left = *asked;
	left->n_keys = 0;
	for (size_t i = 0; i < asked->n_keys; i++) {
		int r = batch_get_read_key(b, part, i, out);

		if (r == 0) {
			b->done++;
			continue;
		}
		if (r < 0 && !error_throttled(-r)) {
			return r;
		}
		if (keys == NULL) {
			keys = arena_new(&b->c->arena, struct item, asked->n_keys);
		}
		keys[left->n_keys++] = asked->keys[i];
	}
	left->keys = keys;
	return 0;
}

int
local_exec_batch_get_item(struct local *l, struct call *c, const struct batch_get_item_in *in,
			  struct batch_get_item_out *out)
{
	struct part *parts = arena_new(&c->arena, struct part, in->n_tables);
	struct batch_got *got = arena_new(&c->arena, struct batch_got, in->n_tables);
	struct batch_get *rest = arena_new(&c->arena, struct batch_get, in->n_tables);
	size_t n_rest = 0;
	int bound = 0;

	for (size_t i = 0; i < in->n_tables && bound == 0; i++) {
		const struct batch_get *asked = &in->tables[i];

		parts[i].asked = asked;
		bound = get_bind(l, c, asked->table, asked->projection, &asked->ph,
				 &asked->attributes, &parts[i].schema, &parts[i].projection);
	}
	for (size_t i = 0; i < in->n_tables && bound == 0; i++) {
		bound = bind_keys(c, &parts[i]);
	}
	if (bound < 0) {
		return bound;
	}
	cleanup(kv_view_close) struct kv_view snapshot = kv_view_open(l->kv);
	struct batch b = {.local = l, .c = c, .at = snapshot.at};

	b.sheet = capacity_sheet(c, in->capacity);

	for (size_t i = 0; i < in->n_tables; i++) {
		int r = batch_get_read_part(&b, &parts[i], &got[i], &rest[n_rest]);

		if (r < 0) {
			return r;
		}
		n_rest += rest[n_rest].n_keys > 0;
	}
	if (b.done == 0 && error_throttled(c->error.code)) {
		return -(int)c->error.code;
	}
	c->error = (struct error){0};
	*out = (struct batch_get_item_out){
		.tables = got,
		.n_tables = in->n_tables,
		.unprocessed = rest,
		.n_unprocessed = n_rest,
		.consumed = capacity_tell(&b.sheet, CAPACITY_ANY),
	};
	return 0;
}
