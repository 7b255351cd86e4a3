/* where_key - operands of AND, values of keys, partitions, and ranges of sort keys */
#include <assert.h>
#include <stdlib.h>

#include "store/expr/ast.h"
#include "store/expr/expr.h"
#include "store/expr/trees.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/partiql/where_int.h"

static void
parts_add(struct parts *p, struct node *n)
{
	p->at = arena_room_of(p->arena, p->at, sizeof(struct node *), p->n, &p->cap);
	p->at[p->n++] = n;
}

void
parts_take(struct parts *p, struct node *n)
{
	if (n == NULL) {
		return;
	}
	if (n->type != NODE_AND) {
		parts_add(p, n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		parts_take(p, n->arg[i]);
	}
}

struct node *
parts_together(struct call *c, struct parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i] != NULL) {
			p->at[n++] = p->at[i];
		}
	}
	if (n < 2) {
		return n == 0 ? NULL : p->at[0];
	}
	return node_make(c, NODE_AND, p->at[0]->place, p->at, n);
}

bool
parts_is_attribute(const struct node *n, struct slice name)
{
	return n->type == NODE_PATH && n->path.n == 1 && slice_eq(n->path.at[0].name, name);
}

const struct value *
parts_equal_to(const struct node *n, struct slice name)
{
	for (size_t i = 0; n->type == NODE_EQ && i < 2; i++) {
		if (parts_is_attribute(n->arg[i], name) && n->arg[1 - i]->type == NODE_VALUE) {
			return n->arg[1 - i]->value;
		}
	}
	return NULL;
}

bool
parts_is_list(const struct node *n, struct slice name)
{
	if (n->type != NODE_IN || !parts_is_attribute(n->arg[0], name)) {
		return false;
	}
	for (size_t i = 1; i < n->n; i++) {
		if (n->arg[i]->type != NODE_VALUE) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ values of keys */

int
where_check_value(struct call *c, const struct key_attr *attr, const struct value *v)
{
	assert(v != NULL);
	if (v->type != attr->type) {
		return call_fail(c, ERR_VALIDATION,
				 "Key attribute's data type should match its data type in table's "
				 "schema: Key %.*s",
				 SLICE_ARG(attr->name));
	}
	return v->text.len > 0 ? 0 : fail_empty_key(c, "", NULL, attr);
}

/* ------------------------------------------------------------ the partitions that a condition names */

/* Distinct values of the partition key. */
struct keys {
	struct arena *arena;
	const struct value **at;
	size_t n;
	size_t cap;
};

static void
add_key(struct keys *keys, const struct value *v)
{
	for (size_t i = 0; i < keys->n; i++) {
		if (value_eq(keys->at[i], v)) {
			return;
		}
	}
	keys->at =
		arena_room_of(keys->arena, keys->at, sizeof(struct value *), keys->n, &keys->cap);
	keys->at[keys->n++] = v;
}

/* Collect keys such that @n can be true only for items with one of them.  Return: false: there are no such keys */
static bool
where_partition_find_keys(const struct node *n, struct slice name, struct keys *keys)
{
	const struct value *v = parts_equal_to(n, name);
	size_t before = keys->n;
	bool all = n->type == NODE_OR;

	if (v != NULL) {
		add_key(keys, v);
		return true;
	}
	if (parts_is_list(n, name)) {
		for (size_t i = 1; i < n->n; i++) {
			add_key(keys, n->arg[i]->value);
		}
		return true;
	}
	if (n->type != NODE_AND && n->type != NODE_OR) {
		return false;
	}
	for (size_t i = 0; i < n->n; i++) {
		if (where_partition_find_keys(n->arg[i], name, keys) != all) {
			keys->n = all ? before : keys->n;
			return !all;
		}
	}
	return all;
}

void
where_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		 struct key_values **out, size_t *n)
{
	struct keys keys = {.arena = &c->arena};

	for (size_t i = 0; i < p->n && keys.n == 0; i++) {
		/* The key ranges express "=" and IN completely, but not an AND or OR. */
		if (where_partition_find_keys(p->at[i], k->pk[0].name, &keys) &&
		    (p->at[i]->type == NODE_IN || p->at[i]->type == NODE_EQ)) {
			p->at[i] = NULL;
		}
	}
	*n = keys.n;
	*out = arena_new(&c->arena, struct key_values, keys.n);
	for (size_t i = 0; i < keys.n; i++) {
		(*out)[i].n = 1;
		(*out)[i].at[0] = keys.at[i];
	}
}

/* ------------------------------------------------------------ ranges of sort keys */

struct keycond
parts_range(const struct node *n, struct slice name)
{
	bool call = n->type == NODE_CALL;
	bool turned = !call && n->n == 2 && n->arg[0]->type == NODE_VALUE;
	enum keycond_op op = !call                              ? keycond_op_of(n, turned)
			     : slice_is(n->text, "begins_with") ? KEYCOND_BEGINS_WITH
								: KEYCOND_NONE;
	const struct value *bound[2] = {NULL, NULL};
	size_t count = op == KEYCOND_BETWEEN ? 2 : 1;
	bool values = op != KEYCOND_NONE && n->n > count &&
		      parts_is_attribute(n->arg[turned ? 1 : 0], name);

	for (size_t i = 0; i < count && values; i++) {
		const struct node *operand = n->arg[turned ? 0 : i + 1];

		values = operand->type == NODE_VALUE;
		bound[i] = operand->value;
	}
	return values ? (struct keycond){.op = op, .a = bound[0], .b = bound[1]}
		      : (struct keycond){.op = KEYCOND_NONE};
}

static int
up(const void *a, const void *b)
{
	const struct keycond *x = a;
	const struct keycond *y = b;

	return value_cmp(x->a, y->a);
}

static int
down(const void *a, const void *b)
{
	return up(b, a);
}

/* Set the ranges to the distinct values of an IN, in order. */
static void
list_runs(struct call *c, const struct node *n, bool backward, struct within *w)
{
	assert(n->n > 1);
	w->runs = arena_new(&c->arena, struct keycond, n->n);
	for (size_t i = 1; i < n->n; i++) {
		w->runs[i - 1] = (struct keycond){.op = KEYCOND_EQ, .a = n->arg[i]->value};
	}
	qsort(w->runs, n->n - 1, sizeof(*w->runs), backward ? down : up);
	for (size_t i = 0; i + 1 < n->n; i++) {
		if (w->n == 0 || !value_eq(w->runs[w->n - 1].a, w->runs[i].a)) {
			w->runs[w->n++] = w->runs[i];
		}
	}
}

/* Return: the operand that restricts @sk most: a list or an equality, else the first range; NULL: none. */
static struct node **
find_sort(struct parts *p, struct slice sk)
{
	struct node **range = NULL;

	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i] == NULL) {
			continue;
		}
		enum keycond_op op = parts_range(p->at[i], sk).op;

		if (op == KEYCOND_EQ || parts_is_list(p->at[i], sk)) {
			return &p->at[i];
		}
		if (op != KEYCOND_NONE && range == NULL) {
			range = &p->at[i];
		}
	}
	return range;
}

