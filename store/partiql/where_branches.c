/*
 * where_branches - the reads that a condition stands for, as the service counts them
 *
 * The ORs of a condition that are about the key are multiplied out; each branch
 * is one read.  They are only judged here: what is read is where_runs()'s.
 */
#include "store/partiql/where_int.h"

enum { READS_MAX = 50 }; /* of one statement */

/* One comparison of a key attribute. */
struct key_range {
	bool sort;
	bool prefix; /* begins_with(attribute, a) */
	enum node_type op;
	const struct value *a;
	const struct value *b; /* BETWEEN: the upper bound */
};

/* Parts that hold together. */
struct branch {
	struct key_range *at;
	size_t n;
	bool negated; /* something is said of the sort key that is no range */
};

struct branches {
	struct arena *arena;
	const struct key_schema *key;
	struct branch *at;
	size_t n;
	size_t cap;
};

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

/* ------------------------------------------------------------ what a node says */

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

/* The operator when its operands change places. */
static enum node_type
branches_turned(enum node_type op)
{
	switch ((int)op) {
	case NODE_LT:
		return NODE_GT;
	case NODE_LE:
		return NODE_GE;
	case NODE_GT:
		return NODE_LT;
	case NODE_GE:
		return NODE_LE;
	default:
		return op;
	}
}

/* Does @n compare @attr with values of its type? */
static bool
branches_range(const struct node *n, const struct key_attr *attr, struct key_range *out)
{
	bool compares = n->type >= NODE_EQ && n->type <= NODE_GE && n->type != NODE_NE;
	bool call = n->type == NODE_CALL && slice_is(n->text, "begins_with");
	bool turned = compares && n->arg[0]->type == NODE_VALUE;
	const struct node *path;
	const struct node *value;

	if (!(compares || n->type == NODE_BETWEEN || call) || n->n < 2) {
		return false;
	}
	path = n->arg[turned ? 1 : 0];
	value = n->arg[turned ? 0 : 1];
	*out = (struct key_range){.prefix = call,
				  .op = turned ? branches_turned(n->type) : n->type};
	if (!parts_is_attribute(path, attr->name) || value->type != NODE_VALUE ||
	    value->value->type != attr->type) {
		return false;
	}
	out->a = value->value;
	if (n->type == NODE_BETWEEN) {
		if (n->arg[2]->type != NODE_VALUE || n->arg[2]->value->type != attr->type) {
			return false;
		}
		out->b = n->arg[2]->value;
	}
	return true;
}

static struct branch
branches_one(const struct branches *all, const struct key_range *part, bool sort)
{
	struct branch b = {.at = arena_new(all->arena, struct key_range, 1), .n = 1};

	b.at[0] = *part;
	b.at[0].sort = sort;
	return b;
}

static bool
branches_is_list(const struct node *n, const struct key_attr *attr)
{
	if (!parts_is_list(n, attr->name)) {
		return false;
	}
	for (size_t i = 1; i < n->n; i++) {
		if (n->arg[i]->value->type != attr->type) {
			return false;
		}
	}
	return true;
}

