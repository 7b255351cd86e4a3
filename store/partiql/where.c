/*
 * where - a condition is taken apart at its ANDs: what is about the key, and the rest
 *
 * Behind it are no keys of other tables and no planner: a partition key that is
 * compared for equality (=, IN, or an OR of such) gives runs, anything else is a filter.
 */
#include "store/partiql/where.h"

#include <assert.h>
#include <stdlib.h>

#include "store/expr/expr.h"
#include "store/partiql/reader.h"

/* A statement holds some four thousand values; of a key of several attributes they multiply. */
enum { PARTITIONS_MAX = 10000, RUNS_MAX = 10000 };

/* The conditions between which AND stands, whatever the parentheses. */
struct parts {
	struct arena *arena;
	struct node **at;
	size_t n;
	size_t cap;
};

static void
add_part(struct parts *p, struct node *n)
{
	p->at = arena_room_of(p->arena, p->at, sizeof(struct node *), p->n, &p->cap);
	p->at[p->n++] = n;
}

static void
take_apart(struct parts *p, struct node *n)
{
	if (n == NULL) {
		return;
	}
	if (n->type != NODE_AND) {
		add_part(p, n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		take_apart(p, n->arg[i]);
	}
}

/* What is left, those that became NULL not counted. */
static struct node *
together(struct call *c, struct parts *p)
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
is_attribute(const struct node *n, struct slice name)
{
	return n->type == NODE_PATH && n->path.n == 1 && slice_eq(n->path.at[0].name, name);
}

/* The value that the attribute @name is compared with in @n, by "="; NULL: @n is something else. */
static const struct value *
equal_to(const struct node *n, struct slice name)
{
	for (size_t i = 0; n->type == NODE_EQ && i < 2; i++) {
		if (is_attribute(n->arg[i], name) && n->arg[1 - i]->type == NODE_VALUE) {
			return n->arg[1 - i]->value;
		}
	}
	return NULL;
}

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

/* Take the value of @attr out of the parts; NULL when it is not there. */
static int
take_equal(struct call *c, struct parts *p, const struct key_attr *attr, const struct value **out)
{
	*out = NULL;
	for (size_t i = 0; i < p->n; i++) {
		const struct value *v = p->at[i] == NULL ? NULL : equal_to(p->at[i], attr->name);

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
	take_apart(&p, where);
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
	*rest = together(c, &p);
	return 0;
}

/* ------------------------------------------------------------ partition keys */

/* Values of the partition key, each once. */
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

/* Is @n "name IN (values)"? */
static bool
is_list(const struct node *n, struct slice name)
{
	if (n->type != NODE_IN || !is_attribute(n->arg[0], name)) {
		return false;
	}
	for (size_t i = 1; i < n->n; i++) {
		if (n->arg[i]->type != NODE_VALUE) {
			return false;
		}
	}
	return true;
}

/* What of @n can only be true of items with one of these keys?  False: nothing. */
static bool
find_keys(const struct node *n, struct slice name, struct keys *keys)
{
	const struct value *v = equal_to(n, name);
	size_t before = keys->n;
	bool all = n->type == NODE_OR;

	if (v != NULL) {
		add_key(keys, v);
		return true;
	}
	if (is_list(n, name)) {
		for (size_t i = 1; i < n->n; i++) {
			add_key(keys, n->arg[i]->value);
		}
		return true;
	}
	if (n->type != NODE_AND && n->type != NODE_OR) {
		return false;
	}
	for (size_t i = 0; i < n->n; i++) {
		if (find_keys(n->arg[i], name, keys) != all) {
			keys->n = all ? before : keys->n;
			return !all;
		}
	}
	return all;
}

static int
wrong_list(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: Condition parameter type does "
			 "not match schema type");
}

/* The first part that names values of @pk; only "=" and IN say no more than the runs do. */
static int
take_keys(struct call *c, struct parts *p, const struct key_attr *pk, struct keys *keys)
{
	for (size_t i = 0; i < p->n && keys->n == 0; i++) {
		if (p->at[i] == NULL || !find_keys(p->at[i], pk->name, keys)) {
			continue;
		}
		for (size_t k = 0; k < keys->n; k++) {
			bool list = p->at[i]->type == NODE_IN;
			int r = list && keys->at[k]->type != pk->type
					? wrong_list(c)
					: where_check_value(c, pk, keys->at[k]);

			if (r < 0) {
				return r;
			}
		}
		if (p->at[i]->type == NODE_IN || p->at[i]->type == NODE_EQ) {
			p->at[i] = NULL;
		}
	}
	return 0;
}

/* Every partition that the values of @keys, one set for each attribute, make together. */
static int
cross(struct call *c, const struct keys *keys, size_t n_keys, struct key_values **out, size_t *n)
{
	size_t all = 1;

	for (size_t i = 0; i < n_keys; i++) {
		all *= keys[i].n;
		if (all > PARTITIONS_MAX) {
			return call_fail(c, ERR_VALIDATION,
					 "The IN operator is provided with too many operands; "
					 "number of operands: %zu",
					 all);
		}
	}
	*out = arena_new(&c->arena, struct key_values, all);
	*n = all;
	for (size_t i = 0; i < all; i++) {
		size_t left = i;

		(*out)[i].n = n_keys;
		for (size_t k = n_keys; k > 0; k--) {
			(*out)[i].at[k - 1] = keys[k - 1].at[left % keys[k - 1].n];
			left /= keys[k - 1].n;
		}
	}
	return 0;
}

/* The partitions that the parts name; none when an attribute of the key is not compared. */
static int
take_partitions(struct call *c, struct parts *p, const struct key_schema *k,
		struct key_values **out, size_t *n)
{
	struct keys keys[KEY_PART_MAX];
	size_t n_keys = key_part_n(k->pk);
	struct parts before = {.arena = p->arena};

	*n = 0;
	for (size_t i = 0; i < p->n; i++) {
		add_part(&before, p->at[i]);
	}
	for (size_t i = 0; i < n_keys; i++) {
		keys[i] = (struct keys){.arena = &c->arena};
		int r = take_keys(c, p, &k->pk[i], &keys[i]);

		if (r < 0) {
			return r;
		}
		if (keys[i].n == 0) {
			*p = before;
			return 0;
		}
	}
	return cross(c, keys, n_keys, out, n);
}

/* ------------------------------------------------------------ sort keys */

static struct keycond
of(enum keycond_op op, const struct value *a, const struct value *b)
{
	return (struct keycond){.op = op, .a = a, .b = b};
}

/* What @n says of the sort key as a run; op is KEYCOND_NONE when it is none. */
static struct keycond
sort_run(const struct node *n, struct slice sk)
{
	struct keycond none = {.op = KEYCOND_NONE};

	if (n->n < 2) {
		return none;
	}
	const struct node *a = n->arg[0];
	const struct node *b = n->arg[1];

	if (n->type == NODE_BETWEEN) {
		return is_attribute(a, sk) && b->type == NODE_VALUE && n->arg[2]->type == NODE_VALUE
			       ? of(KEYCOND_BETWEEN, b->value, n->arg[2]->value)
			       : none;
	}
	if (n->type == NODE_CALL) {
		return slice_is(n->text, "begins_with") && is_attribute(a, sk) &&
				       b->type == NODE_VALUE
			       ? of(KEYCOND_BEGINS_WITH, b->value, NULL)
			       : none;
	}
	if (is_attribute(a, sk) && b->type == NODE_VALUE) {
		return of(keycond_op_of(n, false), b->value, NULL);
	}
	return is_attribute(b, sk) && a->type == NODE_VALUE
		       ? of(keycond_op_of(n, true), a->value, NULL)
		       : none;
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

/* Sort keys one by one, in order, each once. */
static int
list_runs(struct call *c, const struct node *n, const struct key_attr *sk, bool backward,
	  struct keycond **out, size_t *n_out)
{
	struct keycond *runs = arena_new(&c->arena, struct keycond, n->n);
	size_t kept = 0;

	for (size_t i = 1; i < n->n; i++) {
		const struct value *v = n->arg[i]->value;
		int r = v->type != sk->type ? wrong_list(c) : where_check_value(c, sk, v);

		if (r < 0) {
			return r;
		}
		runs[i - 1] = of(KEYCOND_EQ, v, NULL);
	}
	qsort(runs, n->n - 1, sizeof(*runs), backward ? down : up);
	for (size_t i = 0; i + 1 < n->n; i++) {
		if (kept == 0 || !value_eq(runs[kept - 1].a, runs[i].a)) {
			runs[kept++] = runs[i];
		}
	}
	*out = runs;
	*n_out = kept;
	return 0;
}

/* What a partition's runs have in common, and where they differ. */
struct within {
	struct key_values equal; /* sort attributes, all but the last that is given */
	struct keycond whole;
	struct keycond *runs; /* of the last one; only op, a and b */
	size_t n;
};

/* The part that says most of @sk: a list, an equality, else the first range; NULL: none. */
static struct node **
find_sort(struct parts *p, struct slice sk)
{
	struct node **range = NULL;

	for (size_t i = 0; i < p->n; i++) {
		if (p->at[i] == NULL) {
			continue;
		}
		enum keycond_op op = sort_run(p->at[i], sk).op;

		if (op == KEYCOND_EQ || is_list(p->at[i], sk)) {
			return &p->at[i];
		}
		if (op != KEYCOND_NONE && range == NULL) {
			range = &p->at[i];
		}
	}
	return range;
}

/* One more sort attribute.  @last: no further one can follow. */
static int
take_sort(struct call *c, struct node *part, const struct key_attr *sk, bool backward,
	  struct within *w, bool *last)
{
	if (w->whole.op == KEYCOND_EQ) {
		w->equal.at[w->equal.n++] = w->whole.a;
	}
	if (is_list(part, sk->name)) {
		*last = true;
		return list_runs(c, part, sk, backward, &w->runs, &w->n);
	}
	w->whole = sort_run(part, sk->name);
	*last = w->whole.op != KEYCOND_EQ;
	int r = where_check_value(c, sk, w->whole.a);

	return r == 0 && w->whole.b != NULL ? where_check_value(c, sk, w->whole.b) : r;
}

/* The runs within one partition that the parts allow. */
static int
take_runs(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
	  struct within *w)
{
	size_t n = key_part_n(k->sk);
	bool last = false;

	for (size_t i = 0; i < n && !last; i++) {
		struct node **part = find_sort(p, k->sk[i].name);

		if (part == NULL) {
			break;
		}
		int r = take_sort(c, *part, &k->sk[i], backward, w, &last);

		if (r < 0) {
			return r;
		}
		*part = NULL;
	}
	return 0;
}

/* Every partition with every run. */
static int
combine(struct call *c, const struct key_values *partitions, size_t n, const struct within *w,
	struct where_runs *out)
{
	const struct keycond *runs = w->n == 0 ? &w->whole : w->runs;

	out->each = w->n == 0 ? 1 : w->n;
	if (n * out->each > RUNS_MAX) {
		return call_fail(c, ERR_VALIDATION,
				 "The IN operator is provided with too many operands; number of "
				 "operands: %zu",
				 n * out->each);
	}
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
	struct key_values *partitions;
	size_t n;

	*out = (struct where_runs){.rest = where};
	take_apart(&p, where);
	int r = take_partitions(c, &p, k, &partitions, &n);

	if (r < 0 || n == 0) {
		return r;
	}
	r = take_runs(c, &p, k, backward, &w);
	if (r == 0) {
		r = combine(c, partitions, n, &w, out);
	}
	out->rest = together(c, &p);
	return r;
}
