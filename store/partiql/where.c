/*
 * where - divides a condition at its ANDs into comparisons of the key and the rest
 *
 * There is no planner: only a partition key that is compared for equality (=, IN, or OR of these) gives
 * key ranges.  Everything else is a filter.
 */
#include "store/partiql/where.h"

#include <assert.h>

#include "store/model/value.h"
#include "store/partiql/where_int.h"

/* ------------------------------------------------------------ one item */

/* Return: the one value that @n allows for the attribute @name; NULL: @n is something else. */
static const struct value *
only_value(const struct node *n, struct slice name, enum statement_kind kind)
{
	if (n == NULL) {
		return NULL;
	}
	if (kind == STATEMENT_SELECT && n->n == 2 && parts_is_list(n, name)) {
		return n->arg[1]->value;
	}
	return parts_equal_to(n, name);
}

/* Remove the comparison of @attr from the operands; *@out: its value, or NULL. */
static int
take_equal(struct call *c, struct parts *p, const struct key_attr *attr, enum statement_kind kind,
	   const struct value **out)
{
	bool reads = kind == STATEMENT_SELECT || kind == STATEMENT_EXISTS;

	*out = NULL;
	for (size_t i = 0; i < p->n; i++) {
		const struct value *v = only_value(p->at[i], attr->name, kind);

		if (v == NULL) {
			continue;
		}
		int r = where_check_value(c, attr, v);

		if (r < 0) {
			return r;
		}
		if (*out != NULL && !value_eq(*out, v)) {
			if (reads) {
				continue;
			}
			return call_fail(c, ERR_VALIDATION,
					 "Multiple conditions on same key %.*s. Only single item "
					 "Update/Insert/Delete are supported",
					 SLICE_ARG(attr->name));
		}
		*out = v;
		p->at[i] = NULL;
	}
	return 0;
}

int
where_key(struct call *c, const struct key_schema *k, enum statement_kind kind, struct node *where,
	  struct item *key, struct node **rest)
{
	struct parts p = {.arena = &c->arena};
	size_t n = key_schema_has_sort(k) ? 2 : 1;

	*key = (struct item){arena_new(&c->arena, struct attr, 2), 0};
	parts_take(&p, where);
	for (size_t i = 0; i < n; i++) {
		const struct key_attr *attr = i == 0 ? &k->pk[0] : &k->sk[0];
		const struct value *v;
		int r = take_equal(c, &p, attr, kind, &v);

		if (r < 0) {
			return r;
		}
		if (v != NULL) {
			key->at[key->n++] = (struct attr){attr->name, *v};
		}
	}
	key->n = key->n == n ? n : 0;
	*rest = parts_together(c, &p);
	return 0;
}

/* ------------------------------------------------------------ key ranges */

/* Combine each partition with each range of sort keys. */
static void
combine(struct call *c, const struct key_values *partitions, size_t n, const struct within *w,
	struct where_runs *out)
{
	const struct keycond *runs = w->n == 0 ? &w->whole : w->runs;

	assert(n > 0);
	out->each = w->n == 0 ? 1 : w->n;
	out->n = n * out->each;
	out->at = arena_new(&c->arena, struct keycond, out->n);
	for (size_t i = 0; i < out->n; i++) {
		out->at[i] = runs[i % out->each];
		out->at[i].equal = partitions[i / out->each];
	}
}

int
where_runs(struct call *c, const struct schema *s, const struct index *ix, struct node *where,
	   bool backward, struct where_runs *out)
{
	const struct key_schema *k = schema_key(s, ix);
	struct parts p = {.arena = &c->arena};
	struct key_values *partitions;
	struct within w;
	size_t n;

	*out = (struct where_runs){.rest = where};
	int r = where_branches(c, s, ix, where);

	if (r < 0) {
		return r;
	}
	parts_take(&p, where);
	where_partitions(c, &p, k, &partitions, &n);
	if (n > 0) {
		where_within(c, &p, k, backward, &w);
		combine(c, partitions, n, &w, out);
		out->rest = parts_together(c, &p);
	}
	return 0;
}
