/*
 * where - divides a condition at its ANDs into comparisons of the key and the rest
 *
 * There is no planner: only a partition key that is compared for equality (=, IN, or OR of these) gives
 * key ranges.  Everything else is a filter.
 */
#include "store/partiql/where.h"

#include "store/expr/ast.h"
#include "store/expr/expr.h"
#include "store/expr/trees.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/partiql/where_int.h"

/* The operands of a condition's top-level ANDs, whatever its parentheses; NULL: an operand that was removed. */
struct parts {
	struct arena *arena;
	struct node **at;
	size_t n;
	size_t cap;
};

/* Distinct values of a partition key. */
struct where_keys {
	struct arena *arena;
	const struct value **at;
	size_t n;
	size_t cap;
};

/* The ranges of sort keys within each partition. */
struct within {
	struct keycond whole; /* the only range, if n is 0 */
	struct keycond *runs; /* only op, a and b are set */
	size_t n;
};

/* Append the operands of @n, which may be NULL. */
static void
parts_take(struct parts *p, struct node *n)
{
	if (n != NULL && n->type == NODE_AND) {
		for (size_t i = 0; i < n->n; i++) {
			parts_take(p, n->arg[i]);
		}
	} else if (n != NULL) {
		p->at = arena_room_of(p->arena, p->at, sizeof(struct node *), p->n, &p->cap);
		p->at[p->n++] = n;
	}
}

/* Return: the remaining operands as one condition, or NULL */
static struct node *
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

static bool
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

	*key = (struct item){arena_new(&c->arena, struct attr, 2), 0};
	parts_take(&p, where);
	key_each (attr, k) {
		const struct value *v;
		int r = take_equal(c, &p, attr, kind, &v);

		if (r < 0) {
			return r;
		}
		if (v != NULL) {
			key->at[key->n++] = (struct attr){attr->name, *v};
		}
	}
	key->n = key->n == key_schema_n(k) ? key->n : 0;
	*rest = parts_together(c, &p);
	return 0;
}

/* ------------------------------------------------------------ the partitions that a condition names */

static void
add_key(struct where_keys *keys, const struct value *v)
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

/* Collect keys such that @n can be true only for items with one of them.  Return: false: there are none */
static bool
where_find_keys(const struct node *n, struct slice name, struct where_keys *keys)
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
		if (where_find_keys(n->arg[i], name, keys) != all) {
			keys->n = all ? before : keys->n;
			return !all;
		}
	}
	return all;
}

/* Find the partitions that the operands name; remove an operand that says nothing else. */
static void
where_partitions(struct parts *p, struct slice name, struct where_keys *keys)
{
	for (size_t i = 0; i < p->n && keys->n == 0; i++) {
		/* The key ranges express "=" and IN completely, but not an AND or OR. */
		if (where_find_keys(p->at[i], name, keys) &&
		    (p->at[i]->type == NODE_IN || p->at[i]->type == NODE_EQ)) {
			p->at[i] = NULL;
		}
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

/* Find the ranges of sort keys that the operands allow; remove the operands that they express. */
static void
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

/* Combine each partition with each range of sort keys. */
static void
combine(struct call *c, const struct where_keys *partitions, const struct within *w,
	struct where_runs *out)
{
	const struct keycond *runs = w->n == 0 ? &w->whole : w->runs;

	assert(partitions->n > 0);
	out->each = w->n == 0 ? 1 : w->n;
	out->n = partitions->n * out->each;
	out->at = arena_new(&c->arena, struct keycond, out->n);
	for (size_t i = 0; i < out->n; i++) {
		out->at[i] = runs[i % out->each];
		out->at[i].equal = key_values_of(partitions->at[i / out->each], 1);
	}
}

int
where_runs(struct call *c, const struct schema *s, const struct index *ix, struct node *where,
	   bool backward, struct where_runs *out)
{
	const struct key_schema *k = schema_key(s, ix);
	struct parts p = {.arena = &c->arena};
	struct where_keys partitions = {.arena = &c->arena};
	struct within w;

	*out = (struct where_runs){.rest = where};
	int r = where_branches(c, s, ix, where);

	if (r < 0) {
		return r;
	}
	parts_take(&p, where);
	where_partitions(&p, k->pk[0].name, &partitions);
	if (partitions.n > 0) {
		where_within(c, &p, k, backward, &w);
		combine(c, &partitions, &w, out);
		out->rest = parts_together(c, &p);
	}
	return 0;
}
