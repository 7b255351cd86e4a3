/* groups - see groups.h; a tree of groups that is sorted by the values of GROUP BY */
#include "tools/query/groups.h"

#include <search.h>

#include "store/base/core/utf8.h"
#include "store/expr/document_path.h"
#include "store/model/item_json.h"
#include "store/model/number.h"
#include "store/model/sort_key.h"
#include "store/model/value.h"

#include "tools/text/fmt.h"

enum { GROUPS_SHOWN = 60, GROUPS_NODE = 64 /* estimated bytes of a node of the tree */ };

/* A column of a group. */
struct groups_cell {
	uint64_t n; /* number of values; GROUPS_BY: 0 or 1 */
	struct number sum;
	enum value_type type; /* of @text */
	struct buf text;      /* minimum, maximum, or the value of GROUP BY */
	bool truth;
};

struct group {
	struct slice key;
	struct groups_cell cells[];
};

struct groups {
	const struct groups_plan *plan;
	struct arena arena; /* memory of the groups and their texts */
	void *tree;
	struct group **all; /* all groups in order, for groups_print() */
	size_t n;
	uint64_t items;
	struct buf key; /* of the current item */
};

struct groups *
groups_new(const struct groups_plan *plan)
{
	struct groups *g = mem_new(struct groups);

	g->plan = plan;
	arena_init(&g->arena, SIZE_MAX);
	g->key.arena = &g->arena;
	return g;
}

/* Does nothing: groups are in the arena. */
static void
groups_free_one(void *arg)
{
	(void)arg;
}

static void
groups_collect(const void *node, VISIT visit, void *arg)
{
	struct groups *g = arg;

	if (visit == postorder || visit == leaf) {
		g->all[g->n++] = *(struct group *const *)node;
	}
}

void
groups_free(struct groups *g)
{
	if (g == NULL) {
		return;
	}
	tdestroy(g->tree, groups_free_one);
	arena_drop(&g->arena);
	free(g);
}

/* ------------------------------------------------------------ refusals */

/* Fail because @column cannot take @v; @wanted: the type that it takes; VALUE_TYPES: several. */
static int
groups_refuse(struct call *c, const struct groups_column *column, const struct value *v,
	      const char *why, enum value_type wanted)
{
	static const char *const kinds[VALUE_TYPES] = {
		"a text", "a number", "a binary value", "a boolean", "NULL",
		"a list", "a map",    "a set",          "a set",     "a set"};
	cleanup(buf_release) struct buf json = {0};
	cleanup(buf_release) struct buf advice = {0};

	value_put_json(&json, v, ITEM_PLAIN);
	if (json.len > GROUPS_SHOWN) {
		json.len = utf8_cut(buf_view(&json), GROUPS_SHOWN).len;
		buf_str(&json, "...");
	}
	if (wanted != VALUE_TYPES && column->path.n == 1) {
		buf_fmt(&advice, "; WHERE attribute_type(\"%.*s\", '%s') leaves it out",
			SLICE_ARG(column->path.at[0].name), value_type_name(wanted));
	}
	return call_fail(c, ERR_USAGE, "%.*s: an item has %s, %.*s: %s%.*s",
			 SLICE_ARG(column->name), kinds[v->type], SLICE_ARG(buf_view(&json)), why,
			 SLICE_ARG(buf_view(&advice)));
}

static int
groups_check_memory(const struct groups *g, struct call *c)
{
	return g->arena.used + g->n * GROUPS_NODE <= g->plan->bytes
		       ? 0
		       : call_fail(
				 c, ERR_USAGE,
				 "sql: %zu groups after %lu items need more than %zu MB of memory: "
				 "select fewer items with WHERE, or group by an attribute with fewer "
				 "values",
				 g->n, (unsigned long)g->items, g->plan->bytes >> 20);
}

/* ------------------------------------------------------------ one item */

/* Return the value of @column in @it; NULL: missing or NULL. */
static const struct value *
groups_value(const struct groups_column *column, const struct item *it)
{
	const struct value *v = path_find(&column->path, it);

	return v == NULL || v->type == VALUE_NULL ? NULL : v;
}

void
groups_put_key(struct buf *out, const struct value *v)
{
	static const char ranks[VALUE_TYPES] = {
		[VALUE_NULL] = 1, [VALUE_BOOL] = 2, [VALUE_N] = 3, [VALUE_S] = 4, [VALUE_B] = 5};

	buf_char(out, v == NULL ? 0 : ranks[v->type]);
	if (v != NULL && v->type == VALUE_BOOL) {
		buf_char(out, v->truth);
	}
	if (v != NULL && value_is_ordered(v->type)) {
		sort_key_put(out, v);
	}
	sort_key_end(out);
}

