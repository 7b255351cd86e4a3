/*
 * update - checks and binds an UpdateExpression, and answers questions about it
 *
 * Runs after update_parse.c.  DynamoDB reports one fault, in this order: faults that do not
 * depend on placeholders, leftmost first; a repeated verb; undefined names in the changed paths, from the
 * last clause to the first; paths that overlap; faults of the values, from the last clause to the first.
 */
#include "store/expr/update.h"

#include "store/expr/ast.h"
#include "store/expr/bind.h"
#include "store/expr/expr_check.h"
#include "store/expr/part.h"
#include "store/expr/trees.h"
#include "store/model/schema.h"
#include "store/model/value.h"

enum {
	SETS = 1U << VALUE_SS | 1U << VALUE_NS | 1U << VALUE_BS,
	ADDABLE = SETS | 1U << VALUE_N,
};

const char *
update_verb_name(enum update_verb verb)
{
	static const char *const names[UPDATE_VERBS] = {
		[UPDATE_SET] = "SET",
		[UPDATE_REMOVE] = "REMOVE",
		[UPDATE_ADD] = "ADD",
		[UPDATE_DELETE] = "DELETE",
	};

	return names[verb];
}

static int
update_check(struct call *c, struct expr_update *u)
{
	for (size_t i = 0; i < u->n; i++) {
		int r = check_path(c, EXPR_UPDATE, &u->path[i]);

		if (r == 0 && u->clause[i].value != NULL) {
			r = check_condition(c, EXPR_UPDATE, u->clause[i].value);
		}
		if (r < 0) {
			return r;
		}
	}
	if (u->repeated == UPDATE_VERBS) {
		return 0;
	}
	return expr_fail(c, EXPR_UPDATE, u->repeated_place,
			 "The \"%s\" section can only be used once in an update expression;",
			 update_verb_name(u->repeated));
}

static int
bind_operand(struct call *c, struct expr_scope *s, const struct clause *cl)
{
	if (cl->value == NULL) {
		return 0;
	}
	int r = bind_condition(c, s, EXPR_UPDATE, cl->value);

	if (r < 0 || cl->verb == UPDATE_SET) {
		return r;
	}
	assert(cl->value->type == NODE_VALUE);
	enum value_type type = cl->value->value->type;
	unsigned allowed = cl->verb == UPDATE_ADD ? ADDABLE : SETS;

	if ((allowed & 1U << type) != 0) {
		return 0;
	}
	return expr_fail(c, EXPR_UPDATE, cl->value->place,
			 "Incorrect operand type for operator or function; operator: %s, operand "
			 "type: %s, typeSet: ALLOWED_FOR_%s_OPERAND",
			 update_verb_name(cl->verb), value_type_title(type),
			 update_verb_name(cl->verb));
}

static int
update_bind(struct call *c, struct expr_scope *s, struct expr_update *u)
{
	int r = 0;

	for (size_t i = u->n; i > 0 && r == 0; i--) {
		r = bind_path(c, s, EXPR_UPDATE, &u->path[i - 1]);
	}
	if (r == 0) {
		r = paths_check_apart(c, EXPR_UPDATE, u->path, u->n);
	}
	for (size_t i = u->n; i > 0 && r == 0; i--) {
		r = bind_operand(c, s, &u->clause[i - 1]);
	}
	return r;
}

int
expr_update(struct call *c, struct expr_scope *s, struct slice text, struct expr_update **out)
{
	const struct trees *trees = scope_trees(s);

	*out = NULL;
	if (trees == NULL ? text.at == NULL : trees->n_clauses == 0) {
		return 0;
	}
	struct expr_update *u = arena_new(&c->arena, struct expr_update, 1);
	int r = 0;

	if (trees == NULL) {
		r = scope_enter(c, s);
		r = r < 0 ? r : parse_update(c, text, u);
	} else {
		*u = (struct expr_update){
			.clause = trees->clause,
			.path = trees->target,
			.n = trees->n_clauses,
			.repeated = UPDATE_VERBS,
		};
	}
	r = r < 0 ? r : update_check(c, u);
	r = r < 0 ? r : update_bind(c, s, u);
	if (r < 0) {
		return trees == NULL ? r : trees_fail(c, EXPR_UPDATE, r);
	}
	u->touched = projection_new(c, u->path, u->n);
	*out = u;
	return 0;
}

/* ------------------------------------------------------------ questions */

static int
fail_key(struct call *c, const struct path *p)
{
	int r = expr_blame(c, p->at[0].place,
			   call_fail(c, ERR_VALIDATION,
				     "One or more parameter values were invalid: Cannot update "
				     "attribute %.*s. This attribute is part of the key",
				     SLICE_ARG(p->at[0].name)));

	return p->n > 1 ? call_whole(c, r) : r; /* as expr_fail_scalar() */
}

int
expr_update_check_key(struct call *c, const struct expr_update *u, const struct schema *s)
{
	for (size_t i = 0; u != NULL && i < u->n; i++) {
		if (key_schema_has(&s->key, u->path[i].at[0].name)) {
			return fail_key(c, &u->path[i]);
		}
	}
	return 0;
}

int
expr_update_check_scalars(struct call *c, const struct expr_update *u, const struct schema *s)
{
	int r = 0;

	for (size_t i = 0; u != NULL && i < u->n && r == 0; i++) {
		r = u->clause[i].value == NULL ? 0 : check_scalars(c, u->clause[i].value, s);
	}
	return r;
}

bool
expr_update_is_legacy(const struct expr_update *u)
{
	return u->legacy;
}

bool
expr_update_removes(const struct expr_update *u)
{
	for (size_t i = 0; u != NULL && i < u->n; i++) {
		if (u->clause[i].verb == UPDATE_SET || u->clause[i].verb == UPDATE_ADD) {
			return false;
		}
	}
	return u != NULL && u->n > 0;
}

const struct expr_projection *
expr_update_touched(const struct expr_update *u)
{
	return u->touched;
}

enum update_effect
expr_update_effect(const struct expr_update *u, struct slice name, enum value_type *type)
{
	*type = VALUE_TYPES;
	for (size_t i = 0; u != NULL && i < u->n; i++) {
		const struct clause *cl = &u->clause[i];

		if (!slice_eq(u->path[i].at[0].name, name)) {
			continue;
		}
		if (u->path[i].n > 1) {
			return UPDATES_PART;
		}
		if (cl->verb == UPDATE_SET || cl->verb == UPDATE_ADD) {
			*type = known_type(cl->value);
		}
		return UPDATES_WHOLE;
	}
	return UPDATES_NOTHING;
}
