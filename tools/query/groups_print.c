/* groups_print - see groups.h: HAVING, ORDER BY, and the rows of groups */
#include <assert.h>
#include <stdlib.h>

#include "store/model/number.h"
#include "store/model/value.h"

#include "tools/query/groups.h"
#include "tools/query/groups_int.h"
#include "tools/text/fmt.h"

static struct value
groups_number(struct call *c, const struct number *n)
{
	struct buf text = {.arena = &c->arena};

	number_print(&text, n);
	return (struct value){.type = VALUE_N, .text = buf_view(&text)};
}

/* Compute the value of @column of a group; type NULL if there is no value. */
static int
groups_result(const struct groups_column *column, const struct groups_cell *cell, struct call *c,
	      struct value *out)
{
	struct number n = cell->sum;

	if (column->function == GROUPS_COUNT) {
		struct slice text = fmt_slice(&c->arena, "%lu", (unsigned long)cell->n);

		*out = (struct value){.type = VALUE_N, .text = text};
		return 0;
	}
	if (cell->n == 0) {
		*out = (struct value){.type = VALUE_NULL};
		return 0;
	}
	if (column->function == GROUPS_SUM || column->function == GROUPS_AVG) {
		if (column->function == GROUPS_AVG &&
		    number_divide(c, &cell->sum, cell->n, &n) < 0) {
			c->error = (struct error){0};
			return call_fail(c, ERR_USAGE,
					 "%.*s: the average is too small for a number",
					 SLICE_ARG(column->name));
		}
		*out = groups_number(c, &n);
		return 0;
	}
	*out = (struct value){.type = cell->type, .text = buf_view(&cell->text)};
	if (cell->type == VALUE_BOOL) {
		out->truth = cell->truth;
	}
	return 0;
}

static bool
groups_test(const struct value *v, const struct groups_having *h)
{
	if (h->test == GROUPS_EQ || h->test == GROUPS_NE) {
		return value_eq(v, &h->value) == (h->test == GROUPS_EQ);
	}
	if (v->type != h->value.type || !value_is_ordered(v->type)) {
		return false;
	}
	int order = value_cmp(v, &h->value);

	return (order < 0 && (h->test == GROUPS_LT || h->test == GROUPS_LE)) ||
	       (order > 0 && (h->test == GROUPS_GT || h->test == GROUPS_GE)) ||
	       (order == 0 && (h->test == GROUPS_LE || h->test == GROUPS_GE));
}

/* Set *@kept if all tests of HAVING are true. */
static int
groups_kept(const struct groups *g, const struct group *group, struct call *c, bool *kept)
{
	*kept = true;
	for (size_t i = 0; *kept && i < g->plan->n_having; i++) {
		const struct groups_having *h = &g->plan->having[i];

		assert(h->column < g->plan->n_columns);
		struct value v = {0};
		int r = groups_result(&g->plan->columns[h->column], &group->cells[h->column], c,
				      &v);

		if (r < 0) {
			return r;
		}
		*kept = groups_test(&v, h);
	}
	return 0;
}

/* A group and its keys for ORDER BY. */
struct groups_sorting {
	struct group *group;
	struct slice *keys;
};

static int
groups_order(const void *a, const void *b, void *arg)
{
	const struct groups *g = arg;
	const struct groups_sorting *x = a;
	const struct groups_sorting *y = b;

	for (size_t i = 0; i < g->plan->n_order; i++) {
		int r = slice_cmp(x->keys[i], y->keys[i]);

		if (r != 0) {
			return g->plan->order[i].descending ? -r : r;
		}
	}
	return slice_cmp(x->group->key, y->group->key);
}

static int
groups_sort(struct groups *g, struct call *c)
{
	struct groups_sorting *all = arena_new(&c->arena, struct groups_sorting, g->n);

	for (size_t i = 0; i < g->n; i++) {
		all[i].group = g->all[i];
		all[i].keys = arena_new(&c->arena, struct slice, g->plan->n_order);
		for (size_t k = 0; k < g->plan->n_order; k++) {
			size_t column = g->plan->order[k].column;

			assert(column < g->plan->n_columns);
			const struct groups_cell *cell = &g->all[i]->cells[column];
			struct value v = {0};
			int r = groups_result(&g->plan->columns[column], cell, c, &v);

			if (r < 0) {
				return r;
			}
			struct buf key = {.arena = &c->arena};
			groups_put_key(&key, &v);
			all[i].keys[k] = buf_view(&key);
		}
	}
	qsort_r(all, g->n, sizeof(*all), groups_order, g);
	for (size_t i = 0; i < g->n; i++) {
		g->all[i] = all[i].group;
	}
	return 0;
}

/* Make the row of a group. */
static int
groups_row(const struct groups *g, const struct group *group, struct call *c, struct item *out)
{
	out->at = arena_new(&c->arena, struct attr, g->plan->n_columns);
	out->n = 0;
	for (size_t i = 0; i < g->plan->n_columns; i++) {
		const struct groups_column *column = &g->plan->columns[i];
		bool missing = column->function == GROUPS_BY && group->cells[i].n == 0;

		if (column->hidden || (missing && g->plan->sparse)) {
			continue;
		}
		struct attr *attr = &out->at[out->n++];
		int r = groups_result(column, &group->cells[i], c, &attr->value);

		if (r < 0) {
			return r;
		}
		attr->name = column->name;
	}
	return 0;
}

int
groups_print(struct groups *g, struct call *c, bool (*row)(void *arg, const struct item *it),
	     void *arg)
{
	int r = 0;
	bool more = true;

	if (g->n == 0 && g->plan->whole) {
		(void)groups_find(g, NULL);
	}
	groups_sorted(g);
	if (g->plan->n_order > 0) {
		r = groups_sort(g, c);
	}
	for (size_t i = 0; r == 0 && more && i < g->n; i++) {
		struct arena_mark mark = arena_mark(&c->arena);
		struct item it;
		bool kept;

		r = groups_kept(g, g->all[i], c, &kept);
		if (r == 0 && kept) {
			r = groups_row(g, g->all[i], c, &it);
			more = r == 0 && row(arg, &it);
		}
		if (r == 0) {
			arena_reset(&c->arena, mark);
		}
	}
	return r;
}
