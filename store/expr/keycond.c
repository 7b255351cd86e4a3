/*
 * keycond - turns the bound tree of a key condition into values of the key
 *
 * Runs after bind.c; local/read/plan.c makes a range of the result.  Only a part of the language of
 * conditions is allowed: pk = :v, and one condition on the sort key.  In a GSI whose keys have several
 * attributes: "=" on each attribute of the partition key, and on those of the sort key from the left, except
 * that the last one may have any condition.
 */
#include "store/expr/ast.h"
#include "store/expr/bind.h"
#include "store/expr/document_path.h"
#include "store/expr/trees.h"
#include "store/model/schema.h"

/* One condition of the conjunction, turned so that the attribute is on the left. */
struct term {
	const struct node *node;
	const struct path *path;
	enum keycond_op op;
	const struct node *a;
	const struct node *b;
};

/* The terms of a key condition, before the table is known. */
struct key_terms {
	const struct node *root;
	bool legacy; /* made of KeyConditions: other rules and messages */
	struct term term[KEY_ATTRS_MAX + 1];
	size_t n; /* number of terms; only the first KEY_ATTRS_MAX + 1 are kept */
};

struct keyconds {
	struct call *c;
	const struct index *ix; /* NULL: the table's own key */
	const struct key_schema *key;
	const struct key_terms *terms;
};

#define key_fail(c, n, ...) expr_blame((c), (n)->place, call_fail((c), ERR_VALIDATION, __VA_ARGS__))

enum keycond_op
keycond_op_of(const struct node *n, bool turned)
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
	case NODE_ADD:
	case NODE_SUBTRACT:
	case NODE_PATH:
	case NODE_VALUE:
		break;
	}
	return KEYCOND_NONE;
}

/* Checks an operand of a term. @path is the attribute found so far, or NULL. */
static int
keycond_check_operand(struct call *c, const struct node *n, const struct path **path)
{
	if (n->type == NODE_CALL) {
		return key_fail(c, n, "KeyConditionExpressions cannot contain nested operations");
	}
	if (n->type != NODE_PATH) {
		return 0;
	}
	if (*path != NULL) {
		return key_fail(c, n,
				"Invalid condition in KeyConditionExpression: Multiple attribute "
				"names used in one condition");
	}
	if (n->path.n > 1) {
		return expr_fail(c, EXPR_KEY_CONDITION, n->place,
				 "KeyConditionExpressions cannot have conditions on nested "
				 "attributes");
	}
	*path = &n->path;
	return 0;
}

/* Checks that the operands are one attribute and otherwise values. */
static int
keycond_check_operands(struct call *c, const struct node *n, enum keycond_op op,
		       const struct path **path)
{
	if ((op == KEYCOND_BETWEEN || op == KEYCOND_BEGINS_WITH) && n->arg[0]->type == NODE_VALUE) {
		return key_fail(c, n,
				"Invalid condition in KeyConditionExpression: %.*s operator must "
				"have the key attribute as its first operand",
				SLICE_ARG(node_operator(n)));
	}
	for (size_t i = 0; i < n->n; i++) {
		int r = keycond_check_operand(c, n->arg[i], path);

		if (r < 0) {
			return r;
		}
	}
	if (*path == NULL) {
		return key_fail(c, n,
				"Invalid condition in KeyConditionExpression: No key attribute "
				"specified");
	}
	return 0;
}

static int
add_term(struct call *c, struct key_terms *k, const struct node *n)
{
	bool turned = n->n == 2 && n->arg[0]->type != NODE_PATH;
	enum keycond_op op = keycond_op_of(n, turned);

	if (op == KEYCOND_NONE && !k->legacy) {
		return key_fail(c, n, "Invalid operator used in KeyConditionExpression: %.*s",
				SLICE_ARG(node_operator(n)));
	}
	struct term t = {
		.node = n,
		.op = op,
		.a = n->n > 1 ? n->arg[turned ? 0 : 1] : NULL,
		.b = n->n > 2 ? n->arg[2] : NULL,
	};
	int r = keycond_check_operands(c, n, op, &t.path);

	if (r < 0) {
		return r;
	}
	assert(t.path != NULL);
	for (size_t i = 0; i < k->n && i <= KEY_ATTRS_MAX; i++) {
		if (path_same(k->term[i].path, t.path)) {
			return expr_fail(
				c, EXPR_KEY_CONDITION, n->place,
				"KeyConditionExpressions must only contain one condition per key");
		}
	}
	if (k->n <= KEY_ATTRS_MAX) {
		k->term[k->n] = t;
	}
	k->n++;
	return 0;
}

