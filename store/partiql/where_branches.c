/*
 * where_branches - counts the reads of a condition as the service does; refuses too many or overlapping ones, and filters
 *                  on attributes that the index does not hold
 *
 * The parts of a condition that contain the key are expanded into an OR of branches; each branch is one read.
 * The branches are only checked here: where_runs() finds the key ranges that are read.
 */
#include "store/expr/ast.h"
#include "store/expr/names.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/partiql/where.h"
#include "store/partiql/where_int.h"

enum {
	READS_MAX = 50, /* for one statement */
	HIDDEN_BUCKETS = 16,
};

/* One read: comparisons of the key and filters, joined with AND. */
struct branch {
	const struct node **at;
	size_t n;
};

struct branches {
	struct call *c;
	const struct key_schema *key;
	struct branch *at;
	size_t n;
	size_t cap;
};

static void
branches_add(struct branches *all, struct branch b)
{
	all->at = arena_room_of(&all->c->arena, all->at, sizeof(b), all->n, &all->cap);
	all->at[all->n++] = b;
}

static struct branches
branches_like(const struct branches *all)
{
	return (struct branches){.c = all->c, .key = all->key};
}

/* ------------------------------------------------------------ expansion of AND, OR and IN */

static bool
branches_mention(const struct node *n, struct slice name)
{
	if (n->type == NODE_PATH) {
		return slice_eq(n->path.at[0].name, name);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (branches_mention(n->arg[i], name)) {
			return true;
		}
	}
	return false;
}

/* Return: the name of the sort key, or an empty one */
static struct slice
branches_sort(const struct branches *all)
{
	return key_schema_has_sort(all->key) ? all->key->sk[0].name : SLICE("");
}

/* Return: a branch with the comparisons and filters of both */
static struct branch
branches_both(const struct branches *all, const struct branch *a, const struct branch *b)
{
	struct branch out = {arena_new(&all->c->arena, const struct node *, a->n + b->n), 0};

	for (size_t i = 0; i < a->n + b->n; i++) {
		out.at[out.n++] = i < a->n ? a->at[i] : b->at[i - a->n];
	}
	return out;
}

static void
branches_add_one(struct branches *all, const struct node *n)
{
	branches_add(all, branches_both(all, &(struct branch){&n, 1}, &(struct branch){0}));
}

/* Add the branches of @n, which is neither AND nor OR: one for each value of a key in a list. */
static void
branches_leaf(struct branches *all, const struct node *n)
{
	if (!parts_is_list(n, all->key->pk[0].name) && !parts_is_list(n, branches_sort(all))) {
		branches_add_one(all, n);
		return;
	}
	for (size_t i = 1; i < n->n; i++) {
		struct node *two[2] = {n->arg[0], n->arg[i]};

		branches_add_one(all, node_make(all->c, NODE_EQ, n->place, two, 2));
	}
}

static bool branches_walk(struct branches *all, const struct node *n);

static bool
branches_and(struct branches *all, const struct node *n)
{
	struct branches before = branches_like(all);

	branches_add(&before, (struct branch){0});
	for (size_t i = 0; i < n->n; i++) {
		struct branches factor = branches_like(all);
		struct branches product = branches_like(all);

		if (!branches_walk(&factor, n->arg[i]) || before.n * factor.n > READS_MAX) {
			return false;
		}
		for (size_t k = 0; k < before.n * factor.n; k++) {
			branches_add(&product, branches_both(all, &before.at[k / factor.n],
							     &factor.at[k % factor.n]));
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
	if (!branches_mention(n, all->key->pk[0].name) &&
	    !branches_mention(n, branches_sort(all))) {
		branches_add_one(all, n);
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
			branches_add(all, some.at[k]);
		}
	}
	return true;
}

/* ------------------------------------------------------------ overlaps */

/* Return: the partition key that @b reads */
static const struct value *
branches_partition(const struct branches *all, const struct branch *b)
{
	const struct value *v = NULL;

	for (size_t i = 0; i < b->n && v == NULL; i++) {
		v = parts_equal_to(b->at[i], all->key->pk[0].name);
	}
	return v;
}

/* Return: whether each key in the range @p is less than each in @q; between two keys there is always a third */
static bool
branches_before(const struct keycond *p, const struct keycond *q)
{
	bool prefix = p->op == KEYCOND_BEGINS_WITH;
	const struct value *high = p->op == KEYCOND_BETWEEN ? p->b : p->a;

	if (p->op == KEYCOND_GT || p->op == KEYCOND_GE || q->op == KEYCOND_LT ||
	    q->op == KEYCOND_LE) {
		return false;
	}
	int order = value_cmp(high, q->a);

	if (order < 0) {
		return !prefix || !slice_starts(q->a->text, high->text);
	}
	return order == 0 && (p->op == KEYCOND_LT || (q->op == KEYCOND_GT && !prefix));
}

static bool
branches_meet(const struct branches *all, const struct branch *a, const struct branch *b)
{
	for (size_t i = 0; i < a->n; i++) {
		struct keycond p = parts_range(a->at[i], branches_sort(all));

		for (size_t k = 0; k < b->n && p.op != KEYCOND_NONE; k++) {
			struct keycond q = parts_range(b->at[k], branches_sort(all));

			if (q.op != KEYCOND_NONE &&
			    (branches_before(&p, &q) || branches_before(&q, &p))) {
				return false;
			}
		}
	}
	return true;
}

/*
 * Return: whether @b cannot overlap: it filters by the sort key, or compares the partition key with two different
 * values, so that it reads nothing
 */
static bool
branches_apart(const struct branches *all, const struct branch *b)
{
	const struct value *partition = branches_partition(all, b);

	for (size_t i = 0; i < b->n; i++) {
		const struct value *v = parts_equal_to(b->at[i], all->key->pk[0].name);

		if ((v != NULL && !value_eq(v, partition)) ||
		    (branches_mention(b->at[i], branches_sort(all)) &&
		     parts_range(b->at[i], branches_sort(all)).op == KEYCOND_NONE)) {
			return true;
		}
	}
	return false;
}

static bool
branches_overlap(const struct branches *all)
{
	for (size_t i = 1; i < all->n; i++) {
		const struct branch *a = &all->at[i];
		const struct value *partition = branches_partition(all, a);

		if (branches_apart(all, a)) {
			continue;
		}
		for (size_t k = 0; k < i; k++) {
			const struct branch *b = &all->at[k];

			if (value_eq(partition, branches_partition(all, b)) &&
			    !branches_apart(all, b) && branches_meet(all, a, b)) {
				return true;
			}
		}
	}
	return false;
}

/* ------------------------------------------------------------ filters on attributes that the index does not hold */

static void
branches_find_hidden(struct names *hidden, const struct schema *s, const struct index *ix,
		     const struct node *n)
{
	if (n->type == NODE_PATH && !schema_projects(s, ix, n->path.at[0].name)) {
		names_add(hidden, n->path.at[0].name);
	}
	for (size_t i = 0; i < n->n; i++) {
		branches_find_hidden(hidden, s, ix, n->arg[i]);
	}
}

/* Return: the bucket of a name in the service's hash table, which decides its place in the message */
static unsigned
branches_bucket(struct slice name)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < name.len; i++) {
		hash = hash * 31 + (unsigned char)name.at[i];
	}
	return (hash ^ hash >> 16) % HIDDEN_BUCKETS;
}

