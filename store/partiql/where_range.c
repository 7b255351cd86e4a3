/* where_range - the range of one comparison, and whether two ranges have a value in common */
#include "store/model/value.h"
#include "store/partiql/where_int.h"

/* Return: the operator to use when its operands are swapped. */
static enum node_type
range_turned(enum node_type op)
{
	switch ((int)op) {
	case NODE_LT:
		return NODE_GT;
	case NODE_LE:
		return NODE_GE;
	case NODE_GT:
		return NODE_LT;
	case NODE_GE:
		return NODE_LE;
	default:
		return op;
	}
}

bool
range_of(const struct node *n, const struct key_attr *attr, struct key_range *out)
{
	bool compares = n->type >= NODE_EQ && n->type <= NODE_GE && n->type != NODE_NE;
	bool call = n->type == NODE_CALL && slice_is(n->text, "begins_with");
	bool turned = compares && n->arg[0]->type == NODE_VALUE;
	const struct node *path;
	const struct node *value;

	if (!(compares || n->type == NODE_BETWEEN || call) || n->n < 2) {
		return false;
	}
	path = n->arg[turned ? 1 : 0];
	value = n->arg[turned ? 0 : 1];
	*out = (struct key_range){.prefix = call, .op = turned ? range_turned(n->type) : n->type};
	if (!parts_is_attribute(path, attr->name) || value->type != NODE_VALUE) {
		return false;
	}
	out->a = value->value;
	if (n->type == NODE_BETWEEN) {
		if (n->arg[2]->type != NODE_VALUE) {
			return false;
		}
		out->b = n->arg[2]->value;
	}
	return true;
}

static bool
range_holds(const struct key_range *p, const struct value *v)
{
	int order = value_cmp(v, p->a);

	if (p->prefix) {
		return slice_starts(v->text, p->a->text);
	}
	switch ((int)p->op) {
	case NODE_EQ:
		return order == 0;
	case NODE_LT:
		return order < 0;
	case NODE_LE:
		return order <= 0;
	case NODE_GT:
		return order > 0;
	case NODE_GE:
		return order >= 0;
	default:
		return order >= 0 && value_cmp(v, p->b) <= 0;
	}
}

/* Return: whether the range has no lower bound. */
static bool
range_falls(const struct key_range *p)
{
	return !p->prefix && (p->op == NODE_LT || p->op == NODE_LE);
}

/* Return: whether the range has no upper bound. */
static bool
range_rises(const struct key_range *p)
{
	return !p->prefix && (p->op == NODE_GT || p->op == NODE_GE);
}

/* Return: whether @p, which has no lower bound, meets @q, which has no upper bound. */
static bool
ranges_cross(const struct key_range *p, const struct key_range *q)
{
	int order = value_cmp(q->a, p->a);

	return order < 0 || (order == 0 && p->op == NODE_LE && q->op == NODE_GE);
}

bool
range_meets(const struct key_range *p, const struct key_range *q)
{
	bool open_p = range_falls(p) || range_rises(p);
	bool open_q = range_falls(q) || range_rises(q);

	if (open_p && open_q) {
		return range_falls(p) == range_falls(q) ||
		       (range_falls(p) ? ranges_cross(p, q) : ranges_cross(q, p));
	}
	if (open_p) {
		return range_meets(q, p);
	}
	if (range_holds(q, p->a) || (p->b != NULL && range_holds(q, p->b))) {
		return true;
	}
	/* If the prefix range @p contains q->a, it also contains greater texts, which begin with q->a. */
	return range_holds(p, q->a) && (p->prefix ? !range_falls(q) : !open_q);
}