static int
add_terms(struct call *c, struct key_terms *k, const struct node *n)
{
	int r = 0;

	if (n->type != NODE_AND) {
		return add_term(c, k, n);
	}
	for (size_t i = 0; r == 0 && i < n->n; i++) {
		r = add_terms(c, k, n->arg[i]);
	}
	return r;
}

static const struct term *
term_of(const struct key_terms *k, struct slice name)
{
	for (size_t i = 0; i < k->n && i <= KEY_ATTRS_MAX; i++) {
		if (slice_eq(k->term[i].path->at[0].name, name)) {
			return &k->term[i];
		}
	}
	return NULL;
}

static int
keycond_check_type(struct keyconds *k, const struct key_attr *attr, const struct node *n)
{
	if (n == NULL || n->value->type == attr->type) {
		return 0;
	}
	return key_fail(k->c, n,
			"One or more parameter values were invalid: Condition parameter type does "
			"not match schema type");
}

static int
check_some(struct keyconds *k, const struct key_attr *attr, const struct node *n)
{
	if (n->value->type == VALUE_N || n->value->text.len > 0) {
		return 0;
	}
	return expr_blame(k->c, n->place, fail_empty_key(k->c, "", k->ix, attr));
}

static int
missed(struct keyconds *k, const struct node *root, const struct key_attr *attr)
{
	return key_fail(k->c, root, "Query condition missed key schema element: %.*s",
			SLICE_ARG(attr->name));
}

/* Returns "a, b": those of the first @n attributes of @part that have no "=" condition. */
static struct slice
without_equality(struct keyconds *k, const struct key_attr *part, size_t n)
{
	struct buf names;

	buf_init(&names, &k->c->arena);
	for (size_t i = 0; i < n; i++) {
		const struct term *t = term_of(k->terms, part[i].name);

		if (t == NULL || t->op != KEYCOND_EQ) {
			buf_str(&names, names.len == 0 ? "" : ", ");
			buf_slice(&names, part[i].name);
		}
	}
	return buf_view(&names);
}

/* Checks that each attribute of a composite partition key has "=". */
static int
check_hash(struct keyconds *k, const struct node *root)
{
	size_t n = key_part_n(k->key->pk);
	struct slice names = without_equality(k, k->key->pk, n);

	return n <= 1 || names.len == 0
		       ? 0
		       : key_fail(k->c, root,
				  "HASH key attributes %.*s must have equality conditions "
				  "specified in the query",
				  SLICE_ARG(names));
}

/* Checks that in a composite sort key all attributes before the last one that has a condition are compared with "=". */
static int
keycond_check_range(struct keyconds *k, const struct node *root)
{
	size_t last = key_part_n(k->key->sk);

	while (last > 0 && term_of(k->terms, k->key->sk[last - 1].name) == NULL) {
		last--;
	}
	if (last <= 1) {
		return 0;
	}
	struct slice names = without_equality(k, k->key->sk, last - 1);

	return names.len == 0
		       ? 0
		       : key_fail(k->c, root,
				  "RANGE key attributes %.*s must have equality conditions "
				  "specified in the query because a condition is present on key "
				  "attribute %.*s",
				  SLICE_ARG(names), SLICE_ARG(k->key->sk[last - 1].name));
}

static int
not_indexable(struct keyconds *k, const struct term *t)
{
	return key_fail(k->c, t->node,
			"Attempted conditional constraint is not an indexable operation");
}

static int
match_pk(struct keyconds *k, const struct node *root, const struct key_attr *attr,
	 struct keycond *out)
{
	const struct term *t = term_of(k->terms, attr->name);

	if (t == NULL) {
		return missed(k, root, attr);
	}
	if (t->op == KEYCOND_NONE) {
		return not_indexable(k, t);
	}
	int r = keycond_check_type(k, attr, t->a);

