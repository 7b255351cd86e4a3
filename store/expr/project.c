/*
 * project - projections, from text to the projected item
 *
 * The paths become a tree of parts (part.c), so that an item is walked once.
 * A container without any projected part is omitted.  Values that are projected whole are
 * shared with the item.
 */
#include "store/expr/bind.h"
#include "store/expr/expr_check.h"
#include "store/expr/names.h"
#include "store/expr/parse.h"
#include "store/expr/part.h"
#include "store/expr/trees.h"

static bool project_project(struct call *c, const struct part *p, const struct value *v,
			    struct value *out);

/* Checks and binds parsed paths. */
static int
bind_paths(struct call *c, struct expr_scope *s, struct path *paths, size_t n)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < n; i++) {
		r = check_path(c, EXPR_PROJECTION, &paths[i]);
	}
	for (size_t i = 0; r == 0 && i < n; i++) {
		r = bind_path(c, s, EXPR_PROJECTION, &paths[i]);
	}
	return r < 0 ? r : paths_check_apart(c, EXPR_PROJECTION, paths, n);
}

struct expr_projection *
projection_new(struct call *c, const struct path *paths, size_t n)
{
	struct names names = {.arena = &c->arena};
	struct expr_projection *p = arena_new(&c->arena, struct expr_projection, 1);

	part_tree(c, paths, n, &p->root);
	for (size_t i = 0; i < n; i++) {
		names_add(&names, paths[i].at[0].name);
	}
	p->names = names.at;
	p->n_names = names.n;
	return p;
}

struct expr_projection *
projection_whole(struct call *c, const struct slice *names, size_t n)
{
	struct expr_projection *p = arena_new(&c->arena, struct expr_projection, 1);
	struct part *child = arena_new(&c->arena, struct part, n);

	for (size_t i = 0; i < n; i++) {
		child[i] = (struct part){.name = names[i], .path = i};
	}
	p->root = (struct part){.child = child, .n = n, .cap = n};
	part_sort(c, &p->root);
	p->names = names;
	p->n_names = n;
	return p;
}

int
expr_projection(struct call *c, struct expr_scope *s, struct slice text,
		struct expr_projection **out)
{
	const struct trees *trees = scope_trees(s);
	struct path *paths = trees == NULL ? NULL : trees->projection;
	size_t n = trees == NULL ? 0 : trees->n_projection;
	int r = 0;

	*out = NULL;
	if (trees == NULL ? text.at == NULL : paths == NULL) {
		return 0;
	}
	if (trees == NULL) {
		r = scope_enter(c, s);
		r = r < 0 ? r : parse_projection(c, text, &paths, &n);
	}
	r = r < 0 ? r : bind_paths(c, s, paths, n);
	if (r < 0) {
		return trees == NULL ? r : trees_fail(c, EXPR_PROJECTION, r);
	}
	*out = projection_new(c, paths, n);
	return 0;
}

static struct item
project_map(struct call *c, const struct part *p, const struct item *it)
{
	size_t most = it->n < p->n ? it->n : p->n;
	struct item out = {arena_new(&c->arena, struct attr, most), 0};

	for (size_t i = 0; i < it->n && out.n < most; i++) {
		const struct part *want = part_named(p, it->at[i].name);

		if (want != NULL &&
		    project_project(c, want, &it->at[i].value, &out.at[out.n].value)) {
			out.at[out.n++].name = it->at[i].name;
		}
	}
	return out;
}

static struct values
project_list(struct call *c, const struct part *p, const struct values *list)
{
	size_t most = list->n < p->n ? list->n : p->n;
	struct values out = {arena_new(&c->arena, struct value, most), 0};

	for (size_t i = 0; i < p->n && p->child[i].index < list->n; i++) {
		if (project_project(c, &p->child[i], &list->at[p->child[i].index],
				    &out.at[out.n])) {
			out.n++;
		}
	}
	return out;
}

/* Sets *out to the projected part of @v. Returns false if there is none. */
static bool
project_project(struct call *c, const struct part *p, const struct value *v, struct value *out)
{
	if (p->n == 0) {
		*out = *v;
		return true;
	}
	if (v->type == VALUE_M && !p->child[0].element) {
		*out = (struct value){.type = VALUE_M, .map = project_map(c, p, &v->map)};
		return out->map.n > 0;
	}
	if (v->type == VALUE_L && p->child[0].element) {
		*out = (struct value){.type = VALUE_L, .list = project_list(c, p, &v->list)};
		return out->list.n > 0;
	}
	return false;
}

struct item
expr_project(struct call *c, const struct expr_projection *p, const struct item *it)
{
	return p == NULL ? *it : project_map(c, &p->root, it);
}

size_t
expr_projection_attributes(const struct expr_projection *p, const struct slice **names)
{
	*names = p == NULL ? NULL : p->names;
	return p == NULL ? 0 : p->n_names;
}

int
expr_projection_check_key(struct call *c, const struct expr_projection *p, const struct schema *s)
{
	int r = 0;

	for (size_t i = 0; r == 0 && p != NULL && i < p->root.n; i++) {
		const struct part *top = &p->root.child[i];

		if (top->n > 0) {
			r = check_scalar(c, s, top->place, top->name);
		}
	}
	return r;
}