static int
groups_key(struct groups *g, struct call *c, const struct item *it)
{
	buf_clear(&g->key);
	for (size_t i = 0; i < g->plan->n_columns; i++) {
		const struct groups_column *column = &g->plan->columns[i];

		if (column->function != GROUPS_BY) {
			continue;
		}
		const struct value *v = groups_value(column, it);

		if (v != NULL && v->type >= VALUE_L) {
			return groups_refuse(c, column, v, "GROUP BY takes no lists, maps or sets",
					     VALUE_TYPES);
		}
		groups_put_key(&g->key, v);
	}
	return 0;
}

static void
groups_keep(struct groups *g, struct groups_cell *cell, const struct value *v)
{
	cell->type = v->type;
	cell->truth = v->type == VALUE_BOOL && v->truth;
	cell->text.arena = &g->arena;
	buf_clear(&cell->text);
	if (value_is_ordered(v->type)) {
		buf_slice(&cell->text, v->text);
	}
}

static int
groups_compare(const void *a, const void *b)
{
	return slice_cmp(((const struct group *)a)->key, ((const struct group *)b)->key);
}

/* Return the group with the key g->key; if it does not exist, create it with the values of @it (or NULL). */
static struct group *
groups_find(struct groups *g, const struct item *it)
{
	struct group wanted = {.key = buf_view(&g->key)};
	struct group **found = (struct group **)tfind(&wanted, &g->tree, groups_compare);

	if (found != NULL) {
		return *found;
	}
	size_t bytes = sizeof(struct group) + g->plan->n_columns * sizeof(struct groups_cell);
	struct group *made = arena_alloc(&g->arena, 1, _Alignof(struct group), bytes);

	made->key = slice_copy(&g->arena, wanted.key);
	for (size_t i = 0; it != NULL && i < g->plan->n_columns; i++) {
		const struct groups_column *column = &g->plan->columns[i];
		const struct value *v =
			column->function == GROUPS_BY ? groups_value(column, it) : NULL;

		if (v != NULL) {
			made->cells[i].n = 1;
			groups_keep(g, &made->cells[i], v);
		}
	}
	if (tsearch(made, &g->tree, groups_compare) == NULL) {
		mem_out();
	}
	g->n++;
	return made;
}

static int
groups_sum(struct call *c, const struct groups_column *column, struct groups_cell *cell,
	   const struct value *v)
{
	if (v->type != VALUE_N) {
		return groups_refuse(c, column, v, "only numbers can be added", VALUE_N);
	}
	struct number n = number_read(v->text);

	if (number_add(c, &cell->sum, &n, false, &cell->sum) < 0) {
		c->error = (struct error){0};
		return call_fail(c, ERR_USAGE,
				 "%.*s: the sum has more than the 38 digits of a number",
				 SLICE_ARG(column->name));
	}
	return 0;
}

static int
groups_extreme(struct groups *g, struct call *c, const struct groups_column *column,
	       struct groups_cell *cell, const struct value *v)
{
	struct value best = {.type = cell->type, .text = buf_view(&cell->text)};

	if (!value_is_ordered(v->type)) {
		return groups_refuse(c, column, v,
				     "only numbers, texts and binary values have an order",
				     VALUE_N);
	}
	if (cell->n > 0 && v->type != cell->type) {
		return groups_refuse(c, column, v, "items before it have values of another type",
				     cell->type);
	}
	int order = cell->n == 0 ? 0 : value_cmp(v, &best);

	if (cell->n == 0 || (column->function == GROUPS_MIN ? order < 0 : order > 0)) {
		groups_keep(g, cell, v);
	}
	return 0;
}

int
groups_add(struct groups *g, struct call *c, const struct item *it)
{
	assert(g->all == NULL);
	int r = groups_key(g, c, it);

	if (r < 0) {
		return r;
	}
	struct group *group = groups_find(g, it);

	for (size_t i = 0; r == 0 && i < g->plan->n_columns; i++) {
		const struct groups_column *column = &g->plan->columns[i];
		struct groups_cell *cell = &group->cells[i];
		bool all = column->path.n == 0;
		const struct value *v =
			all || column->function == GROUPS_BY ? NULL : groups_value(column, it);

		if (v != NULL &&
		    (column->function == GROUPS_SUM || column->function == GROUPS_AVG)) {
			r = groups_sum(c, column, cell, v);
		} else if (v != NULL && column->function != GROUPS_COUNT) {
			r = groups_extreme(g, c, column, cell, v);
		}
		cell->n += v != NULL || all;
	}
	g->items++;
	return r < 0 ? r : groups_check_memory(g, c);
}

/* ------------------------------------------------------------ HAVING, ORDER BY, rows */

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
	assert(g->all == NULL);
	g->all = arena_new(&g->arena, struct group *, g->n + 1);
	g->n = 0;
	twalk_r(g->tree, groups_collect, g);
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
