/*
 * batch_get - BatchGetItem: many keys of several tables, up to 16 MB of items
 *
 * All keys are checked before the first item is read.  Everything comes from
 * one snapshot: DynamoDB promises less.
 */
#include "store/expr/expr.h"
#include "store/local/get.h"
#include "store/local/key.h"
#include "store/model/limits.h"

/* One table of the request, bound. */
struct part {
	const struct batch_get *asked;
	struct expr_projection *projection;
	struct slice *keys; /* LevelDB keys, asked->n_keys of them */
};

static int
bind(struct local *l, struct call *c, const struct batch_get *asked, struct part *out)
{
	const struct schema *s = NULL;
	int r = get_bind(l, c, asked->table, asked->projection, &asked->ph, &asked->attributes, &s,
			 &out->projection);

	out->asked = asked;
	out->keys = arena_new(&c->arena, struct slice, asked->n_keys);
	for (size_t i = 0; r == 0 && i < asked->n_keys; i++) {
		r = get_key(c, s, &asked->keys[i], &out->keys[i]);
	}
	return r < 0 ? r : key_check_distinct(c, out->keys, asked->n_keys);
}

/*
 * The items of one table, until @bytes passes the limit.
 * @done: how many keys were dealt with
 */
static int
read_part(struct local *l, struct call *c, struct kv_snapshot *at, const struct part *part,
	  size_t *bytes, struct batch_got *out, size_t *done)
{
	struct item *items = arena_new(&c->arena, struct item, part->asked->n_keys);

	*out = (struct batch_got){.table = part->asked->table, .items = items};
	for (*done = 0; *done < part->asked->n_keys; ++*done) {
		struct got got;

		if (*bytes > LIMIT_BATCH_BYTES) {
			return 0;
		}
		int r = get_one(l, c, at, part->keys[*done], &got);

		if (r == GET_ABSENT) {
			continue;
		}
		if (r < 0) {
			return r;
		}
		*bytes += got.item_bytes;
		if (*bytes > LIMIT_BATCH_BYTES) {
			return 0;
		}
		items[out->n_items++] = expr_project(c, part->projection, &got.item);
	}
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
	size_t bytes = 0;

	for (size_t i = 0; i < in->n_tables; i++) {
		int r = bind(l, c, &in->tables[i], &parts[i]);

		if (r < 0) {
			return r;
		}
	}
	cleanup(get_snapshot_free) struct get_snapshot snapshot = get_snapshot(l);

	for (size_t i = 0; i < in->n_tables; i++) {
		size_t done;
		int r = read_part(l, c, snapshot.at, &parts[i], &bytes, &got[i], &done);

		if (r < 0) {
			return r;
		}
		if (done < in->tables[i].n_keys) {
			rest[n_rest] = in->tables[i];
			rest[n_rest].keys += done;
			rest[n_rest++].n_keys -= done;
		}
	}
	*out = (struct batch_get_item_out){
		.tables = got,
		.n_tables = in->n_tables,
		.unprocessed = rest,
		.n_unprocessed = n_rest,
	};
	return 0;
}
