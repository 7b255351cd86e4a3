/*
 * legacy - conditions on attributes, checked and turned into a bound tree
 *
 * Before it: op_validate().  After it: eval.c and keycond.c, as with a text.  There
 * are no placeholders, and a name is an attribute's whatever characters it has.
 */
#include "store/expr/legacy.h"

#include "store/expr/legacy_int.h"

#define INVALID "One or more parameter values were invalid: "

enum {
	TEXTS = 1U << VALUE_S | 1U << VALUE_B,
	ORDERED = TEXTS | 1U << VALUE_N,
	ANY = (1U << VALUE_TYPES) - 1,
	MEMBERS = ORDERED | 1U << VALUE_BOOL | 1U << VALUE_NULL,
};

static const struct {
	const char *name;
	size_t least; /* values */
	size_t most;
	unsigned types; /* of each, a set of bits */
} rules[COMPARISONS] = {
	[COMPARISON_EQ] = {"EQ", 1, 1, ANY},
	[COMPARISON_NE] = {"NE", 1, 1, ANY},
	[COMPARISON_IN] = {"IN", 1, SIZE_MAX, ORDERED},
	[COMPARISON_LE] = {"LE", 1, 1, ORDERED},
	[COMPARISON_LT] = {"LT", 1, 1, ORDERED},
	[COMPARISON_GE] = {"GE", 1, 1, ORDERED},
	[COMPARISON_GT] = {"GT", 1, 1, ORDERED},
	[COMPARISON_BETWEEN] = {"BETWEEN", 2, 2, ORDERED},
	[COMPARISON_NOT_NULL] = {"NOT_NULL", 0, 0, 0},
	[COMPARISON_NULL] = {"NULL", 0, 0, 0},
	[COMPARISON_CONTAINS] = {"CONTAINS", 1, 1, MEMBERS},
	[COMPARISON_NOT_CONTAINS] = {"NOT_CONTAINS", 1, 1, MEMBERS},
	[COMPARISON_BEGINS_WITH] = {"BEGINS_WITH", 1, 1, TEXTS},
};

/* ------------------------------------------------------------ nodes */

static struct node *
node_new(struct call *c, enum node_type type, size_t n)
{
	struct node *new = arena_new(&c->arena, struct node, 1);

	*new = (struct node){.type = type, .n = n, .arg = arena_new(&c->arena, struct node *, n)};
	return new;
}

struct path
legacy_path(struct call *c, struct slice name)
{
	struct step *step = arena_new(&c->arena, struct step, 1);

	*step = (struct step){.text = name, .name = name};
	return (struct path){step, 1};
}

struct node *
legacy_attribute(struct call *c, struct slice name)
{
	struct node *new = node_new(c, NODE_PATH, 0);

	new->path = legacy_path(c, name);
	return new;
}

struct node *
legacy_value(struct call *c, const struct value *v)
{
	struct node *new = node_new(c, NODE_VALUE, 0);

	new->value = v;
	if (v->type == VALUE_N) {
		new->number = number_read(v->text);
	}
	return new;
}

struct node *
legacy_call(struct call *c, enum function f, struct node *a, struct node *b)
{
	struct node *new = node_new(c, NODE_CALL, b == NULL ? 1 : 2);

	new->function = f;
	new->arg[0] = a;
	if (b != NULL) {
		new->arg[1] = b;
	}
	return new;
}

/* @type of the attribute and each of the values */
static struct node *
compare(struct call *c, enum node_type type, struct slice name, const struct value *values,
	size_t n)
{
	struct node *new = node_new(c, type, n + 1);

	new->arg[0] = legacy_attribute(c, name);
	for (size_t i = 0; i < n; i++) {
		new->arg[i + 1] = legacy_value(c, &values[i]);
	}
	return new;
}

static struct node *
test(struct call *c, enum function f, const struct condition *in)
{
	return legacy_call(c, f, legacy_attribute(c, in->name),
			   in->n == 0 ? NULL : legacy_value(c, &in->values[0]));
}

