/*
 * update_apply - computes the new item that an update makes of an old one
 *
 * Runs after update.c; local/write/write.c stores the result.
 * First all SET values are computed from the old item.  Then the tree of
 * touched paths is walked once, and each map and list on the way is copied.
 *
 * If there are several faults, DynamoDB reports an operand of the wrong type before a path
 * that leads nowhere, and that before a missing attribute.
 */
#include "store/expr/document_path.h"
#include "store/expr/part.h"
#include "store/expr/update.h"
#include "store/model/item.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/value.h"

enum outcome { MISSING = 1 }; /* an attribute that a value refers to does not exist */

struct applier {
	struct call *c;
	const struct expr_update *u;
	const struct item *old;
	struct value *set; /* the value of each SET clause */
	size_t bytes;      /* total size of these */
};

/* Marks a removed value, which is left out when the resulting map or list is complete. */
static const struct value gone = {.type = VALUE_TYPES};

static int update_apply_change(struct applier *a, const struct part *p, const struct value *old,
			       struct value *out);
static int evaluate(struct applier *a, const struct node *n, struct value *out);

static int
update_apply_wrong_type(struct applier *a)
{
	return call_fail(a->c, ERR_VALIDATION,
			 a->u->legacy ? "Type mismatch for attribute to update"
				      : "An operand in the update expression has an incorrect "
					"data type");
}

/* ------------------------------------------------------------ values of SET */

static int
update_apply_sum(struct call *c, const struct value *x, const struct value *y, bool subtract,
		 struct value *out)
{
	struct number m = number_read(x->text);
	struct number n = number_read(y->text);
	struct number result;
	struct buf text;
	int r = number_add(c, &m, &n, subtract, &result);

	if (r < 0) {
		return r;
	}
	buf_init(&text, &c->arena);
	number_print(&text, &result);
	*out = (struct value){.type = VALUE_N, .text = buf_view(&text)};
	return 0;
}

static int
update_apply_append(struct call *c, const struct values *x, const struct values *y,
		    struct value *out)
{
	if (x->n + y->n > LIMIT_ITEM_BYTES) {
		return item_fail_update_size(c);
	}
	struct values list = {arena_new(&c->arena, struct value, x->n + y->n), x->n + y->n};

	for (size_t i = 0; i < list.n; i++) {
		list.at[i] = i < x->n ? x->at[i] : y->at[i - x->n];
	}
	*out = (struct value){.type = VALUE_L, .list = list};
	return 0;
}

/* Evaluates both arguments of @n, which must be of @type. */
static int
evaluate_two(struct applier *a, const struct node *n, enum value_type type, struct value two[2])
{
	for (size_t i = 0; i < 2; i++) {
		int r = evaluate(a, n->arg[i], &two[i]);

		if (r != 0) {
			return r;
		}
		if (two[i].type != type) {
			return update_apply_wrong_type(a);
		}
	}
	return 0;
}

/* Computes the value of @n. Returns 0, MISSING, or -ERR_*. */
static int
evaluate(struct applier *a, const struct node *n, struct value *out)
{
	bool if_not_exists = n->function == FUNCTION_IF_NOT_EXISTS;
	struct value two[2];

	if (n->type == NODE_VALUE) {
		*out = *n->value;
		return 0;
	}
	if (n->type == NODE_PATH || if_not_exists) {
		const struct path *path = if_not_exists ? &n->arg[0]->path : &n->path;
		const struct value *found = path_find(path, a->old);

		if (found != NULL) {
			*out = *found;
			return 0;
		}
		return if_not_exists ? evaluate(a, n->arg[1], out) : MISSING;
	}
	bool lists = n->type == NODE_CALL;
	int r = evaluate_two(a, n, lists ? VALUE_L : VALUE_N, two);

	if (r != 0) {
		return r;
	}
	return lists ? update_apply_append(a->c, &two[0].list, &two[1].list, out)
		     : update_apply_sum(a->c, &two[0], &two[1], n->type == NODE_SUBTRACT, out);
}

/* The new item is at least as large as its SET values, so their size is limited here, and so is the work. */
static int
evaluate_clause(struct applier *a, size_t i)
{
	int r = evaluate(a, a->u->clause[i].value, &a->set[i]);

	if (r != 0) {
		return r;
	}
	a->bytes += value_size(&a->set[i]);
	return a->bytes > LIMIT_ITEM_BYTES ? item_fail_update_size(a->c) : 0;
}

/* Returns true if the parent of @p is a map or list that has, or can have, the last component. */
static bool
leads_somewhere(const struct path *p, const struct item *it)
{
	const struct step *last = &p->at[p->n - 1];

	if (p->n == 1) {
		return true;
	}
	const struct value *in = path_find(&(struct path){p->at, p->n - 1}, it);

	return in != NULL && in->type == (last->element ? VALUE_L : VALUE_M);
}

static int
evaluate_all(struct applier *a)
{
	bool nowhere = false;
	bool missing = false;

	for (size_t i = 0; i < a->u->n; i++) {
		if (!leads_somewhere(&a->u->path[i], a->old)) {
			nowhere = true;
		} else if (a->u->clause[i].verb == UPDATE_SET) {
			int r = evaluate_clause(a, i);

			if (r < 0) {
				return r;
			}
			missing |= r == MISSING;
		}
	}
	if (nowhere) {
		return call_fail(a->c, ERR_VALIDATION,
				 "The document path provided in the update expression is invalid "
				 "for update");
	}
	return missing ? call_fail(a->c, ERR_VALIDATION,
				   "The provided expression refers to an attribute that does not "
				   "exist in the item")
		       : 0;
}

