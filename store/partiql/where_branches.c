/*
 * where_branches - counts the reads of a condition as the service does, and refuses too many or overlapping ones
 *
 * The parts of a condition that contain the key are expanded into an OR of branches; each branch is one read.
 * The branches are only checked here: where_runs() finds the key ranges that are read.
 */
#include <assert.h>

#include "store/model/value.h"
#include "store/partiql/where.h"
#include "store/partiql/where_int.h"

enum { READS_MAX = 50 }; /* for one statement */

static void
branches_add(struct branches *all, const struct branch *b)
{
	all->at = arena_room_of(all->arena, all->at, sizeof(*b), all->n, &all->cap);
	all->at[all->n++] = *b;
}

static struct branches
branches_like(const struct branches *all)
{
	return (struct branches){.arena = all->arena, .key = all->key};
}

/* ------------------------------------------------------------ branches of one node */

static bool
branches_mention(const struct node *n, const struct key_attr *attr)
{
	if (n->type == NODE_PATH) {
		return slice_eq(n->path.at[0].name, attr->name);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (branches_mention(n->arg[i], attr)) {
			return true;
		}
	}
	return false;
}

static bool
branches_of_sort(const struct branches *all, const struct node *n)
{
	return key_schema_has_sort(all->key) && branches_mention(n, &all->key->sk[0]);
}

static struct branch
branches_one(const struct branches *all, const struct key_range *part, bool sort)
{
	struct branch b = {.at = arena_new(all->arena, struct key_range, 1), .n = 1};

	b.at[0] = *part;
	b.at[0].sort = sort;
	return b;
}

/* If @n is "attribute IN [values]", add a branch for each value. */
static bool
branches_list(struct branches *all, const struct node *n)
{
	for (int sort = 0; sort <= key_schema_has_sort(all->key); sort++) {
		const struct key_attr *attr = sort == 1 ? &all->key->sk[0] : &all->key->pk[0];

		if (!parts_is_list(n, attr->name)) {
			continue;
		}
		for (size_t i = 1; i < n->n; i++) {
			struct key_range part = {.op = NODE_EQ, .a = n->arg[i]->value};
			struct branch b = branches_one(all, &part, sort == 1);

			branches_add(all, &b);
		}
		return true;
	}
	return false;
}

/* Return: a branch without ranges, with the filter @n. */
static struct branch
branches_filter(const struct branches *all, const struct node *n)
{
	struct branch b = {.filter = arena_new(all->arena, const struct node *, 1), .n_filter = 1};

	b.filter[0] = n;
	return b;
}

/* Add the branches of @n, which is neither AND nor OR. */
static void
branches_leaf(struct branches *all, const struct node *n)
{
	struct branch b;
	struct key_range part;

	if (branches_list(all, n)) {
		return;
	}
	if (range_of(n, &all->key->pk[0], &part)) {
		b = branches_one(all, &part, false);
	} else if (key_schema_has_sort(all->key) && range_of(n, &all->key->sk[0], &part)) {
		b = branches_one(all, &part, true);
	} else {
		b = branches_filter(all, n);
		b.unranged = branches_of_sort(all, n);
	}
	branches_add(all, &b);
}

/* ------------------------------------------------------------ expansion of AND and OR */

static struct branch
branches_both(const struct branches *all, const struct branch *a, const struct branch *b)
{
	struct branch out = {
		.at = arena_new(all->arena, struct key_range, a->n + b->n),
		.n = a->n + b->n,
		.unranged = a->unranged || b->unranged,
		.filter = arena_new(all->arena, const struct node *, a->n_filter + b->n_filter),
		.n_filter = a->n_filter + b->n_filter,
	};

	for (size_t i = 0; i < out.n; i++) {
		out.at[i] = i < a->n ? a->at[i] : b->at[i - a->n];
	}
	for (size_t i = 0; i < out.n_filter; i++) {
		out.filter[i] = i < a->n_filter ? a->filter[i] : b->filter[i - a->n_filter];
	}
	return out;
}

static bool branches_walk(struct branches *all, const struct node *n);

static bool
branches_and(struct branches *all, const struct node *n)
{
	struct branches before = branches_like(all);
	const struct branch nothing = {0};

	branches_add(&before, &nothing);
	for (size_t i = 0; i < n->n; i++) {
		struct branches factor = branches_like(all);
		struct branches product = branches_like(all);

		if (!branches_walk(&factor, n->arg[i]) || before.n * factor.n > READS_MAX) {
			return false;
		}
		for (size_t k = 0; k < before.n * factor.n; k++) {
			struct branch b = branches_both(all, &before.at[k / factor.n],
							&factor.at[k % factor.n]);

			branches_add(&product, &b);
		}
		before = product;
	}
	*all = before;
	return true;
}

