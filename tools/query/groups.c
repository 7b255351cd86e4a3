/* groups - see groups.h; a tree of groups that is sorted by the values of GROUP BY */
#include "tools/query/groups.h"

#include <assert.h>
#include <search.h>
#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/mem.h"
#include "store/base/core/utf8.h"
#include "store/expr/document_path.h"
#include "store/model/item_json.h"
#include "store/model/number.h"
#include "store/model/sort_key.h"
#include "store/model/value.h"

#include "tools/query/groups_int.h"

enum { GROUPS_SHOWN = 60, GROUPS_NODE = 64 /* estimated bytes of a node of the tree */ };

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
groups_sorted(struct groups *g)
{
	if (g->all == NULL) {
		g->all = arena_new(&g->arena, struct group *, g->n + 1);
		g->n = 0;
		twalk_r(g->tree, groups_collect, g);
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

struct group *
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
