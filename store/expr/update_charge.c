/*
 * update_charge - what an UpdateExpression counts for the limit of an item's size
 *
 * The service counts what the text writes, not what the item becomes: key
 * attributes and attributes that stay are free, a copied value costs as much as
 * its path, and a value that is used twice counts twice.
 */
#include "store/expr/update.h"
#include "store/model/value.h"

enum {
	CHARGE_UPDATE = 3,
	CHARGE_WRITE = 19, /* SET and ADD, beside the target and the operand */
	CHARGE_REMOVE = 1, /* REMOVE and DELETE, beside the target */
	CHARGE_STEP = 4,   /* each step of a target behind the first, beside the step itself */
	CHARGE_PATH = 1,   /* a path as an operand */
	CHARGE_READ = 14,  /* each of its steps, beside the step itself */
};

static size_t
charge_step(const struct step *s)
{
	size_t digits = 1;

	if (!s->element) {
		return s->name.len;
	}
	for (size_t i = s->index; i >= 10; i /= 10) {
		digits++;
	}
	return digits;
}

static size_t
charge_target(const struct path *p)
{
	size_t n = charge_step(&p->at[0]);

	for (size_t i = 1; i < p->n; i++) {
		n += CHARGE_STEP + charge_step(&p->at[i]);
	}
	return n;
}

static size_t
charge_path(const struct path *p)
{
	size_t n = CHARGE_PATH;

	for (size_t i = 0; i < p->n; i++) {
		n += CHARGE_READ + charge_step(&p->at[i]);
	}
	return n;
}

/* A sum, a difference, if_not_exists() or list_append(), beside its operands. */
static size_t
charge_function(const struct node *n)
{
	if (n->type == NODE_ADD) {
		return 34;
	}
	return n->function == FUNCTION_IF_NOT_EXISTS ? 39 : 37;
}

static size_t
charge_operand(const struct node *n)
{
	if (n->type == NODE_VALUE) {
		return value_size(n->value);
	}
	if (n->type == NODE_PATH) {
		return charge_path(&n->path);
	}
	size_t sum = charge_function(n);

	for (size_t i = 0; i < n->n; i++) {
		sum += charge_operand(n->arg[i]);
	}
	return sum;
}

size_t
expr_update_charge(const struct expr_update *u)
{
	size_t sum = CHARGE_UPDATE;

	for (size_t i = 0; u != NULL && i < u->n; i++) {
		enum update_verb verb = u->clause[i].verb;
		bool writes = verb == UPDATE_SET || verb == UPDATE_ADD;

		sum += charge_target(&u->path[i]) + (writes ? CHARGE_WRITE : CHARGE_REMOVE);
		sum += writes ? charge_operand(u->clause[i].value) : 0;
	}
	return sum;
}
