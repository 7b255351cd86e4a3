/* where_sort - the runs of sort keys that a condition allows within each partition */
#include <stdlib.h>

#include "store/expr/expr.h"
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
static int
list_runs(struct call *c, const struct node *n, const struct key_attr *sk, bool backward,
	  struct keycond **out, size_t *n_out)
{
	struct keycond *runs = arena_new(&c->arena, struct keycond, n->n);
	size_t kept = 0;

	for (size_t i = 1; i < n->n; i++) {
		const struct value *v = n->arg[i]->value;
		int r = v->type != sk->type ? where_wrong_list(c) : where_check_value(c, sk, v);

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

/* One more sort attribute.  @last: no further one can follow. */
static int
take_sort(struct call *c, struct node *part, const struct key_attr *sk, bool backward,
	  struct within *w, bool *last)
{
	if (w->whole.op == KEYCOND_EQ) {
		w->equal.at[w->equal.n++] = w->whole.a;
	}
	if (parts_is_list(part, sk->name)) {
		*last = true;
		return list_runs(c, part, sk, backward, &w->runs, &w->n);
	}
	w->whole = sort_run(part, sk->name);
	*last = w->whole.op != KEYCOND_EQ;
	int r = where_check_value(c, sk, w->whole.a);

	return r == 0 && w->whole.b != NULL ? where_check_value(c, sk, w->whole.b) : r;
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
		if (!(lower ? is_upper(end.op) : is_lower(end.op)) || end.a->type != sk->type ||
		    end.a->text.len == 0) {
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

int
where_within(struct call *c, struct parts *p, const struct key_schema *k, bool backward,
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
		take_other_end(p, &k->sk[i], &w->whole);
	}
	return 0;
}
