/* where_sort - the runs of sort keys that a condition allows within each partition */
#include <stdlib.h>

#include "store/expr/expr.h"
#include "store/expr/trees.h"
#include "store/model/value.h"
#include "store/partiql/where_int.h"

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
		return parts_is_attribute(a, sk) && b->type == NODE_VALUE &&
				       n->arg[2]->type == NODE_VALUE
			       ? of(KEYCOND_BETWEEN, b->value, n->arg[2]->value)
			       : none;
	}
	if (n->type == NODE_CALL) {
		return slice_is(n->text, "begins_with") && parts_is_attribute(a, sk) &&
				       b->type == NODE_VALUE
			       ? of(KEYCOND_BEGINS_WITH, b->value, NULL)
			       : none;
	}
	if (parts_is_attribute(a, sk) && b->type == NODE_VALUE) {
		return of(keycond_op_of(n, false), b->value, NULL);
	}
	return parts_is_attribute(b, sk) && a->type == NODE_VALUE
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
static void
list_runs(struct call *c, const struct node *n, bool backward, struct within *w)
{
	w->runs = arena_new(&c->arena, struct keycond, n->n);
	for (size_t i = 1; i < n->n; i++) {
		w->runs[i - 1] = of(KEYCOND_EQ, n->arg[i]->value, NULL);
	}
	qsort(w->runs, n->n - 1, sizeof(*w->runs), backward ? down : up);
	for (size_t i = 0; i + 1 < n->n; i++) {
		if (w->n == 0 || !value_eq(w->runs[w->n - 1].a, w->runs[i].a)) {
			w->runs[w->n++] = w->runs[i];
		}
	}
}

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

/* Of a range that is open to one side, the other end: the first part that tells it. */
static void
take_other_end(struct parts *p, const struct key_attr *sk, struct keycond *range)
{
	bool lower = is_lower(range->op);

	for (size_t i = 0; i < p->n && (lower || is_upper(range->op)); i++) {
		struct keycond end = {.op = KEYCOND_NONE};

		if (p->at[i] != NULL) {
			end = sort_run(p->at[i], sk->name);
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
		w->whole = sort_run(*part, k->sk[0].name);
	}
	*part = NULL;
	take_other_end(p, &k->sk[0], &w->whole);
}
