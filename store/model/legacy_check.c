/*
 * legacy_check - see legacy_check.h
 *
 * The front ends run before it. expr/legacy.c runs after it, and relies on its checks.
 */
#include "store/model/legacy_check.h"

#include "store/model/item.h"
#include "store/model/value.h"

#define INVALID "One or more parameter values were invalid: "

enum {
	TEXTS = 1U << VALUE_S | 1U << VALUE_B,
	ORDERED = TEXTS | 1U << VALUE_N,
	ANY = (1U << VALUE_TYPES) - 1,
	MEMBERS = ORDERED | 1U << VALUE_BOOL | 1U << VALUE_NULL,
};

static const struct {
	const char *name;
	size_t least; /* number of values */
	size_t most;
	unsigned types; /* allowed types, 1 << enum value_type */
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

/* ------------------------------------------------------------ values */

/* Checks the limits of a name and of a stored value; @v NULL: only of the name. */
static int
check_attribute(struct call *c, struct slice name, const struct value *v)
{
	struct attr a = {name, v == NULL ? (struct value){.type = VALUE_NULL} : *v};

	return item_check(c, &(struct item){&a, 1});
}

static int
legacy_check_type(struct call *c, const struct condition *in, size_t i)
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
legacy_check_values(struct call *c, const struct condition *in)
{
	int r = check_attribute(c, in->name, NULL);

	for (size_t i = 0; i < in->n && r == 0; i++) {
		r = check_attribute(c, in->name, &in->values[i]);
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
		r = legacy_check_type(c, in, i);
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
legacy_check_misused(struct call *c, const struct condition *in, const char *rule)
{
	return call_fail(c, ERR_VALIDATION, INVALID "%s for Attribute: %.*s", rule,
			 SLICE_ARG(in->name));
}

static int
legacy_check_members(struct call *c, const struct condition *in)
{
	bool compares = in->comparison != COMPARISON_NONE;

	if (compares && in->exists_given) {
		return legacy_check_misused(
			c, in, "Exists and ComparisonOperator cannot be used together");
	}
	if (in->value != NULL && in->values != NULL) {
		return legacy_check_misused(c, in,
					    "Value and AttributeValueList cannot be used together");
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
		return legacy_check_misused(
			c, in, "AttributeValueList can only be used with a ComparisonOperator");
	}
	bool missing = in->exists_given && !in->exists;

	if (missing && in->value != NULL) {
		return legacy_check_misused(c, in, "Value cannot be used when Exists is false");
	}
	if (missing || in->value != NULL) {
		return 0;
	}
	return legacy_check_misused(c, in,
				    in->exists_given
					    ? "Value must be provided when Exists is true"
					    : "Value must be provided when Exists is null");
}

struct condition
legacy_expected(const struct condition *in)
{
	struct condition out = {.name = in->name,
				.comparison = in->comparison,
				.values = in->value != NULL ? in->value : in->values,
				.n = in->value != NULL ? 1 : in->n};

	if (in->comparison == COMPARISON_NONE) {
		out.comparison = in->exists_given && !in->exists ? COMPARISON_NULL : COMPARISON_EQ;
	}
	return out;
}

/* ------------------------------------------------------------ conditions */

static int
legacy_check_operator(struct call *c, const struct conditions *in)
{
	if (in->conditional == CONDITIONAL_NONE || in->n >= 2) {
		return 0;
	}
	return call_fail(c, ERR_VALIDATION,
			 in->n == 0
				 ? "ConditionalOperator cannot be used without Filter or Expected"
				 : "ConditionalOperator can only be used when Filter or Expected "
				   "has two or more elements");
}

static int
check_each(struct call *c, const struct conditions *in)
{
	int r = 0;

	for (size_t i = 0; i < in->n && r == 0; i++) {
		r = legacy_check_values(c, &in->at[i]);
	}
	return r;
}

int
legacy_check_filter(struct call *c, const struct conditions *in)
{
	int r = check_each(c, in);

	return r < 0 ? r : legacy_check_operator(c, in);
}

int
legacy_check_expected(struct call *c, const struct conditions *in)
{
	for (size_t i = 0; i < in->n; i++) {
		struct condition one = legacy_expected(&in->at[i]);
		int r = legacy_check_members(c, &in->at[i]);

		if (r == 0) {
			r = legacy_check_values(c, &one);
		}
		if (r < 0) {
			return r;
		}
	}
	return legacy_check_operator(c, in);
}

int
legacy_check_key_conditions(struct call *c, const struct conditions *in, size_t most)
{
	int r = check_each(c, in);

	if (r == 0 && (in->n == 0 || in->n > most)) {
		r = call_fail(c, ERR_VALIDATION, "Conditions can be of length 1 or 2 only");
	}
	return r;
}

/* ------------------------------------------------------------ AttributeUpdates */

enum {
	SETS = 1U << VALUE_SS | 1U << VALUE_NS | 1U << VALUE_BS,
	ADDABLE = SETS | 1U << VALUE_N | 1U << VALUE_L,
};

static int
check_update(struct call *c, const struct attribute_update *in)
{
	int r = check_attribute(c, in->name, in->value);

	if (r < 0) {
		return r;
	}
	if (in->value == NULL) {
		return in->action == ACTION_DELETE
			       ? 0
			       : call_fail(c, ERR_VALIDATION,
					   INVALID "Only DELETE action is allowed when no "
						   "attribute value is specified");
	}
	unsigned type = 1U << in->value->type;

	if ((in->action == ACTION_ADD && (type & ADDABLE) == 0) ||
	    (in->action == ACTION_DELETE && (type & SETS) == 0)) {
		return call_fail(c, ERR_VALIDATION, INVALID "%s is not supported for the type %s",
				 in->action == ACTION_ADD ? "ADD action"
							  : "DELETE action with value",
				 value_type_title(in->value->type));
	}
	return 0;
}

int
legacy_check_updates(struct call *c, const struct attribute_updates *in)
{
	int r = 0;

	for (size_t i = 0; i < in->n && r == 0; i++) {
		r = check_update(c, &in->at[i]);
	}
	return r;
}

/* ------------------------------------------------------------ AttributesToGet */

int
legacy_check_names(struct call *c, const struct attributes_to_get *in)
{
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	if (in->n == 0) {
		return 0;
	}
	memcpy(names, in->at, in->n * sizeof(*names));
	qsort(names, in->n, sizeof(*names), slice_order);
	for (size_t i = 0; i < in->n; i++) {
		int r = check_attribute(c, names[i], NULL);

		if (r < 0) {
			return r;
		}
		if (i > 0 && slice_eq(names[i - 1], names[i])) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID "Duplicate value in attribute name: %.*s",
					 SLICE_ARG(names[i]));
		}
	}
	return 0;
}
