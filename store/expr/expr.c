/*
 * expr - stages of conditions and filters in order
 *
 * text -> parse.c -> expr_check.c -> bind.c -> eval.c.  Key conditions go from bind.c
 * to keycond.c, projections to project.c.
 */
#include "store/expr/ast.h"
#include "store/expr/bind.h"
#include "store/expr/expr_check.h"
#include "store/expr/names.h"
#include "store/expr/parse.h"
#include "store/expr/trees.h"
#include "store/expr/update.h"
#include "store/model/schema.h"

int
condition_bind(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
	       struct node **out)
{
	*out = NULL;
	int r = scope_enter(c, s);

	if (r == 0) {
		r = parse_condition(c, kind, text, out);
	}
	if (r == 0) {
		r = check_condition(c, kind, *out);
	}
	if (r < 0) {
		return r;
	}
	assert(*out != NULL);
	return bind_condition(c, s, kind, *out);
}

int
trees_fail(struct call *c, enum expr_kind kind, int r)
{
	struct slice message = slice_from(c->error.message);
	size_t name = strlen("Invalid ") + strlen(expr_kind_name(kind)) + strlen(": ");

	if (r < 0 && slice_starts(message, SLICE("Invalid ")) && message.len > name &&
	    slice_starts(slice_skip(message, strlen("Invalid ")),
			 slice_from(expr_kind_name(kind)))) {
		c->error.message += name;
	}
	return r;
}

static void
expr_collect(struct names *all, const struct node *n)
{
	if (n->type == NODE_PATH) {
		names_add(all, n->path.at[0].name);
	}
	for (size_t i = 0; i < n->n; i++) {
		expr_collect(all, n->arg[i]);
	}
}

int
expr_condition(struct call *c, struct expr_scope *s, enum expr_kind kind, struct slice text,
	       struct expr **out)
{
	struct node *root = NULL;
	struct names all = {.arena = &c->arena};

	const struct trees *trees = scope_trees(s);
	int r = 0;

	*out = NULL;
	if (trees == NULL) {
		r = text.at == NULL ? 0 : condition_bind(c, s, kind, text, &root);
	} else if (trees->condition != NULL) {
		root = trees->condition;
		r = check_condition(c, kind, root);
		r = trees_fail(c, kind, r < 0 ? r : bind_condition(c, s, kind, root));
	}
	if (r < 0 || root == NULL) {
		return r;
	}
	expr_collect(&all, root);
	*out = arena_new(&c->arena, struct expr, 1);
	**out = (struct expr){.kind = kind, .root = root, .names = all.at, .n_names = all.n};
	return 0;
}

int
expr_syntax(struct call *c, enum expr_kind kind, struct slice text)
{
	struct expr_update update;
	struct node *condition;

	if (text.at == NULL) {
		return 0;
	}
	return kind == EXPR_UPDATE ? parse_update(c, text, &update)
				   : parse_condition(c, kind, text, &condition);
}

size_t
expr_attributes(const struct expr *e, const struct slice **names)
{
	*names = e == NULL ? NULL : e->names;
	return e == NULL ? 0 : e->n_names;
}

static bool
is_index_key(const struct schema *s, struct slice name)
{
	for (size_t i = 0; i < s->n_index; i++) {
		if (s->index[i].state != INDEX_DELETING && key_schema_has(&s->index[i].key, name)) {
			return true;
		}
	}
	return false;
}

int
expr_fail_scalar(struct call *c, bool key, struct slice name)
{
	return call_whole(c, call_fail(c, ERR_VALIDATION,
				       "Key attributes must be scalars; list random access '[]' "
				       "and map lookup '.' are not allowed: %s: %.*s",
				       key ? "Key" : "IndexKey", SLICE_ARG(name)));
}

int
check_scalar(struct call *c, const struct schema *s, size_t place, struct slice name)
{
	bool key = key_schema_has(&s->key, name);

	if (!key && !is_index_key(s, name)) {
		return 0;
	}
	return expr_blame(c, place, expr_fail_scalar(c, key, name));
}

int
check_scalars(struct call *c, const struct node *n, const struct schema *s)
{
	if (n->type == NODE_PATH && n->path.n > 1) {
		return check_scalar(c, s, n->place, n->path.at[0].name);
	}
	for (size_t i = 0; i < n->n; i++) {
		int r = check_scalars(c, n->arg[i], s);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

int
expr_check_key(struct call *c, const struct expr *e, const struct schema *s)
{
	return e == NULL ? 0 : check_scalars(c, e->root, s);
}
