/*
 * keycond - a key condition from a bound tree to values of the key
 *
 * Behind bind.c; local/plan.c makes a range of it.  The language is that of
 * conditions, of which little is allowed here: pk = :v, and one condition on
 * the sort key.
 */
#include "store/expr/bind.h"
#include "store/expr/parse.h"
#include "store/expr/path.h"

/* One condition of the conjunction, turned so that the attribute stands on the left. */
struct term {
	const struct node *node;
	const struct path *path;
	enum keycond_op op;
	const struct node *a;
	const struct node *b;
};

struct keyconds {
	struct call *c;
	const struct key_schema *key;
	struct term term[2];
	size_t n; /* terms met; only the first two are kept */
};

#define key_fail(k, n, ...) \
	expr_blame((k)->c, (n)->place, call_fail((k)->c, ERR_VALIDATION, __VA_ARGS__))

/* Key attributes are scalars: nothing leads into them. */
static int
check_paths(struct keyconds *k, const struct node *n)
{
	if (n->type == NODE_PATH && n->path.n > 1) {
		struct slice name = n->path.at[0].name;

		if (slice_eq(name, k->key->pk.name) || slice_eq(name, k->key->sk.name)) {
			return key_fail(k, n,
					"Key attributes must be scalars; list random access '[]' "
					"and map lookup '.' are not allowed: Key: %.*s",
					SLICE_ARG(name));
		}
		return key_fail(
			k, n,
			"KeyConditionExpressions cannot have conditions on nested attributes");
	}
	for (size_t i = 0; i < n->n; i++) {
		int r = check_paths(k, n->arg[i]);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* @turned: the operands stood the other way round. */
static enum keycond_op
op_of(const struct node *n, bool turned)
{
	switch (n->type) {
	case NODE_EQ:
		return KEYCOND_EQ;
	case NODE_LT:
		return turned ? KEYCOND_GT : KEYCOND_LT;
	case NODE_LE:
		return turned ? KEYCOND_GE : KEYCOND_LE;
	case NODE_GT:
		return turned ? KEYCOND_LT : KEYCOND_GT;
	case NODE_GE:
		return turned ? KEYCOND_LE : KEYCOND_GE;
	case NODE_BETWEEN:
		return KEYCOND_BETWEEN;
	case NODE_CALL:
		return n->function == FUNCTION_BEGINS_WITH ? KEYCOND_BEGINS_WITH : KEYCOND_NONE;
	case NODE_OR:
	case NODE_AND:
	case NODE_NOT:
	case NODE_NE:
	case NODE_IN:
	case NODE_PATH:
	case NODE_VALUE:
		break;
	}
	return KEYCOND_NONE;
}

/* One attribute and otherwise values; @paths of the operands are attributes. */
static int
check_operands(struct keyconds *k, const struct node *n, enum keycond_op op)
{
	size_t paths = 0;

	for (size_t i = 0; i < n->n; i++) {
		if (n->arg[i]->type == NODE_CALL) {
			return key_fail(k, n->arg[i],
					"KeyConditionExpressions cannot contain nested operations");
		}
		paths += n->arg[i]->type == NODE_PATH;
	}
	if ((op == KEYCOND_BETWEEN || op == KEYCOND_BEGINS_WITH) && n->arg[0]->type != NODE_PATH) {
		return key_fail(k, n,
				"Invalid condition in KeyConditionExpression: %.*s operator must "
				"have the key attribute as its first operand",
				SLICE_ARG(node_operator(n)));
	}
	if (paths == 0) {
		return key_fail(k, n,
				"Invalid condition in KeyConditionExpression: No key attribute "
				"specified");
	}
	if (paths > 1) {
		return key_fail(k, n,
				"Invalid condition in KeyConditionExpression: Multiple attribute "
				"names used in one condition");
	}
	return 0;
}

static int
add_term(struct keyconds *k, const struct node *n)
{
	bool turned = n->n == 2 && n->arg[0]->type != NODE_PATH;
	enum keycond_op op = op_of(n, turned);

	if (op == KEYCOND_NONE) {
		return key_fail(k, n, "Invalid operator used in KeyConditionExpression: %.*s",
				SLICE_ARG(node_operator(n)));
	}
	int r = check_operands(k, n, op);

	if (r < 0) {
		return r;
	}
	struct term t = {
		.node = n,
		.path = &n->arg[turned ? 1 : 0]->path,
		.op = op,
		.a = n->arg[turned ? 0 : 1],
		.b = n->n > 2 ? n->arg[2] : NULL,
	};
	for (size_t i = 0; i < k->n && i < 2; i++) {
		if (path_same(k->term[i].path, t.path)) {
			return key_fail(
				k, n,
				"KeyConditionExpressions must only contain one condition per key");
		}
	}
	if (k->n < 2) {
		k->term[k->n] = t;
	}
	k->n++;
	return 0;
}

static int
add_terms(struct keyconds *k, const struct node *n)
{
	int r = 0;

	if (n->type != NODE_AND) {
		return add_term(k, n);
	}
	for (size_t i = 0; r == 0 && i < n->n; i++) {
		r = add_terms(k, n->arg[i]);
	}
	return r;
}

static const struct term *
term_of(const struct keyconds *k, struct slice name)
{
	for (size_t i = 0; i < k->n; i++) {
		if (slice_eq(k->term[i].path->at[0].name, name)) {
			return &k->term[i];
		}
	}
	return NULL;
}

static int
check_value(struct keyconds *k, const struct key_attr *attr, const struct node *n)
{
	const struct value *v = n->value;

	if (v->type != attr->type) {
		return key_fail(k, n,
				"One or more parameter values were invalid: Condition parameter "
				"type does not match schema type");
	}
	if (v->type != VALUE_N && v->text.len == 0) {
		return key_fail(
			k, n,
			"One or more parameter values are not valid. The AttributeValue for "
			"a key attribute cannot contain an empty %s value. Key: %.*s",
			v->type == VALUE_S ? "string" : "binary", SLICE_ARG(attr->name));
	}
	return 0;
}

static int
check_term(struct keyconds *k, const struct key_attr *attr, const struct term *t)
{
	int r = check_value(k, attr, t->a);

	return r < 0 || t->b == NULL ? r : check_value(k, attr, t->b);
}

static int
missed(struct keyconds *k, const struct node *root, const struct key_attr *attr)
{
	return key_fail(k, root, "Query condition missed key schema element: %.*s",
			SLICE_ARG(attr->name));
}

/* The terms against the schema: first the partition key, then the sort key. */
static int
match(struct keyconds *k, const struct node *root, struct keycond *out)
{
	if (k->n > 2) {
		return key_fail(k, root, "Conditions can be of length 1 or 2 only");
	}
	const struct term *pk = term_of(k, k->key->pk.name);

	if (pk == NULL) {
		return missed(k, root, &k->key->pk);
	}
	int r = check_term(k, &k->key->pk, pk);

	if (r < 0) {
		return r;
	}
	if (pk->op != KEYCOND_EQ || (k->n == 2 && !key_schema_has_sort(k->key))) {
		return key_fail(k, pk->node, "Query key condition not supported");
	}
	*out = (struct keycond){.pk = pk->a->value};
	if (k->n == 1) {
		return 0;
	}
	const struct term *sk = term_of(k, k->key->sk.name);

	if (sk == NULL) {
		return missed(k, root, &k->key->sk);
	}
	out->op = sk->op;
	out->a = sk->a->value;
	out->b = sk->b == NULL ? NULL : sk->b->value;
	return check_term(k, &k->key->sk, sk);
}

int
expr_key_condition(struct call *c, struct expr_scope *s, const struct key_schema *key,
		   struct slice text, struct keycond *out)
{
	struct keyconds k = {.c = c, .key = key};
	struct node *root;

	if (text.at == NULL) {
		return call_fail(
			c, ERR_VALIDATION,
			"Either the KeyConditions or KeyConditionExpression parameter must "
			"be specified in the request.");
	}
	int r = condition_bind(c, s, EXPR_KEY_CONDITION, text, &root);

	if (r == 0) {
		r = check_paths(&k, root);
	}
	if (r == 0) {
		r = add_terms(&k, root);
	}
	return r < 0 ? r : match(&k, root, out);
}