/* attribute IN [values]: a branch for each. */
static bool
branches_list(struct branches *all, const struct node *n)
{
	for (int sort = 0; sort <= key_schema_has_sort(all->key); sort++) {
		const struct key_attr *attr = sort == 1 ? &all->key->sk[0] : &all->key->pk[0];

		if (!branches_is_list(n, attr)) {
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

/* What is neither AND nor OR. */
static void
branches_leaf(struct branches *all, const struct node *n)
{
	struct branch b = {0};
	struct key_range part;

	if (branches_list(all, n)) {
		return;
	}
	if (branches_range(n, &all->key->pk[0], &part)) {
		b = branches_one(all, &part, false);
	} else if (key_schema_has_sort(all->key) && branches_range(n, &all->key->sk[0], &part)) {
		b = branches_one(all, &part, true);
	} else {
		b.negated = branches_of_sort(all, n);
	}
	branches_add(all, &b);
}

/* ------------------------------------------------------------ multiplied out */

static struct branch
branches_both(const struct branches *all, const struct branch *a, const struct branch *b)
{
	struct branch out = {.at = arena_new(all->arena, struct key_range, a->n + b->n),
			     .n = a->n + b->n,
			     .negated = a->negated || b->negated};

	for (size_t i = 0; i < out.n; i++) {
		out.at[i] = i < a->n ? a->at[i] : b->at[i - a->n];
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

/* @all: none yet.  False: there are more than READS_MAX, since no part of a condition takes branches away. */
static bool
branches_walk(struct branches *all, const struct node *n)
{
	const struct branch filter = {0};

	if (!branches_mention(n, &all->key->pk[0]) && !branches_of_sort(all, n)) {
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

/* ------------------------------------------------------------ the judgement */

/* The partition that it reads, or NULL. */
static const struct value *
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
range_holds(const struct key_range *p, const struct value *v)
{
	int order = value_cmp(v, p->a);

	if (p->prefix) {
		return slice_starts(v->text, p->a->text);
	}
	switch ((int)p->op) {
	case NODE_EQ:
		return order == 0;
	case NODE_LT:
		return order < 0;
	case NODE_LE:
		return order <= 0;
	case NODE_GT:
		return order > 0;
	case NODE_GE:
		return order >= 0;
	default:
		return order >= 0 && value_cmp(v, p->b) <= 0;
	}
}

/* Has it no least value; no greatest one? */
static bool
range_falls(const struct key_range *p)
{
	return !p->prefix && (p->op == NODE_LT || p->op == NODE_LE);
}

static bool
range_rises(const struct key_range *p)
{
	return !p->prefix && (p->op == NODE_GT || p->op == NODE_GE);
}

/* @p falls, and @q rises. */
static bool
ranges_cross(const struct key_range *p, const struct key_range *q)
{
	int order = value_cmp(q->a, p->a);

	return order < 0 || (order == 0 && p->op == NODE_LE && q->op == NODE_GE);
}

/* Can a sort key be in both ranges?  Between two different values there is always a third. */
static bool
ranges_meet(const struct key_range *p, const struct key_range *q)
{
	bool open_p = range_falls(p) || range_rises(p);
	bool open_q = range_falls(q) || range_rises(q);

	if (open_p && open_q) {
		return range_falls(p) == range_falls(q) ||
		       (range_falls(p) ? ranges_cross(p, q) : ranges_cross(q, p));
	}
	if (open_p) {
		return ranges_meet(q, p);
	}
	if (range_holds(q, p->a) || (p->b != NULL && range_holds(q, p->b))) {
		return true;
	}
	/* Behind a text stands another one that begins with it. */
	return range_holds(p, q->a) && (p->prefix ? !range_falls(q) : !open_q);
}

static bool
branches_meet(const struct branch *a, const struct branch *b)
{
	for (size_t i = 0; i < a->n; i++) {
		for (size_t k = 0; k < b->n; k++) {
			if (a->at[i].sort && b->at[k].sort && !ranges_meet(&a->at[i], &b->at[k])) {
				return false;
			}
		}
	}
	return true;
}

static bool
branches_overlap(const struct branches *all)
{
	for (size_t i = 0; i < all->n; i++) {
		for (size_t k = 0; k < i; k++) {
			const struct branch *a = &all->at[i];
			const struct branch *b = &all->at[k];

			if (!a->negated && !b->negated &&
			    value_eq(branch_partition(a), branch_partition(b)) &&
			    branches_meet(a, b)) {
				return true;
			}
		}
	}
	return false;
}

/* Does each branch of @n name its partition?  So it is of the whole as soon as it is of one factor. */
static bool
branches_keyed(const struct branches *all, const struct node *n)
{
	const struct key_attr *pk = &all->key->pk[0];
	struct key_range part;
	bool every = n->type == NODE_OR;

	if (n->type != NODE_AND && n->type != NODE_OR) {
		return branches_is_list(n, pk) ||
		       (branches_range(n, pk, &part) && part.op == NODE_EQ && !part.prefix);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (branches_keyed(all, n->arg[i]) != every) {
			return !every;
		}
	}
	return every;
}

int
where_branches(struct call *c, const struct key_schema *k, const struct node *where)
{
	struct branches all = {.arena = &c->arena, .key = k};

	if (where == NULL || !branches_keyed(&all, where)) {
		return 0;
	}
	if (!branches_walk(&all, where) || all.n > READS_MAX) {
		return call_fail(c, ERR_VALIDATION,
				 "Too many decomposed read operations for a given query.");
	}
	return branches_overlap(&all)
		       ? call_fail(c, ERR_VALIDATION,
				   "Overlapping conditions with range keys are not supported in "
				   "where clause")
		       : 0;
}
