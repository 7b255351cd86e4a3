/*
 * expr_check - checks the structure of a parsed expression
 *
 * Runs between parse.c and bind.c.  DynamoDB reports faults found here before
 * those that depend on placeholders, and the leftmost first: a node before its
 * arguments.
 */
#include "store/expr/expr_check.h"

#include "store/expr/ast.h"
#include "store/expr/expr.h"
#include "store/model/limits.h"

enum { INDEX_MAX = 2147483647 };

static const struct {
	const char *name;
	enum function function;
} functions[] = {
	{"attribute_exists", FUNCTION_ATTRIBUTE_EXISTS},
	{"attribute_not_exists", FUNCTION_ATTRIBUTE_NOT_EXISTS},
	{"attribute_type", FUNCTION_ATTRIBUTE_TYPE},
	{"begins_with", FUNCTION_BEGINS_WITH},
	{"contains", FUNCTION_CONTAINS},
	{"size", FUNCTION_SIZE},
	{"if_not_exists", FUNCTION_IF_NOT_EXISTS},
	{"list_append", FUNCTION_LIST_APPEND},
};

enum function
function_find(struct slice name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (slice_is(name, functions[i].name)) {
			return functions[i].function;
		}
	}
	return FUNCTION_NONE;
}

static int
check_element(struct call *c, enum expr_kind kind, struct step *s)
{
	size_t index = 0;

	for (size_t i = 0; i < s->text.len && index <= INDEX_MAX; i++) {
		index = index * 10 + (size_t)(s->text.at[i] - '0');
	}
	if (index > INDEX_MAX) {
		return expr_fail(c, kind, s->place,
				 "List index is not within the allowable range; index: [%.*s]",
				 SLICE_ARG(s->text));
	}
	s->index = index;
	return 0;
}

int
check_path(struct call *c, enum expr_kind kind, struct path *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct step *s = &p->at[i];

		if (s->element) {
			int r = check_element(c, kind, s);

			if (r < 0) {
				return r;
			}
		} else if (s->name.at == NULL && expr_reserved(s->text)) {
			return expr_fail(
				c, kind, s->place,
				"Attribute name is a reserved keyword; reserved keyword: %.*s",
				SLICE_ARG(s->text));
		}
	}
	if (p->n > LIMIT_NESTING) {
		return expr_fail(
			c, kind, p->at[0].place,
			"The document path has too many nesting levels; nesting levels: %zu", p->n);
	}
	return 0;
}

static int
expr_check_misused(struct call *c, enum expr_kind kind, const struct node *n)
{
	return expr_fail(c, kind, n->place,
			 "The function is not allowed to be used this way in an expression; "
			 "function: %.*s",
			 SLICE_ARG(n->text));
}

/* @operand: the call is an operand of a sum or of another call, not the whole value. */
static int
check_update_call(struct call *c, const struct node *n, bool operand)
{
	if (n->function != FUNCTION_IF_NOT_EXISTS && n->function != FUNCTION_LIST_APPEND) {
		return expr_fail(
			c, EXPR_UPDATE, n->place,
			"The function is not allowed in an update expression; function: %.*s",
			SLICE_ARG(n->text));
	}
	return operand && n->function == FUNCTION_LIST_APPEND
		       ? expr_check_misused(c, EXPR_UPDATE, n)
		       : 0;
}

/* @operand: the call is used as a value, not as a condition. */
static int
expr_check_call(struct call *c, enum expr_kind kind, struct node *n, bool operand)
{
	n->function = function_find(n->text);
	if (n->function == FUNCTION_NONE) {
		return expr_fail(c, kind, n->place, "Invalid function name; function: %.*s",
				 SLICE_ARG(n->text));
	}
	if (kind == EXPR_UPDATE) {
		return check_update_call(c, n, operand);
	}
	if (n->function == FUNCTION_IF_NOT_EXISTS || n->function == FUNCTION_LIST_APPEND) {
		return expr_fail(
			c, kind, n->place,
			"The function is not allowed in a condition expression; function: %.*s",
			SLICE_ARG(n->text));
	}
	return operand == (n->function == FUNCTION_SIZE) ? 0 : expr_check_misused(c, kind, n);
}

static int
check_node(struct call *c, enum expr_kind kind, struct node *n, bool operand)
{
	bool connects = n->type == NODE_OR || n->type == NODE_AND || n->type == NODE_NOT;
	int r = 0;

	if (n->type == NODE_CALL) {
		r = expr_check_call(c, kind, n, operand);
	} else if (n->type == NODE_PATH) {
		r = check_path(c, kind, &n->path);
	}
	for (size_t i = 0; r == 0 && i < n->n; i++) {
		r = check_node(c, kind, n->arg[i], !connects);
	}
	return r;
}

int
check_condition(struct call *c, enum expr_kind kind, struct node *n)
{
	return check_node(c, kind, n, false);
}
