/*
 * legacy_update - changes of attributes and names of attributes as an update and a projection
 *
 * Before it: op_validate().  After it: update_apply.c and project.c, as with a text.
 */
#include <stdlib.h>

#include "store/expr/legacy.h"
#include "store/expr/legacy_int.h"
#include "store/expr/update.h"

#define INVALID "One or more parameter values were invalid: "

enum {
	SETS = 1U << VALUE_SS | 1U << VALUE_NS | 1U << VALUE_BS,
	ADDABLE = SETS | 1U << VALUE_N | 1U << VALUE_L,
};

/* ------------------------------------------------------------ AttributeUpdates */

static int
check_update(struct call *c, const struct attribute_update *in)
{
	int r = legacy_check_attribute(c, in->name, in->value);

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
				 update_type_name(in->value->type));
	}
	return 0;
}

/* What is added to a list is appended to it: list_append(if_not_exists(name, []), value). */
static struct node *
longer(struct call *c, const struct attribute_update *in)
{
	static const struct value empty = {.type = VALUE_L};
	struct node *before = legacy_call(c, FUNCTION_IF_NOT_EXISTS, legacy_attribute(c, in->name),
					  legacy_value(c, &empty));

	return legacy_call(c, FUNCTION_LIST_APPEND, before, legacy_value(c, in->value));
}

static struct clause
clause(struct call *c, const struct attribute_update *in)
{
	if (in->value == NULL) {
		return (struct clause){.verb = UPDATE_REMOVE};
	}
	if (in->action == ACTION_ADD && in->value->type == VALUE_L) {
		return (struct clause){UPDATE_SET, longer(c, in)};
	}
	static const enum update_verb verbs[] = {
		[ACTION_PUT] = UPDATE_SET,
		[ACTION_ADD] = UPDATE_ADD,
		[ACTION_DELETE] = UPDATE_DELETE,
	};

	return (struct clause){verbs[in->action], legacy_value(c, in->value)};
}

int
legacy_update(struct call *c, const struct attribute_updates *in, struct expr_update **out)
{
	*out = NULL;
	if (in->n == 0) {
		return 0;
	}
	struct expr_update *u = arena_new(&c->arena, struct expr_update, 1);
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	u->legacy = true;
	u->repeated = UPDATE_VERBS;
	u->n = in->n;
	u->clause = arena_new(&c->arena, struct clause, in->n);
	u->path = arena_new(&c->arena, struct path, in->n);
	for (size_t i = 0; i < in->n; i++) {
		int r = check_update(c, &in->at[i]);

		if (r < 0) {
			return r;
		}
		names[i] = in->at[i].name;
		u->clause[i] = clause(c, &in->at[i]);
		u->path[i] = legacy_path(c, names[i]);
	}
	u->touched = projection_whole(c, names, in->n);
	*out = u;
	return 0;
}

/* ------------------------------------------------------------ AttributesToGet */

static int
by_name(const void *a, const void *b)
{
	return slice_cmp(*(const struct slice *)a, *(const struct slice *)b);
}

int
legacy_projection(struct call *c, const struct attributes_to_get *in, struct expr_projection **out)
{
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	*out = NULL;
	if (in->n == 0) {
		return 0;
	}
	memcpy(names, in->at, in->n * sizeof(*names));
	qsort(names, in->n, sizeof(*names), by_name);
	for (size_t i = 0; i < in->n; i++) {
		int r = legacy_check_attribute(c, names[i], NULL);

		if (r < 0) {
			return r;
		}
		if (i > 0 && slice_eq(names[i - 1], names[i])) {
			return call_fail(c, ERR_VALIDATION,
					 INVALID "Duplicate value in attribute name: %.*s",
					 SLICE_ARG(names[i]));
		}
	}
	*out = projection_whole(c, names, in->n);
	return 0;
}
