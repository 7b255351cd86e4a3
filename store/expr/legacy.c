/*
 * legacy - builds bound trees of conditions and updates of attributes
 *
 * Runs after op_validate().  eval.c, keycond.c and update_apply.c use the trees as those of texts.  There
 * are no placeholders, and each name is a whole attribute name, whatever characters it has.
 */
#include "store/expr/legacy.h"

#include "store/expr/ast.h"
#include "store/expr/bind.h"
#include "store/expr/part.h"
#include "store/expr/update.h"
#include "store/model/legacy_check.h"

/* ------------------------------------------------------------ nodes */

static struct node *
legacy_call(struct call *c, enum function f, struct node *const *arg, size_t n)
{
	struct node *made = node_make(c, NODE_CALL, 0, arg, n);

	made->function = f;
	return made;
}

/* Returns a node of @type with the attribute and the values as arguments. */
static struct node *
legacy_compare(struct call *c, enum node_type type, struct slice name, const struct value *values,
	       size_t n)
{
	struct node_list l = {0};

	node_list_add(c, &l, node_name(c, name, 0));
	for (size_t i = 0; i < n; i++) {
		node_list_add(c, &l, node_value(c, &values[i], 0));
	}
	return node_over(c, type, 0, &l);
}

static struct node *
legacy_comparison(struct call *c, const struct condition *in)
{
	static const struct {
		enum node_type node;
		enum function function; /* of NODE_CALL */
	} rows[COMPARISONS] = {
		[COMPARISON_EQ] = {NODE_EQ, FUNCTION_NONE},
		[COMPARISON_NE] = {NODE_NE, FUNCTION_NONE},
		[COMPARISON_IN] = {NODE_IN, FUNCTION_NONE},
		[COMPARISON_LE] = {NODE_LE, FUNCTION_NONE},
		[COMPARISON_LT] = {NODE_LT, FUNCTION_NONE},
		[COMPARISON_GE] = {NODE_GE, FUNCTION_NONE},
		[COMPARISON_GT] = {NODE_GT, FUNCTION_NONE},
		[COMPARISON_BETWEEN] = {NODE_BETWEEN, FUNCTION_NONE},
		[COMPARISON_NOT_NULL] = {NODE_CALL, FUNCTION_ATTRIBUTE_EXISTS},
		[COMPARISON_NULL] = {NODE_CALL, FUNCTION_ATTRIBUTE_NOT_EXISTS},
		[COMPARISON_CONTAINS] = {NODE_CALL, FUNCTION_CONTAINS},
		[COMPARISON_NOT_CONTAINS] = {NODE_CALL, FUNCTION_CONTAINS},
		[COMPARISON_BEGINS_WITH] = {NODE_CALL, FUNCTION_BEGINS_WITH},
	};
	assert(in->comparison > COMPARISON_NONE && in->comparison < COMPARISONS);
	struct node *made =
		legacy_compare(c, rows[in->comparison].node, in->name, in->values, in->n);

	made->function = rows[in->comparison].function;
	return made;
}

/* NOT_CONTAINS is false for a missing attribute. */
static struct node *
legacy_lacks(struct call *c, const struct condition *in)
{
	struct node *name = node_name(c, in->name, 0);
	struct node *compared = legacy_comparison(c, in);
	struct node *both[] = {legacy_call(c, FUNCTION_ATTRIBUTE_EXISTS, &name, 1),
			       node_make(c, NODE_NOT, 0, &compared, 1)};

	return node_make(c, NODE_AND, 0, both, 2);
}

/* ------------------------------------------------------------ conditions */

/* Returns a tree for @in, which has at least one condition. */
static struct node *
legacy_join(struct call *c, enum expr_kind kind, const struct conditions *in)
{
	assert(in->n > 0);
	struct node_list all = {0};

	for (size_t i = 0; i < in->n; i++) {
		struct condition one =
			kind == EXPR_CONDITION ? legacy_expected(&in->at[i]) : in->at[i];
		/* A key condition refuses it, like the single node of CONTAINS. */
		bool lacks =
			one.comparison == COMPARISON_NOT_CONTAINS && kind != EXPR_KEY_CONDITION;

		node_list_add(c, &all, lacks ? legacy_lacks(c, &one) : legacy_comparison(c, &one));
	}
	return in->n == 1 ? all.at[0]
			  : node_over(c, in->conditional == CONDITIONAL_OR ? NODE_OR : NODE_AND, 0,
				      &all);
}

struct expr *
legacy_condition(struct call *c, enum expr_kind kind, const struct conditions *in)
{
	assert(kind == EXPR_CONDITION || kind == EXPR_FILTER);
	if (in->n == 0) {
		return NULL;
	}
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	for (size_t i = 0; i < in->n; i++) {
		names[i] = in->at[i].name;
	}
	struct expr *e = arena_new(&c->arena, struct expr, 1);

	*e = (struct expr){.kind = kind,
			   .root = legacy_join(c, kind, in),
			   .names = names,
			   .n_names = in->n,
			   .apart = in->n > 1};
	return e;
}

int
legacy_key_condition(struct call *c, const struct conditions *in, struct key_terms **out)
{
	return keycond_terms(c, legacy_join(c, EXPR_KEY_CONDITION, in), true, out);
}

/* ------------------------------------------------------------ AttributeUpdates */

/* ADD to a list appends: list_append(if_not_exists(name, []), value). */
static struct node *
longer(struct call *c, const struct attribute_update *in)
{
	static const struct value empty = {.type = VALUE_L};
	struct node *old[] = {node_name(c, in->name, 0), node_value(c, &empty, 0)};
	struct node *lists[] = {legacy_call(c, FUNCTION_IF_NOT_EXISTS, old, 2),
				node_value(c, in->value, 0)};

	return legacy_call(c, FUNCTION_LIST_APPEND, lists, 2);
}

static struct clause
clause(struct call *c, const struct attribute_update *in)
{
	if (in->value == NULL) {
		return (struct clause){.verb = UPDATE_REMOVE};
	}
	if (in->action == ACTION_ADD && in->value->type == VALUE_L) {
		return (struct clause){UPDATE_SET, longer(c, in)};
	}
	static const enum update_verb verbs[] = {
		[ACTION_PUT] = UPDATE_SET,
		[ACTION_ADD] = UPDATE_ADD,
		[ACTION_DELETE] = UPDATE_DELETE,
	};

	return (struct clause){verbs[in->action], node_value(c, in->value, 0)};
}

struct expr_update *
legacy_update(struct call *c, const struct attribute_updates *in)
{
	if (in->n == 0) {
		return NULL;
	}
	struct expr_update *u = arena_new(&c->arena, struct expr_update, 1);
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	u->legacy = true;
	u->repeated = UPDATE_VERBS;
	u->n = in->n;
	u->clause = arena_new(&c->arena, struct clause, in->n);
	u->path = arena_new(&c->arena, struct path, in->n);
	for (size_t i = 0; i < in->n; i++) {
		names[i] = in->at[i].name;
		u->clause[i] = clause(c, &in->at[i]);
		u->path[i] = node_name(c, names[i], 0)->path;
	}
	u->touched = projection_whole(c, names, in->n);
	return u;
}

/* ------------------------------------------------------------ AttributesToGet */

struct expr_projection *
legacy_projection(struct call *c, const struct attributes_to_get *in)
{
	return in->n == 0 ? NULL : projection_whole(c, in->at, in->n);
}