/* What is not there has no absence of a part either. */
static struct node *
lacks(struct call *c, const struct condition *in)
{
	struct node *both = node_new(c, NODE_AND, 2);
	struct node *not = node_new(c, NODE_NOT, 1);

	not ->arg[0] = test(c, FUNCTION_CONTAINS, in);
	both->arg[0] =
		legacy_call(c, FUNCTION_ATTRIBUTE_EXISTS, legacy_attribute(c, in->name), NULL);
	both->arg[1] = not ;
	return both;
}

static struct node *
build(struct call *c, const struct condition *in)
{
	switch (in->comparison) {
	case COMPARISON_EQ:
		return compare(c, NODE_EQ, in->name, in->values, in->n);
	case COMPARISON_NE:
		return compare(c, NODE_NE, in->name, in->values, in->n);
	case COMPARISON_IN:
		return compare(c, NODE_IN, in->name, in->values, in->n);
	case COMPARISON_LE:
		return compare(c, NODE_LE, in->name, in->values, in->n);
	case COMPARISON_LT:
		return compare(c, NODE_LT, in->name, in->values, in->n);
	case COMPARISON_GE:
		return compare(c, NODE_GE, in->name, in->values, in->n);
	case COMPARISON_GT:
		return compare(c, NODE_GT, in->name, in->values, in->n);
	case COMPARISON_BETWEEN:
		return compare(c, NODE_BETWEEN, in->name, in->values, in->n);
	case COMPARISON_NOT_NULL:
		return test(c, FUNCTION_ATTRIBUTE_EXISTS, in);
	case COMPARISON_CONTAINS:
		return test(c, FUNCTION_CONTAINS, in);
	case COMPARISON_NOT_CONTAINS:
		return lacks(c, in);
	case COMPARISON_BEGINS_WITH:
		return test(c, FUNCTION_BEGINS_WITH, in);
	case COMPARISON_NONE:
	case COMPARISON_NULL:
	case COMPARISONS:
		break;
	}
	return test(c, FUNCTION_ATTRIBUTE_NOT_EXISTS, in);
}

/* ------------------------------------------------------------ checks */

int
legacy_check_attribute(struct call *c, struct slice name, const struct value *v)
{
	struct attr a = {name, v == NULL ? (struct value){.type = VALUE_NULL} : *v};

	return item_check(c, &(struct item){&a, 1});
}

static int
check_type(struct call *c, const struct condition *in, size_t i)
{
	enum value_type type = in->values[i].type;

	if ((rules[in->comparison].types & 1U << type) == 0) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "ComparisonOperator %s is not valid for %s AttributeValue "
					 "type",
				 rules[in->comparison].name, value_type_name(type));
	}
	if (type != in->values[0].type) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "AttributeValues inside AttributeValueList must be of "
					 "same type");
	}
	return 0;
}

static int
check_values(struct call *c, const struct condition *in)
{
	int r = legacy_check_attribute(c, in->name, NULL);

	for (size_t i = 0; i < in->n && r == 0; i++) {
		r = legacy_check_attribute(c, in->name, &in->values[i]);
	}
	if (r < 0) {
		return r;
	}
	if (in->n < rules[in->comparison].least || in->n > rules[in->comparison].most) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Invalid number of argument(s) for the %s "
					 "ComparisonOperator",
				 rules[in->comparison].name);
	}
	for (size_t i = 0; i < in->n && r == 0; i++) {
		r = check_type(c, in, i);
	}
	if (r == 0 && in->comparison == COMPARISON_BETWEEN &&
	    value_cmp(&in->values[0], &in->values[1]) > 0) {
		r = call_fail(c, ERR_VALIDATION,
			      "The BETWEEN condition was provided a range where the lower bound "
			      "is greater than the upper bound");
	}
	return r;
}

/* ------------------------------------------------------------ Expected */

static int
misused(struct call *c, const struct condition *in, const char *rule)
{
	return call_fail(c, ERR_VALIDATION, INVALID "%s for Attribute: %.*s", rule,
			 SLICE_ARG(in->name));
}

