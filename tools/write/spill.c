/* spill - see spill.h */
#include "tools/write/spill.h"

#include "store/base/system/temporary.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/open.h"

#include "tools/session/ctl.h"
#include "tools/write/bulk.h"
#include "tools/write/pending_items.h"

enum { SPILL_BATCH = 1000 };

struct slice
spill_table(unsigned side)
{
	assert(side < 2);
	return side == 0 ? SLICE("first") : SLICE("second");
}

struct item
spill_key(struct arena *a, const struct key_schema *k, const struct item *it)
{
	struct item key = {.at = arena_new(a, struct attr, KEY_ATTRS_MAX)};

	/* An item of a server may lack key attributes. */
	key_each (attr, k) {
		const struct value *v = item_get(it, attr->name);

		if (v != NULL) {
			key.at[key.n++] = (struct attr){.name = attr->name, .value = *v};
		}
	}
	return key;
}

/* ------------------------------------------------------------ creation and removal */

static int
spill_create(struct spill *s, struct call *c, unsigned side)
{
	struct schema schema = {.table = spill_table(side), .key = *s->key};
	struct create_table_in in = {.schema = &schema};
	struct create_table_out out = {0};

	return engine_create_table(s->engine, c, &in, &out);
}

static int
spill_open(struct spill *s, struct call *c)
{
	const char *parent = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): nobody sets it */

	if (s->engine != NULL) {
		return 0;
	}
	parent = parent == NULL || *parent == '\0' ? "/var/tmp" : parent;
	if (!temporary_make(parent, "itemfs-spill-", &s->at)) {
		return call_fail(c, ERR_IO,
				 "cannot create a temporary store: %s/itemfs-spill-XXXXXX: %s",
				 parent, strerrordesc_np(errno));
	}
	int r = store_open(c, s->at.path, true, &s->engine);

	for (unsigned side = 0; side < 2 && r == 0; side++) {
		r = spill_create(s, c, side);
	}
	return r;
}

void
spill_release(struct spill *s)
{
	engine_close(s->engine);
	if (s->at.path != NULL) {
		temporary_remove(&s->at);
	}
	*s = (struct spill){0};
}

/* ------------------------------------------------------------ items */

static int
spill_some(struct spill *s, struct call *c, unsigned side, struct pending *p)
{
	struct bulk bulk = {.engine = s->engine, .table = spill_table(side), .key = s->key};
	struct item *items = arena_new(&c->arena, struct item, SPILL_BATCH);
	size_t n = 0;

	for (struct pending_entry *e = p->oldest; e != NULL && n < SPILL_BATCH; e = e->newer) {
		items[n++] = e->item;
	}
	size_t done;
	int r = bulk_put(&bulk, c, items, n, &done);

	for (size_t i = 0; r == 0 && i < n; i++) {
		pending_items_drop(p, p->oldest);
	}
	s->n[side] += r == 0 ? n : 0;
	return r;
}

int
spill_put(struct spill *s, struct call *c, unsigned side, struct pending *p)
{
	int r = spill_open(s, c);

	pending_items_full(p);
	while (r == 0 && p->n > 0) {
		call_scope(own, c->now_ms);
		r = spill_some(s, &own, side, p);
		r = r < 0 ? ctl_adopt(c, &own) : 0;
	}
	return r;
}

int
spill_find(struct spill *s, struct call *c, unsigned side, const struct item *it, struct item *out)
{
	assert(side < 2);
	if (s->n[side] == 0) {
		return 1;
	}
	struct get_item_in in = {.table = spill_table(side),
				 .key = spill_key(&c->arena, s->key, it)};
	struct get_item_out answer = {0};
	int r = engine_get_item(s->engine, c, &in, &answer);

	*out = answer.item;
	return r < 0 ? r : !answer.found;
}

int
spill_drop(struct spill *s, struct call *c, unsigned side, const struct item *keys, size_t n)
{
	struct bulk bulk = {.engine = s->engine, .table = spill_table(side), .key = s->key};
	struct change_items_in in = {0};
	struct change_items_out out = {0};

	if (n == 0) {
		return 0;
	}
	s->n[side] -= n;
	return bulk_change(&bulk, c, &in, keys, n, &out);
}
