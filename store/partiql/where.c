/*
 * where - a condition is taken apart at its ANDs: what is about the key, and the rest
 *
 * Behind it are no keys of other tables and no planner: a partition key that is
 * compared for equality (=, IN, or an OR of such) gives runs, anything else is a filter.
 */
#include "store/partiql/where.h"

#include "store/partiql/where_int.h"

/* ------------------------------------------------------------ one item */

/* Take the value of @attr out of the parts; NULL when it is not there. */
static int
take_equal(struct call *c, struct parts *p, const struct key_attr *attr, const struct value **out)
{
	*out = NULL;
	for (size_t i = 0; i < p->n; i++) {
		const struct value *v =
			p->at[i] == NULL ? NULL : parts_equal_to(p->at[i], attr->name);

		if (v == NULL) {
			continue;
		}
		int r = where_check_value(c, attr, v);

		if (r < 0) {
			return r;
		}
		if (*out != NULL && !value_eq(*out, v)) {
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
where_key(struct call *c, const struct key_schema *k, struct node *where, struct item *key,
	  struct node **rest)
{
	struct parts p = {.arena = &c->arena};
	size_t n = key_schema_has_sort(k) ? 2 : 1;

	*key = (struct item){arena_new(&c->arena, struct attr, 2), 0};
	parts_take(&p, where);
	for (size_t i = 0; i < n; i++) {
		const struct key_attr *attr = i == 0 ? &k->pk[0] : &k->sk[0];
		const struct value *v;
		int r = take_equal(c, &p, attr, &v);

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

/* ------------------------------------------------------------ runs of items */

/* Every partition with every run. */
static int
combine(struct call *c, const struct key_values *partitions, size_t n, const struct within *w,
	struct where_runs *out)
{
	const struct keycond *runs = w->n == 0 ? &w->whole : w->runs;

	out->each = w->n == 0 ? 1 : w->n;
	out->at = arena_new(&c->arena, struct keycond, n * out->each);
	for (size_t i = 0; i < n * out->each; i++) {
		struct keycond *run = &out->at[i];

		*run = runs[i % out->each];
		run->equal = partitions[i / out->each];
		for (size_t k = 0; k < w->equal.n; k++) {
			run->equal.at[run->equal.n++] = w->equal.at[k];
		}
	}
	out->n = n * out->each;
	return 0;
}

int
where_runs(struct call *c, const struct key_schema *k, struct node *where, bool backward,
	   struct where_runs *out)
{
	struct parts p = {.arena = &c->arena};
	struct within w = {0};
	struct key_values *partitions = NULL;
	size_t n = 0;

	*out = (struct where_runs){.rest = where};
	parts_take(&p, where);
	int r = where_branches(c, k, where);

	if (r == 0) {
		r = where_partitions(c, &p, k, &partitions, &n);
	}

	if (r < 0 || n == 0) {
		return r;
	}
	r = where_within(c, &p, k, backward, &w);
	if (r == 0) {
		r = combine(c, partitions, n, &w, out);
	}
	out->rest = parts_together(c, &p);
	return r;
}