	if (r < 0) {
		return r;
	}
	if (t->op != KEYCOND_EQ) {
		return key_fail(k->c, t->node, "Query key condition not supported");
	}
	out->equal.at[out->equal.n++] = t->a->value;
	return check_some(k, attr, t->a);
}

/* @last: no further attribute has a condition. */
static int
match_sk(struct keyconds *k, const struct node *root, const struct key_attr *attr, bool last,
	 struct keycond *out)
{
	const struct term *t = term_of(k->terms, attr->name);

	if (t == NULL) {
		return missed(k, root, attr);
	}
	int r = keycond_check_type(k, attr, t->a);

	if (r == 0 && !last && t->op != KEYCOND_EQ) {
		r = key_fail(k->c, t->node, "Query key condition not supported");
	}
	if (r == 0 && t->b != NULL) {
		out->b = t->b->value;
		r = keycond_check_type(k, attr, t->b);
	}
	if (r == 0 && t->op == KEYCOND_NONE) {
		r = not_indexable(k, t);
	}
	if (r < 0) {
		return r;
	}
	if (last) {
		out->op = t->op;
		out->a = t->a->value;
	} else {
		out->equal.at[out->equal.n++] = t->a->value;
	}
	r = check_some(k, attr, t->a);
	return r < 0 || t->b == NULL ? r : check_some(k, attr, t->b);
}

/* Refuses more conditions than the key has attributes. */
static int
keycond_check_count(struct keyconds *k)
{
	const struct key_terms *terms = k->terms;
	size_t n = key_schema_n(k->key);

	if (terms->n <= n) {
		return 0;
	}
	if (terms->n <= 2 || n > 2) {
		return key_fail(k->c, terms->term[n].node, "Query key condition not supported");
	}
	return terms->legacy
		       ? key_fail(k->c, terms->root, "Conditions can be of length 1 or 2 only")
		       : key_fail(k->c, terms->root,
				  "The number of query conditions (%zu) exceeds the number of key "
				  "attributes defined in the schema (%zu)",
				  terms->n, n);
}

int
keycond_terms(struct call *c, const struct node *root, bool legacy, struct key_terms **out)
{
	struct key_terms *k = arena_new(&c->arena, struct key_terms, 1);

	*k = (struct key_terms){.root = root, .legacy = legacy};
	*out = k;
	return legacy ? add_terms(c, k, root) : 0;
}

int
expr_key_condition(struct call *c, struct expr_scope *s, struct slice text, struct key_terms **out)
{
	struct node *root = NULL;
	int r = condition_bind(c, s, EXPR_KEY_CONDITION, text, &root);

	return r < 0 ? r : keycond_terms(c, root, false, out);
}

int
expr_key_condition_judge(struct call *c, struct key_terms *terms)
{
	assert(!terms->legacy && terms->n == 0);
	return add_terms(c, terms, terms->root);
}

bool
expr_key_condition_names(const struct key_terms *terms, const struct key_attr *attrs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (term_of(terms, attrs[i].name) == NULL) {
			return false;
		}
	}
	return true;
}

int
expr_key_condition_match(struct call *c, const struct key_terms *terms, const struct schema *schema,
			 const struct index *ix, struct keycond *out)
{
	struct keyconds k = {.c = c, .ix = ix, .key = schema_key(schema, ix), .terms = terms};
	size_t n_pk = key_part_n(k.key->pk);

	assert(terms->n > 0); /* judged */
	*out = (struct keycond){.op = KEYCOND_NONE};
	int r = keycond_check_count(&k);

	if (r == 0 && !terms->legacy) {
		r = check_hash(&k, terms->root);
		r = r < 0 ? r : keycond_check_range(&k, terms->root);
	}
	for (size_t i = 0; i < n_pk && r == 0; i++) {
		r = match_pk(&k, terms->root, &k.key->pk[i], out);
	}
	for (size_t i = n_pk; i < terms->n && r == 0; i++) {
		r = match_sk(&k, terms->root, &k.key->sk[i - n_pk], i + 1 == terms->n, out);
	}
	if (terms->legacy) {
		c->error.place = 0; /* there is no text */
	}
	return r;
}
