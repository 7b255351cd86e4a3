/*
 * eval - evaluates a bound condition for an item
 *
 * The last stage of conditions and filters, run once for each item of a page.  It allocates
 * nothing (except in holds_apart()), and constants were parsed when they were bound.
 *
 * A missing attribute (or size() of a value that has none) makes each comparison false
 * except "<>", which is true; so do operands of different types.  NOT negates
 * the result in any case.  Source: BEHAVIOUR D.4-D.6
 */
#include "store/base/core/utf8.h"
#include "store/expr/document_path.h"
#include "store/model/number.h"
#include "store/model/value.h"

/* One operand, ready to compare. */
struct operand {
	const struct value *value;   /* NULL: missing */
	const struct number *number; /* already parsed, or NULL */
	struct value made;           /* result of size() */
	char digits[24];             /* its text */
};

static bool holds(const struct node *n, const struct item *it);

/* Computes size() of a value. Returns false for types that have none. */
static bool
eval_size_of(const struct value *v, size_t *out)
{
	switch (v->type) {
	case VALUE_S:
		*out = utf8_units(v->text);
		return true;
	case VALUE_B:
		*out = v->text.len;
		return true;
	case VALUE_L:
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
		*out = v->list.n;
		return true;
	case VALUE_M:
		*out = v->map.n;
		return true;
	case VALUE_N:
	case VALUE_BOOL:
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return false;
}

static void
get(const struct node *n, const struct item *it, struct operand *out)
{
	out->number = NULL;
	if (n->type == NODE_PATH) {
		out->value = path_find(&n->path, it);
		return;
	}
	if (n->type == NODE_VALUE) {
		out->value = n->value;
		out->number = n->value->type == VALUE_N ? &n->number : NULL;
		return;
	}
	struct operand of;
	size_t size;

	get(n->arg[0], it, &of);
	out->value = NULL;
	if (of.value != NULL && eval_size_of(of.value, &size)) {
		(void)snprintf(out->digits, sizeof(out->digits), "%zu", size);
		out->made = (struct value){.type = VALUE_N, .text = slice_from(out->digits)};
		out->value = &out->made;
	}
}

static bool
equal(const struct operand *a, const struct operand *b)
{
	return a->value != NULL && b->value != NULL && value_eq(a->value, b->value);
}

/* Returns true if both values exist and have the same, ordered type. */
static bool
comparable(const struct operand *a, const struct operand *b)
{
	return a->value != NULL && b->value != NULL && a->value->type == b->value->type &&
	       value_is_ordered(a->value->type);
}

static int
eval_order(const struct operand *a, const struct operand *b)
{
	if (a->value->type != VALUE_N) {
		return slice_cmp(a->value->text, b->value->text);
	}
	struct number x = a->number != NULL ? *a->number : number_read(a->value->text);
	struct number y = b->number != NULL ? *b->number : number_read(b->value->text);

	return number_cmp(&x, &y);
}

static bool
eval_compare(const struct node *n, const struct item *it)
{
	struct operand a;
	struct operand b;

	get(n->arg[0], it, &a);
	get(n->arg[1], it, &b);
	if (n->type == NODE_EQ) {
		return equal(&a, &b);
	}
	if (n->type == NODE_NE) {
		return !equal(&a, &b);
	}
	if (!comparable(&a, &b)) {
		return false;
	}
	int r = eval_order(&a, &b);

	if (n->type == NODE_LT) {
		return r < 0;
	}
	if (n->type == NODE_LE) {
		return r <= 0;
	}
	return n->type == NODE_GT ? r > 0 : r >= 0;
}

static bool
eval_between(const struct node *n, const struct item *it)
{
	struct operand a;
	struct operand bound;

	get(n->arg[0], it, &a);
	get(n->arg[1], it, &bound);
	if (!comparable(&a, &bound) || eval_order(&a, &bound) < 0) {
		return false;
	}
	get(n->arg[2], it, &bound);
	return comparable(&a, &bound) && eval_order(&a, &bound) <= 0;
}

static bool
in(const struct node *n, const struct item *it)
{
	struct operand a;
	struct operand b;

	get(n->arg[0], it, &a);
	for (size_t i = 1; a.value != NULL && i < n->n; i++) {
		get(n->arg[i], it, &b);
		if (equal(&a, &b)) {
			return true;
		}
	}
	return false;
}

static bool
has_run(struct slice s, struct slice run)
{
	return run.len == 0 || (s.len >= run.len && memmem(s.at, s.len, run.at, run.len) != NULL);
}

static bool
contains(const struct value *v, const struct value *part)
{
	if (v->type == VALUE_S || v->type == VALUE_B) {
		return v->type == part->type && has_run(v->text, part->text);
	}
	if (v->type != VALUE_L && !value_is_set(v->type)) {
		return false;
	}
	for (size_t i = 0; i < v->list.n; i++) {
		if (value_eq(&v->list.at[i], part)) {
			return true;
		}
	}
	return false;
}

static bool
eval_begins(const struct value *v, const struct value *prefix)
{
	return v->type == prefix->type && (v->type == VALUE_S || v->type == VALUE_B) &&
	       slice_starts(v->text, prefix->text);
}

static bool
call(const struct node *n, const struct item *it)
{
	struct operand a;
	struct operand b;

	get(n->arg[0], it, &a);
	if (n->function == FUNCTION_ATTRIBUTE_NOT_EXISTS) {
		return a.value == NULL;
	}
	if (a.value == NULL || n->function == FUNCTION_ATTRIBUTE_EXISTS) {
		return a.value != NULL;
	}
	if (n->function == FUNCTION_ATTRIBUTE_TYPE) {
		return a.value->type == n->wanted;
	}
	get(n->arg[1], it, &b);
	if (b.value == NULL) {
		return false;
	}
	return n->function == FUNCTION_CONTAINS ? contains(a.value, b.value)
						: eval_begins(a.value, b.value);
}

/* Evaluates the operands of AND or OR up to the first that decides. */
static bool
eval_connected(const struct node *n, const struct item *it)
{
	bool any = n->type == NODE_OR;

	for (size_t i = 0; i < n->n; i++) {
		if (holds(n->arg[i], it) == any) {
			return any;
		}
	}
	return !any;
}

static bool
holds(const struct node *n, const struct item *it)
{
	switch (n->type) {
	case NODE_OR:
	case NODE_AND:
		return eval_connected(n, it);
	case NODE_NOT:
		return !holds(n->arg[0], it);
	case NODE_EQ:
	case NODE_NE:
	case NODE_LT:
	case NODE_LE:
	case NODE_GT:
	case NODE_GE:
		return eval_compare(n, it);
	case NODE_BETWEEN:
		return eval_between(n, it);
	case NODE_IN:
		return in(n, it);
	case NODE_CALL:
		return call(n, it);
	case NODE_ADD:
	case NODE_SUBTRACT:
	case NODE_PATH:
	case NODE_VALUE:
		break;
	}
	return false;
}

/* ------------------------------------------------------------ many conditions */

enum { FEW = 64 };

static int
eval_by_name(const void *a, const void *b)
{
	return slice_cmp((*(const struct attr *const *)a)->name,
			 (*(const struct attr *const *)b)->name);
}

/* Evaluates many conditions for an item of many attributes: looks up each attribute by binary search. */
static bool
holds_apart(struct call *c, const struct expr *e, const struct item *it)
{
	assert(e->root->n == e->n_names);
	const struct attr **sorted = arena_new(&c->arena, const struct attr *, it->n);
	bool any = e->root->type == NODE_OR;

	for (size_t i = 0; i < it->n; i++) {
		sorted[i] = &it->at[i];
	}
	qsort(sorted, it->n, sizeof(void *), eval_by_name);
	for (size_t i = 0; i < e->root->n; i++) {
		struct attr wanted = {.name = e->names[i]};
		const struct attr *key = &wanted;
		const struct attr **found =
			bsearch(&key, sorted, it->n, sizeof(void *), eval_by_name);
		struct item one = {&wanted, found == NULL ? 0 : 1};

		if (found != NULL) {
			wanted = **found;
		}
		if (holds(e->root->arg[i], &one) == any) {
			return any;
		}
	}
	return !any;
}

bool
expr_eval(struct call *c, const struct expr *e, const struct item *it)
{
	if (e != NULL && e->apart && e->n_names > FEW && it->n > FEW) {
		return holds_apart(c, e, it);
	}
	return e == NULL || holds(e->root, it);
}