/* ------------------------------------------------------------ the new item */

static int
update_apply_add(struct applier *a, const struct value *old, const struct value *operand,
		 struct value *out)
{
	static const struct value zero = {.type = VALUE_N, .text = SLICE_INIT("0")};

	if (old != NULL && old->type != operand->type) {
		return update_apply_wrong_type(a);
	}
	if (operand->type == VALUE_N) {
		return update_apply_sum(a->c, old == NULL ? &zero : old, operand, false, out);
	}
	*out = old == NULL ? *operand
			   : (struct value){.type = old->type,
					    .list = values_union(&a->c->arena, &old->list,
								 &operand->list)};
	return 0;
}

/* Removes members from a set; a set without members is removed. */
static int
subtract(struct applier *a, const struct value *old, const struct value *operand, struct value *out)
{
	*out = gone;
	if (old == NULL) {
		return 0;
	}
	if (old->type != operand->type) {
		return update_apply_wrong_type(a);
	}
	struct values left = values_minus(&a->c->arena, &old->list, &operand->list);

	if (left.n > 0) {
		*out = (struct value){.type = old->type, .list = left};
	}
	return 0;
}

/* @old: NULL if the value does not exist yet */
static int
change_leaf(struct applier *a, size_t i, const struct value *old, struct value *out)
{
	const struct clause *cl = &a->u->clause[i];

	switch (cl->verb) {
	case UPDATE_SET:
		*out = a->set[i];
		return value_check_nesting(a->c, out, a->u->path[i].n);
	case UPDATE_ADD:
		return update_apply_add(a, old, cl->value->value, out);
	case UPDATE_DELETE:
		return subtract(a, old, cl->value->value, out);
	case UPDATE_REMOVE:
	case UPDATE_VERBS:
		break;
	}
	*out = gone;
	return 0;
}

/* Returns the position in @it of each child of @p; it->n if it is missing. */
static size_t *
places(struct call *c, const struct part *p, const struct item *it)
{
	size_t *at = arena_new(&c->arena, size_t, p->n);

	for (size_t k = 0; k < p->n; k++) {
		at[k] = it->n;
	}
	for (size_t i = 0; i < it->n; i++) {
		const struct part *child = part_named(p, it->at[i].name);

		if (child != NULL) {
			at[child - p->child] = i;
		}
	}
	return at;
}

static int
change_map(struct applier *a, const struct part *p, const struct item *old, struct item *out)
{
	struct attr *at = arena_new(&a->c->arena, struct attr, old->n + p->n);
	const size_t *place = places(a->c, p, old);
	size_t n = 0;

	for (; n < old->n; n++) {
		at[n] = old->at[n];
	}
	for (size_t k = 0; k < p->n; k++) {
		const struct part *child = &p->child[k];
		size_t i = place[k];
		bool there = i < old->n;
		struct attr *to = there ? &at[i] : &at[n++];

		to->name = child->name;
		int r = update_apply_change(a, child, there ? &old->at[i].value : NULL, &to->value);

		if (r < 0) {
			return r;
		}
	}
	*out = (struct item){at, 0};
	for (size_t i = 0; i < n; i++) {
		if (at[i].value.type != VALUE_TYPES) {
			at[out->n++] = at[i];
		}
	}
	return 0;
}

/* The parts are in the order of their indexes; those after the end of the list are appended. */
static int
change_list(struct applier *a, const struct part *p, const struct values *old, struct values *out)
{
	struct value *at = arena_new(&a->c->arena, struct value, old->n + p->n);
	size_t n = 0;

	for (; n < old->n; n++) {
		at[n] = old->at[n];
	}
	for (size_t k = 0; k < p->n; k++) {
		const struct part *child = &p->child[k];
		bool there = child->index < old->n;
		struct value *to = there ? &at[child->index] : &at[n++];
		int r = update_apply_change(a, child, there ? &old->at[child->index] : NULL, to);

		if (r < 0) {
			return r;
		}
	}
	*out = (struct values){at, 0};
	for (size_t i = 0; i < n; i++) {
		if (at[i].type != VALUE_TYPES) {
			at[out->n++] = at[i];
		}
	}
	return 0;
}

static int
update_apply_change(struct applier *a, const struct part *p, const struct value *old,
		    struct value *out)
{
	if (p->n == 0) {
		return change_leaf(a, p->path, old, out);
	}
	/* evaluate_all() has checked this. */
	assert(old != NULL && old->type == (p->child[0].element ? VALUE_L : VALUE_M));
	*out = (struct value){.type = old->type};
	return old->type == VALUE_M ? change_map(a, p, &old->map, &out->map)
				    : change_list(a, p, &old->list, &out->list);
}

int
expr_update_apply(struct call *c, const struct expr_update *u, const struct item *old,
		  struct item *updated)
{
	*updated = *old;
	if (u == NULL) {
		return 0;
	}
	struct applier a = {.c = c, .u = u, .old = old};

	a.set = arena_new(&c->arena, struct value, u->n);
	int r = evaluate_all(&a);

	return r < 0 ? r : change_map(&a, &u->touched->root, old, updated);
}