/* Add the branches of @n to @all, which is empty.  Return: false: there are more than READS_MAX */
static bool
branches_walk(struct branches *all, const struct node *n)
{
	assert(all->n == 0);
	if (!branches_mention(n, &all->key->pk[0]) && !branches_of_sort(all, n)) {
		struct branch filter = branches_filter(all, n);

		branches_add(all, &filter);
		return true;
	}
	if (n->type == NODE_AND) {
		return branches_and(all, n);
	}
	if (n->type != NODE_OR) {
		branches_leaf(all, n);
		return true;
	}
	for (size_t i = 0; i < n->n; i++) {
		struct branches some = branches_like(all);

		if (!branches_walk(&some, n->arg[i]) || all->n + some.n > READS_MAX) {
			return false;
		}
		for (size_t k = 0; k < some.n; k++) {
			branches_add(all, &some.at[k]);
		}
	}
	return true;
}

/* ------------------------------------------------------------ checks */

const struct value *
branch_partition(const struct branch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		if (!b->at[i].sort && b->at[i].op == NODE_EQ && !b->at[i].prefix) {
			return b->at[i].a;
		}
	}
	return NULL;
}

static bool
branches_meet(const struct branch *a, const struct branch *b)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++) {
			if (a->at[i].sort && b->at[k].sort && !range_meets(&a->at[i], &b->at[k])) {
				return false;
			}
		}
	}
	return true;
}

/* Return: whether @b compares its partition key with two different values, so that it reads nothing. */
static bool
branches_nowhere(const struct branch *b)
{
	const struct value *partition = branch_partition(b);

	for (size_t i = 0; i < b->n; i++) {
		if (!b->at[i].sort && b->at[i].op == NODE_EQ && !b->at[i].prefix &&
		    !value_eq(b->at[i].a, partition)) {
			return true;
		}
	}
	return false;
}

static bool
branches_overlap(const struct branches *all)
{
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct branch *a = &all->at[i];
			const struct branch *b = &all->at[k];

			if (!a->unranged && !b->unranged && !branches_nowhere(a) &&
			    !branches_nowhere(b) &&
			    value_eq(branch_partition(a), branch_partition(b)) &&
			    branches_meet(a, b)) {
				return true;
			}
		}
	}
	return false;
}

/* Return: whether each branch of @n names its partition: for an AND, one operand is enough. */
static bool
branches_keyed(const struct branches *all, const struct node *n)
{
	const struct key_attr *pk = &all->key->pk[0];
	struct key_range part;
	bool every = n->type == NODE_OR;

	if (n->type != NODE_AND && n->type != NODE_OR) {
		return parts_is_list(n, pk->name) ||
		       (range_of(n, pk, &part) && part.op == NODE_EQ && !part.prefix);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (branches_keyed(all, n->arg[i]) != every) {
			return !every;
		}
	}
	return every;
}

/* Check each value with which a branch of @n compares @attr. */
static int
branches_check_values(struct call *c, const struct node *n, const struct key_attr *attr)
{
	struct key_range part;
	int r = 0;

	if (n->type == NODE_AND || n->type == NODE_OR) {
		for (size_t i = 0; i < n->n && r == 0; i++) {
			r = branches_check_values(c, n->arg[i], attr);
		}
	} else if (parts_is_list(n, attr->name)) {
		for (size_t i = 1; i < n->n && r == 0; i++) {
			r = where_check_value(c, attr, n->arg[i]->value);
		}
	} else if (range_of(n, attr, &part)) {
		r = where_check_value(c, attr, part.a);
		r = r == 0 && part.b != NULL ? where_check_value(c, attr, part.b) : r;
	}
	return r;
}

static int
branches_check_key(struct call *c, const struct branches *all, const struct node *where)
{
	int r = branches_check_values(c, where, &all->key->pk[0]);

	return r == 0 && key_schema_has_sort(all->key)
		       ? branches_check_values(c, where, &all->key->sk[0])
		       : r;
}

static int
branches_refuse_many(struct call *c)
{
	return call_fail(c, ERR_VALIDATION,
			 "Too many decomposed read operations for a given query.");
}

int
where_check_reads(struct call *c, const struct key_schema *k, const struct node *where)
{
	struct branches all = {.arena = &c->arena, .key = k};

	return where != NULL && branches_keyed(&all, where) &&
			       (!branches_walk(&all, where) || all.n > READS_MAX)
		       ? branches_refuse_many(c)
		       : 0;
}

int
where_branches(struct call *c, const struct schema *s, const struct index *ix,
	       const struct node *where)
{
	struct branches all = {.arena = &c->arena, .key = schema_key(s, ix)};

	if (where == NULL || !branches_keyed(&all, where)) {
		return 0;
	}
	int r = branches_check_key(c, &all, where);

	if (r < 0) {
		return r;
	}
	if (!branches_walk(&all, where) || all.n > READS_MAX) {
		return branches_refuse_many(c);
	}
	if (branches_overlap(&all)) {
		return call_fail(
			c, ERR_VALIDATION,
			"Overlapping conditions with range keys are not supported in where clause");
	}
	return ix == NULL ? 0 : where_projected(c, s, ix, &all);
}