static bool
is_lower(enum keycond_op op)
{
	return op == KEYCOND_GT || op == KEYCOND_GE;
}

static bool
is_upper(enum keycond_op op)
{
	return op == KEYCOND_LT || op == KEYCOND_LE;
}

/* If @range has only one bound, take the other bound from the first operand that has one. */
static void
take_other_end(struct parts *p, const struct key_attr *sk, struct keycond *range)
{
	bool lower = is_lower(range->op);

	for (size_t i = 0; i < p->n && (lower || is_upper(range->op)); i++) {
		struct keycond end = {.op = KEYCOND_NONE};

		if (p->at[i] != NULL) {
			end = parts_range(p->at[i], sk->name);
		}
		if (!(lower ? is_upper(end.op) : is_lower(end.op))) {
			continue;
		}
		const struct keycond *from = lower ? range : &end;
		const struct keycond *to = lower ? &end : range;

		*range = (struct keycond){
			.op = KEYCOND_BETWEEN,
			.a = from->a,
			.b = to->a,
			.open_a = from->op == KEYCOND_GT,
			.open_b = to->op == KEYCOND_LT,
		};
		p->at[i] = NULL;
		return;
	}
}

void
where_within(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
	     struct within *w)
{
	struct node **part = key_schema_has_sort(k) ? find_sort(p, k->sk[0].name) : NULL;

	*w = (struct within){0};
	if (part == NULL) {
		return;
	}
	if (parts_is_list(*part, k->sk[0].name)) {
		list_runs(c, *part, backward, w);
	} else {
		w->whole = parts_range(*part, k->sk[0].name);
	}
	*part = NULL;
	take_other_end(p, &k->sk[0], &w->whole);
}
