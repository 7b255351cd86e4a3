/*
 * bind - puts the request's names and values into a checked tree, and checks operands
 *
 * Runs after expr_check.c, before eval.c and keycond.c.  Types are known here for values
 * and for most operators.  The type of an attribute depends on the item, so
 * operands that are paths are accepted.
 */
#include "store/expr/bind.h"

#include "store/expr/ast.h"
#include "store/expr/document_path.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/value.h"

struct binder {
	struct call *c;
	struct expr_scope *scope;
	enum expr_kind kind;
};

#define bind_fail(b, n, ...) expr_fail((b)->c, (b)->kind, (n)->place, __VA_ARGS__)

int
bind_path(struct call *c, struct expr_scope *s, enum expr_kind kind, struct path *p)
{
	for (size_t i = 0; i < p->n; i++) {
		struct step *step = &p->at[i];

		if (step->element || step->name.at != NULL) {
			continue;
		}
		if (step->text.at[0] != '#') {
			step->name = step->text;
		} else if (!scope_name(s, step->text, &step->name)) {
			return expr_fail(c, kind, step->place,
					 "An expression attribute name used in the document path "
					 "is not defined; attribute name: %.*s",
					 SLICE_ARG(step->text));
		}
	}
	return 0;
}

static int
bind_value(struct binder *b, struct node *n)
{
	if (n->value == NULL) {
		n->value = scope_value(b->scope, n->text);
	}
	if (n->value == NULL) {
		return bind_fail(b, n,
				 "An expression attribute value used in expression is not "
				 "defined; attribute value: %.*s",
				 SLICE_ARG(n->text));
	}
	if (n->value->type == VALUE_N) {
		n->number = number_read(n->value->text);
	}
	return 0;
}

enum value_type
known_type(const struct node *n)
{
	if (n->type == NODE_VALUE) {
		return n->value->type;
	}
	if (n->type == NODE_ADD || n->type == NODE_SUBTRACT || n->function == FUNCTION_SIZE) {
		return VALUE_N;
	}
	return n->function == FUNCTION_LIST_APPEND ? VALUE_L : VALUE_TYPES;
}

static int
bind_wrong_type(struct binder *b, const struct node *n, const struct node *arg, const char *type)
{
	return expr_fail(b->c, b->kind, arg->place,
			 "Incorrect operand type for operator or function; operator or function: "
			 "%.*s, operand type: %s",
			 SLICE_ARG(node_operator(n)), type);
}

/* Checks that each operand of known type has one of the types @allowed, a bit set. */
static int
bind_check_types(struct binder *b, const struct node *n, unsigned allowed)
{
	for (size_t i = 0; i < n->n; i++) {
		enum value_type t = known_type(n->arg[i]);

		if (t != VALUE_TYPES && (allowed & 1U << t) == 0) {
			return bind_wrong_type(b, n, n->arg[i], value_type_name(t));
		}
	}
	return 0;
}

static int
bind_check_distinct(struct binder *b, const struct node *n)
{
	const struct node *first = n->arg[0];

	for (size_t i = 1; i < n->n; i++) {
		if (first->type == NODE_PATH && n->arg[i]->type == NODE_PATH &&
		    path_same(&first->path, &n->arg[i]->path)) {
			return expr_fail(b->c, b->kind, n->arg[i]->place,
					 "The first operand must be distinct from the remaining "
					 "operands for this operator or function; operator: %.*s, "
					 "first operand: %.*s",
					 SLICE_ARG(node_operator(n)),
					 SLICE_ARG(path_text(b->c, &first->path)));
		}
	}
	return 0;
}

const char *
expr_value_text(struct call *c, const struct value *v)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "AttributeValue: {%s:", value_type_name(v->type));
	if (v->type == VALUE_B) {
		buf_fmt(&b, "java.nio.HeapByteBuffer[pos=0 lim=%zu cap=%zu]", v->text.len,
			v->text.len);
	} else {
		buf_slice(&b, v->text);
	}
	buf_char(&b, '}');
	buf_char(&b, '\0');
	return b.at;
}

static int
check_bounds(struct binder *b, const struct node *n)
{
	assert(n->n == 3);
	const struct value *low = n->arg[1]->value;
	const struct value *high = n->arg[2]->value;
	const char *rule;

	if (low == NULL || high == NULL) {
		return 0;
	}
	if (low->type != high->type) {
		rule = "same data type for lower and upper bounds";
	} else if (value_cmp(low, high) > 0) {
		rule = "upper bound to be greater than or equal to lower bound";
	} else {
		return 0;
	}
	return bind_fail(b, n->arg[1],
			 "The BETWEEN operator requires %s; lower bound operand: %s, upper bound "
			 "operand: %s",
			 rule, expr_value_text(b->c, low), expr_value_text(b->c, high));
}

