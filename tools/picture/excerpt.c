/*
 * excerpt - see excerpt.h
 *
 * The examples of all kinds are sorted by key, so that those of one collection are adjacent.  The picture shows the
 * first items of each of these collections, then each example that comes later in it with the items that follow.
 */
#include "tools/picture/excerpt.h"

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"
#include "store/page/picture.h"
#include "store/page/shapes.h"

#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/text/fmt.h"

enum {
	FIRST_ITEMS = 10, /* from the beginning of a collection */
	LATER_ITEMS = 3,  /* from a later example on */
};

struct excerpt {
	struct ctl *ctl;
	struct picture *picture;
	const struct key_schema *key;
	struct item last; /* the key of the last row; n = 0: none yet */
};

/* ------------------------------------------------------------ examples */

static int
excerpt_compare_part(const struct key_attr *part, const struct item *a, const struct item *b)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < key_part_n(part); i++) {
		const struct value *x = item_get(a, part[i].name);
		const struct value *y = item_get(b, part[i].name);

		r = x == NULL || y == NULL ? 0 : value_cmp(x, y);
	}
	return r;
}

static int
excerpt_compare(const void *a, const void *b, void *key)
{
	const struct item *const *x = a;
	const struct item *const *y = b;
	const struct key_schema *k = key;
	int r = excerpt_compare_part(k->pk, *x, *y);

	return r != 0 ? r : excerpt_compare_part(k->sk, *x, *y);
}

/* The keys of the examples, in the order of the table or index */
static const struct item **
excerpt_examples(struct call *c, const struct shapes *shapes, const struct key_schema *key,
		 size_t *n)
{
	const struct item **out =
		arena_new(&c->arena, const struct item *, shapes->n *SHAPE_EXAMPLES + 1);

	*n = 0;
	for (size_t i = 0; i < shapes->n; i++) {
		for (size_t k = 0; k < shapes->at[i].n_keys; k++) {
			out[(*n)++] = &shapes->at[i].keys[k];
		}
	}
	qsort_r(out, *n, sizeof(const struct item *), excerpt_compare, (void *)key);
	return out;
}

/* ------------------------------------------------------------ requests */

static void
excerpt_add_condition(struct call *c, struct exprs *e, struct buf *condition,
		      const struct key_attr *attr, const struct item *keys, const char *compare)
{
	size_t n = e->request.ph.n_names;
	struct slice name = fmt_slice(&c->arena, "#k%zu", n);
	struct slice value = fmt_slice(&c->arena, ":k%zu", n);

	buf_fmt(condition, "%s%s %s %s", condition->len == 0 ? "" : " AND ", name.at, compare,
		value.at);
	exprs_name(c, e, name.at, attr->name);
	exprs_value(c, e, value.at, item_get(keys, attr->name));
}

/* Query the collection of @keys from its beginning, or if @from, from @keys on. */
static struct op_in
excerpt_query(struct call *c, const struct excerpt *x, const struct item *keys, bool from)
{
	const struct picture *p = x->picture;
	struct op_in in = {.type = OP_QUERY};
	struct exprs *e = arena_new(&c->arena, struct exprs, 1);
	struct buf condition = {.arena = &c->arena};

	for (size_t i = 0; i < key_part_n(x->key->pk); i++) {
		excerpt_add_condition(c, e, &condition, &x->key->pk[i], keys, "=");
	}
	if (from) {
		excerpt_add_condition(c, e, &condition, &x->key->sk[0], keys, ">=");
	}
	in.query.key_condition = buf_view(&condition);
	in.query.read = (struct read_in){.table = p->schema->table,
					 .index = p->index == NULL ? SLICE("") : p->index->name,
					 .has_limit = true,
					 .limit = from ? LATER_ITEMS : FIRST_ITEMS,
					 .ph = e->request.ph};
	return in;
}

/* Add rows that the picture does not have yet; Return: < 0, or 1 if the picture is full */
static int
excerpt_add(struct excerpt *x, struct call *c, const struct item *keys, bool from)
{
	struct op_out out = {.type = OP_QUERY};
	int r = 0;

	call_scope(own, c->now_ms);

	struct op_in in = excerpt_query(&own, x, keys, from);

	if (engine_execute(x->ctl->engine, &own, &in, &out) < 0) {
		r = ctl_adopt(c, &own);
	}
	for (size_t i = 0; r == 0 && i < out.query.page.count; i++) {
		const struct item *it = &out.query.page.items[i];

		if (from && excerpt_compare_part(x->key->sk, it, &x->last) <= 0) {
			continue;
		}
		r = picture_add(x->picture, it) ? 0 : 1;
		x->last = item_copy(&c->arena, it);
	}
	x->ctl->counted.pages++;
	x->ctl->counted.count += out.query.page.count;
	x->ctl->counted.scanned += out.query.page.scanned;
	return r;
}

int
excerpt_read(struct ctl *ctl, struct call *c, struct picture *p)
{
	struct excerpt x = {.ctl = ctl, .picture = p, .key = schema_key(p->schema, p->index)};
	struct shapes_options o = {.index = p->index == NULL ? SLICE("") : p->index->name};
	struct describe_table_out table = {0};
	struct shapes shapes = {0};
	size_t n = 0;
	int r = engine_describe_table(
		ctl->engine, c, &(struct describe_table_in){.table = p->schema->table}, &table);

	r = r < 0 ? r : shapes_find(c, ctl->engine, &table.table, &o, &shapes);
	if (r < 0) {
		return r;
	}
	const struct item **examples = excerpt_examples(c, &shapes, x.key, &n);

	for (size_t i = 0; r == 0 && i < n; i++) {
		const struct item *keys = examples[i];
		bool from = i > 0 && excerpt_compare_part(x.key->pk, keys, examples[i - 1]) == 0;

		if (!from) {
			x.last = (struct item){0};
			r = excerpt_add(&x, c, keys, false);
		}
		if (r == 0 && key_schema_has_sort(x.key) &&
		    excerpt_compare_part(x.key->sk, keys, &x.last) > 0) {
			r = excerpt_add(&x, c, keys, true);
		}
	}
	picture_end(p);
	p->kinds = shapes.n;
	p->of = shapes.total > shapes.sampled ? shapes.total : shapes.sampled;
	return r < 0 ? r : 0;
}
