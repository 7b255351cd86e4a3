/*
 * truth - conditions that stand where a value may: attribute_exists(a) = true
 *
 * What comes out compares no truths: it is made of AND, OR and NOT.
 */
#include "store/partiql/partiql_reader.h"

static struct node *
truth_join(struct call *c, enum node_type type, struct node *a, struct node *b)
{
	struct node *two[2] = {a, b};

	return node_make(c, type, a->place, two, 2);
}

static struct node *
truth_not(struct call *c, struct node *n)
{
	return node_make(c, NODE_NOT, n->place, &n, 1);
}

bool
truth_is(const struct node *n)
{
	bool value = n->type == NODE_PATH || n->type == NODE_VALUE || n->type == NODE_ADD ||
		     n->type == NODE_SUBTRACT;

	return !value && (n->type != NODE_CALL || !slice_is(n->text, "size"));
}

/* Is the attribute @n, which may have any type, the truth @which? */
static struct node *
truth_of_attribute(struct call *c, struct node *n, bool which)
{
	struct value v = {.type = VALUE_BOOL, .truth = which};

	return truth_join(c, NODE_EQ, n, node_value(c, &v, n->place));
}

size_t
truth_size(const struct node *n, size_t most)
{
	size_t size = 1;

	for (size_t i = 0; i < n->n && size <= most; i++) {
		size += truth_size(n->arg[i], most - size);
	}
	return size;
}

struct node *
truth_same(struct call *c, struct node *a, struct node *b)
{
	if (!truth_is(a)) {
		return truth_same(c, b, a);
	}
	if (b->type == NODE_VALUE && b->value->type != VALUE_BOOL) {
		return truth_join(c, NODE_AND, a, truth_not(c, a)); /* never */
	}
	if (b->type == NODE_VALUE) {
		return b->value->truth ? a : truth_not(c, a);
	}
	bool truth = truth_is(b);
	struct node *holds = truth ? b : truth_of_attribute(c, b, true);
	struct node *fails = truth ? truth_not(c, b) : truth_of_attribute(c, b, false);

	return truth_join(c, NODE_OR, truth_join(c, NODE_AND, a, holds),
			  truth_join(c, NODE_AND, truth_not(c, a), fails));
}