static int
check_members(struct call *c, const struct condition *in)
{
	bool compares = in->comparison != COMPARISON_NONE;

	if (compares && in->exists != EXISTS_NONE) {
		return misused(c, in, "Exists and ComparisonOperator cannot be used together");
	}
	if (in->value != NULL && in->values != NULL) {
		return misused(c, in, "Value and AttributeValueList cannot be used together");
	}
	if (compares && rules[in->comparison].least > 0 && in->value == NULL &&
	    in->values == NULL) {
		return call_fail(c, ERR_VALIDATION,
				 INVALID "Value or AttributeValueList must be used with "
					 "ComparisonOperator: %s for Attribute: %.*s",
				 rules[in->comparison].name, SLICE_ARG(in->name));
	}
	if (compares) {
		return 0;
	}
	if (in->values != NULL) {
		return misused(c, in,
			       "AttributeValueList can only be used with a ComparisonOperator");
	}
	if (in->exists == EXISTS_FALSE && in->value != NULL) {
		return misused(c, in, "Value cannot be used when Exists is false");
	}
	if (in->exists == EXISTS_FALSE || in->value != NULL) {
		return 0;
	}
	return misused(c, in,
		       in->exists == EXISTS_TRUE ? "Value must be provided when Exists is true"
						 : "Value must be provided when Exists is null");
}

/* The same with a ComparisonOperator and a list of values. */
static int
expected(struct call *c, const struct condition *in, struct condition *out)
{
	*out = (struct condition){.name = in->name,
				  .comparison = in->comparison,
				  .values = in->value != NULL ? in->value : in->values,
				  .n = in->value != NULL ? 1 : in->n};
	if (in->comparison == COMPARISON_NONE) {
		out->comparison = in->exists == EXISTS_FALSE ? COMPARISON_NULL : COMPARISON_EQ;
	}
	return check_members(c, in);
}

/* ------------------------------------------------------------ conditions */

/* A tree for @in, which has at least one condition. */
static int
join(struct call *c, enum expr_kind kind, const struct conditions *in, struct node **out)
{
	struct node *all = node_new(c, in->operator== CONDITIONAL_OR ? NODE_OR : NODE_AND, in->n);

	for (size_t i = 0; i < in->n; i++) {
		struct condition one = in->at[i];
		int r = kind == EXPR_CONDITION ? expected(c, &in->at[i], &one) : 0;

		if (r == 0) {
			r = check_values(c, &one);
		}
		if (r < 0) {
			return r;
		}
		if (kind == EXPR_KEY_CONDITION && one.comparison == COMPARISON_NOT_CONTAINS) {
			one.comparison = COMPARISON_CONTAINS; /* as little of use, but one node */
		}
		all->arg[i] = build(c, &one);
	}
	*out = in->n == 1 ? all->arg[0] : all;
	return 0;
}

int
legacy_condition(struct call *c, enum expr_kind kind, const struct conditions *in,
		 struct expr **out)
{
	struct node *root = NULL;
	int r = in->n == 0 ? 0 : join(c, kind, in, &root);

	*out = NULL;
	if (r < 0) {
		return r;
	}
	if (in->operator!= CONDITIONAL_NONE && in->n<2) {
		return call_fail(c, ERR_VALIDATION,
				 in->n == 0 ? "ConditionalOperator cannot be used without Filter "
					      "or Expected"
					    : "ConditionalOperator can only be used when Filter "
					      "or Expected has two or more elements");
	}
	if (root == NULL) {
		return 0;
	}
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	for (size_t i = 0; i < in->n; i++) {
		names[i] = in->at[i].name;
	}
	*out = arena_new(&c->arena, struct expr, 1);
	**out = (struct expr){
		.kind = kind, .root = root, .names = names, .n_names = in->n, .apart = in->n > 1};
	return 0;
}

int
legacy_key_condition(struct call *c, const struct schema *schema, const struct index *ix,
		     const struct conditions *in, struct keycond *out)
{
	struct node *root = NULL;

	if (in->n == 0) {
		return call_fail(c, ERR_VALIDATION, "Conditions can be of length 1 or 2 only");
	}
	int r = join(c, EXPR_KEY_CONDITION, in, &root);

	if (r == 0) {
		r = keycond_match(c, schema, ix, root, true, out);
	}
	c->error.place = 0; /* there is no text */
	return r;
}
