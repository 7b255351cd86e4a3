/* sql_order - see sql_order.h */
#include "tools/sql/sql_order.h"

#include "store/model/item.h"

#include "tools/query/groups.h"
#include "tools/system/call_scope.h"

struct sql_order_row {
	struct item it;
	struct slice keys[SQL_ORDER_MAX];
	size_t place; /* in the order of arrival */
};

struct sql_sorted {
	const struct sql_order *order;
	struct arena arena; /* memory of the items and their keys */
	struct sql_order_row *rows;
	size_t n;
	size_t cap;
};

struct sql_sorted *
sql_order_new(const struct sql_order *order)
{
	struct sql_sorted *s = mem_new(struct sql_sorted);

	assert(order->n <= SQL_ORDER_MAX);
	s->order = order;
	arena_init(&s->arena, SIZE_MAX);
	return s;
}

void
sql_order_free(struct sql_sorted *s)
{
	if (s != NULL) {
		arena_drop(&s->arena);
		free(s);
	}
}

int
sql_order_add(struct sql_sorted *s, struct call *c, const struct item *it)
{
	s->rows = arena_room(&s->arena, s->rows, s->n, &s->cap);

	struct sql_order_row *row = &s->rows[s->n];

	*row = (struct sql_order_row){.it = item_copy(&s->arena, it), .place = s->n++};
	for (size_t i = 0; i < s->order->n; i++) {
		struct buf key = {.arena = &s->arena};

		groups_put_key(&key, item_get(it, s->order->by[i].name));
		row->keys[i] = buf_view(&key);
	}
	return s->arena.used <= CALL_BUDGET
		       ? 0
		       : call_fail(
				 c, ERR_USAGE,
				 "sql: to sort more than %zu items needs more than %d MB of memory: "
				 "select fewer items with WHERE",
				 s->n, CALL_BUDGET >> 20);
}

static int
sql_order_compare(const void *a, const void *b, void *arg)
{
	const struct sql_order *order = arg;
	const struct sql_order_row *x = a;
	const struct sql_order_row *y = b;

	for (size_t i = 0; i < order->n; i++) {
		int r = slice_cmp(x->keys[i], y->keys[i]);

		if (r != 0) {
			return order->by[i].descending ? -r : r;
		}
	}
	return x->place < y->place ? -1 : 1;
}

/* Remove the hidden attributes. */
static void
sql_order_hide(const struct sql_order *order, struct item *it)
{
	size_t n = 0;

	for (size_t i = 0; i < it->n; i++) {
		bool hidden = false;

		for (size_t k = 0; k < order->n; k++) {
			hidden = hidden || (order->by[k].hidden &&
					    slice_eq(order->by[k].name, it->at[i].name));
		}
		if (!hidden) {
			it->at[n++] = it->at[i];
		}
	}
	it->n = n;
}

struct slice
sql_order_lacking(const struct sql_sorted *s)
{
	for (size_t k = 0; k < s->order->n && s->n > 0; k++) {
		bool has = false;

		for (size_t i = 0; i < s->n && !has; i++) {
			has = item_get(&s->rows[i].it, s->order->by[k].name) != NULL;
		}
		if (!has) {
			return s->order->by[k].name;
		}
	}
	return SLICE("");
}

void
sql_order_print(struct sql_sorted *s, bool (*row)(void *arg, const struct item *it), void *arg)
{
	bool more = s->n > 0;

	if (more) {
		qsort_r(s->rows, s->n, sizeof(*s->rows), sql_order_compare, (void *)s->order);
	}
	for (size_t i = 0; more && i < s->n; i++) {
		sql_order_hide(s->order, &s->rows[i].it);
		more = row(arg, &s->rows[i].it);
	}
}