static int
check_attribute_type(struct binder *b, struct node *n)
{
	const struct node *type = n->arg[1];
	enum value_type known = known_type(type);

	if (known != VALUE_S) {
		return bind_wrong_type(b, n, type,
				       known == VALUE_TYPES ? "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"
							    : value_type_name(known));
	}
	n->wanted = value_type_from_name(type->value->text);
	if (n->wanted == VALUE_TYPES) {
		return bind_fail(b, type,
				 "Invalid attribute type name found; type: %.*s, valid types: "
				 "{B,NULL,SS,BOOL,L,BS,N,NS,S,M}",
				 SLICE_ARG(type->value->text));
	}
	return 0;
}

static size_t
arity(enum function f)
{
	return f == FUNCTION_ATTRIBUTE_EXISTS || f == FUNCTION_ATTRIBUTE_NOT_EXISTS ||
			       f == FUNCTION_SIZE
		       ? 1
		       : 2;
}

enum {
	TEXTS = 1U << VALUE_S | 1U << VALUE_B,
	ORDERED = TEXTS | 1U << VALUE_N,
	ANY = (1U << VALUE_TYPES) - 1,
	SIZED = ANY & ~(1U << VALUE_N | 1U << VALUE_BOOL | 1U << VALUE_NULL),
};

static int
check_function(struct binder *b, struct node *n)
{
	switch (n->function) {
	case FUNCTION_ATTRIBUTE_EXISTS:
	case FUNCTION_ATTRIBUTE_NOT_EXISTS:
	case FUNCTION_IF_NOT_EXISTS:
		if (n->arg[0]->type != NODE_PATH) {
			return bind_fail(b, n->arg[0],
					 "Operator or function requires a document path; operator "
					 "or function: %.*s",
					 SLICE_ARG(n->text));
		}
		return 0;
	case FUNCTION_ATTRIBUTE_TYPE:
		return check_attribute_type(b, n);
	case FUNCTION_BEGINS_WITH:
		return bind_check_types(b, n, TEXTS);
	case FUNCTION_SIZE:
		return bind_check_types(b, n, SIZED);
	case FUNCTION_LIST_APPEND:
		return bind_check_types(b, n, 1U << VALUE_L);
	case FUNCTION_CONTAINS:
	case FUNCTION_NONE:
		break;
	}
	return 0;
}

static int
bind_check_call(struct binder *b, struct node *n)
{
	if (n->n != arity(n->function)) {
		return bind_fail(b, n,
				 "Incorrect number of operands for operator or function; operator "
				 "or function: %.*s, number of operands: %zu",
				 SLICE_ARG(n->text), n->n);
	}
	/* An update may append a list to itself. */
	int r = b->kind == EXPR_UPDATE ? 0 : bind_check_distinct(b, n);

	return r < 0 ? r : check_function(b, n);
}

static int
bind_check_operator(struct binder *b, struct node *n)
{
	int r;

	switch (n->type) {
	case NODE_EQ:
	case NODE_NE:
		return bind_check_distinct(b, n);
	case NODE_LT:
	case NODE_LE:
	case NODE_GT:
	case NODE_GE:
	case NODE_BETWEEN:
		r = bind_check_distinct(b, n);
		r = r < 0 ? r : bind_check_types(b, n, ORDERED);
		return r < 0 || n->type != NODE_BETWEEN ? r : check_bounds(b, n);
	case NODE_IN:
		return n->n - 1 <= LIMIT_IN_OPERANDS
			       ? bind_check_distinct(b, n)
			       : bind_fail(b, n,
					   "The IN operator is provided with too many operands; "
					   "number of operands: %zu",
					   n->n - 1);
	case NODE_ADD:
	case NODE_SUBTRACT:
		return bind_check_types(b, n, 1U << VALUE_N);
	case NODE_CALL:
		return bind_check_call(b, n);
	case NODE_PATH:
		return bind_path(b->c, b->scope, b->kind, &n->path);
	case NODE_VALUE:
		return bind_value(b, n);
	case NODE_OR:
	case NODE_AND:
	case NODE_NOT:
		break;
	}
	return 0;
}

static int
bind_node(struct binder *b, struct node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		int r = bind_node(b, n->arg[i]);

		if (r < 0) {
			return r;
		}
	}
	return bind_check_operator(b, n);
}

int
bind_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct node *n)
{
	struct binder b = {c, s, kind};

	return bind_node(&b, n);
}
