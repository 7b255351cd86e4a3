/*
 * legacy_update - changes of attributes and names of attributes as an update and a projection
 *
 * Before it: op_validate().  After it: update_apply.c and project.c, as with a text.
 */
#include "store/expr/legacy.h"
#include "store/expr/legacy_int.h"
#include "store/expr/part.h"
#include "store/expr/update.h"

/* ------------------------------------------------------------ AttributeUpdates */

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

struct expr_update *
legacy_update(struct call *c, const struct attribute_updates *in)
{
	if (in->n == 0) {
		return NULL;
	}
	struct expr_update *u = arena_new(&c->arena, struct expr_update, 1);
	struct slice *names = arena_new(&c->arena, struct slice, in->n);

	u->legacy = true;
	u->repeated = UPDATE_VERBS;
	u->n = in->n;
	u->clause = arena_new(&c->arena, struct clause, in->n);
	u->path = arena_new(&c->arena, struct path, in->n);
	for (size_t i = 0; i < in->n; i++) {
		names[i] = in->at[i].name;
		u->clause[i] = clause(c, &in->at[i]);
		u->path[i] = legacy_path(c, names[i]);
	}
	u->touched = projection_whole(c, names, in->n);
	return u;
}

/* ------------------------------------------------------------ AttributesToGet */

struct expr_projection *
legacy_projection(struct call *c, const struct attributes_to_get *in)
{
	return in->n == 0 ? NULL : projection_whole(c, in->at, in->n);
}