static int
branches_fail_hidden(struct call *c, const struct index *ix, const struct names *hidden)
{
	struct buf list;

	buf_init(&list, &c->arena);
	for (unsigned bucket = 0; bucket < HIDDEN_BUCKETS; bucket++) {
		for (size_t i = 0; i < hidden->n; i++) {
			if (branches_bucket(hidden->at[i]) == bucket) {
				buf_fmt(&list, "%s%.*s", list.len == 0 ? "" : ", ",
					SLICE_ARG(hidden->at[i]));
			}
		}
	}
	return call_fail(c, ERR_VALIDATION,
			 "One or more parameter values were invalid: Secondary index %.*s does not "
			 "project one or more filter attributes: [%.*s]",
			 SLICE_ARG(ix->name), SLICE_ARG(buf_view(&list)));
}

/* As the service does, refuse only if each branch has such a filter, and name those of the greatest partition. */
static int
branches_check_projected(struct call *c, const struct schema *s, const struct index *ix,
			 const struct branches *all)
{
	const struct value *greatest = NULL;
	struct names named = {0};

	assert(all->n > 0);
	for (size_t i = 0; i < all->n; i++) {
		const struct value *partition = branches_partition(all, &all->at[i]);
		struct names hidden = {.arena = &c->arena};

		for (size_t k = 0; k < all->at[i].n; k++) {
			branches_find_hidden(&hidden, s, ix, all->at[i].at[k]);
		}
		if (hidden.n == 0) {
			return 0;
		}
		if (greatest == NULL || value_cmp(partition, greatest) > 0) {
			greatest = partition;
			named = hidden;
		}
	}
	return branches_fail_hidden(c, ix, &named);
}

/* ------------------------------------------------------------ checks */

/* Return: whether each branch of @n names its partition */
static bool
branches_keyed(const struct branches *all, const struct node *n)
{
	struct slice name = all->key->pk[0].name;
	bool every = n->type == NODE_OR;

	if (n->type != NODE_AND && n->type != NODE_OR) {
		return parts_is_list(n, name) || parts_equal_to(n, name) != NULL;
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
	struct keycond part = parts_range(n, attr->name);
	int r = 0;

	if (n->type == NODE_AND || n->type == NODE_OR) {
		for (size_t i = 0; i < n->n && r == 0; i++) {
			r = branches_check_values(c, n->arg[i], attr);
		}
	} else if (parts_is_list(n, attr->name)) {
		for (size_t i = 1; i < n->n && r == 0; i++) {
			r = where_check_value(c, attr, n->arg[i]->value);
		}
	} else if (part.op != KEYCOND_NONE) {
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

/* Set @all to the branches of @where, or to none unless each of them names its partition. */
static int
branches_expand(struct branches *all, const struct node *where)
{
	if (where == NULL || !branches_keyed(all, where) ||
	    (branches_walk(all, where) && all->n <= READS_MAX)) {
		return 0;
	}
	return call_fail(all->c, ERR_VALIDATION,
			 "Too many decomposed read operations for a given query.");
}

int
where_check_reads(struct call *c, const struct key_schema *k, const struct node *where)
{
	return branches_expand(&(struct branches){.c = c, .key = k}, where);
}

int
where_branches(struct call *c, const struct schema *s, const struct index *ix,
	       const struct node *where)
{
	struct branches all = {.c = c, .key = schema_key(s, ix)};

	if (where == NULL || !branches_keyed(&all, where)) {
		return 0;
	}
	int r = branches_check_key(c, &all, where);

	if (r == 0) {
		r = branches_expand(&all, where);
	}
	if (r < 0) {
		return r;
	}
	if (branches_overlap(&all)) {
		return call_fail(
			c, ERR_VALIDATION,
			"Overlapping conditions with range keys are not supported in where clause");
	}
	return ix == NULL ? 0 : branches_check_projected(c, s, ix, &all);
}
