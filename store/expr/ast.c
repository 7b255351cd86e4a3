/* ast - what the stages of expressions share: names in messages, places of faults */
#include "store/expr/ast.h"

const char *
expr_kind_name(enum expr_kind kind)
{
	switch (kind) {
	case EXPR_UPDATE:
		return "UpdateExpression";
	case EXPR_CONDITION:
		return "ConditionExpression";
	case EXPR_FILTER:
		return "FilterExpression";
	case EXPR_KEY_CONDITION:
		return "KeyConditionExpression";
	case EXPR_PROJECTION:
		break;
	}
	return "ProjectionExpression";
}

struct slice
node_operator(const struct node *n)
{
	switch (n->type) {
	case NODE_OR:
		return SLICE("OR");
	case NODE_AND:
		return SLICE("AND");
	case NODE_NOT:
		return SLICE("NOT");
	case NODE_EQ:
		return SLICE("=");
	case NODE_NE:
		return SLICE("<>");
	case NODE_LT:
		return SLICE("<");
	case NODE_LE:
		return SLICE("<=");
	case NODE_GT:
		return SLICE(">");
	case NODE_GE:
		return SLICE(">=");
	case NODE_BETWEEN:
		return SLICE("BETWEEN");
	case NODE_IN:
		return SLICE("IN");
	case NODE_ADD:
		return SLICE("+");
	case NODE_SUBTRACT:
		return SLICE("-");
	case NODE_CALL:
	case NODE_PATH:
	case NODE_VALUE:
		break;
	}
	return n->text;
}

int
expr_blame(struct call *c, size_t place, int r)
{
	if (c->error.place == 0) {
		c->error.place = place + 1;
	}
	return r;
}
