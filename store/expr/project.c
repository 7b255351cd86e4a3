/*
 * project - the parts of an item that a ProjectionExpression names
 *
 * The paths become a tree of wanted parts, so that an item is walked once.
 * A container of which nothing is found is left out; what is wanted whole is
 * shared with the item.
 */
#include "store/expr/bind.h"
#include "store/expr/check.h"
#include "store/expr/names.h"
#include "store/expr/parse.h"
#include "store/expr/path.h"

/* A wanted part: an attribute, a member or an element, and what is wanted of it. */
struct part {
	bool element; /* @index, not @name, tells which */
	struct slice name;
	size_t index;
	size_t place;       /* in the text, of the first path through it */
	struct part *child; /* elements in order of their index; none: the part is wanted whole */
	size_t n;
	size_t cap;
};

struct expr_projection {
	struct part root; /* its children are top-level attributes */
	struct slice *names;
	size_t n_names;
};

static bool project(struct call *c, const struct part *p, const struct value *v, struct value *out);

static bool
is_step(const struct part *p, const struct step *s)
{
	return s->element ? p->index == s->index : slice_eq(p->name, s->name);
}

/* Where among the children of @p the step @s is, or belongs. */
static size_t
position(const struct part *p, const struct step *s)
{
	size_t i = 0;

	while (i < p->n && !is_step(&p->child[i], s) &&
	       !(s->element && p->child[i].index > s->index)) {
		i++;
	}
	return i;
}

static struct part *
part_add(struct call *c, struct part *p, const struct step *s)
{
	size_t i = position(p, s);

	if (i < p->n && is_step(&p->child[i], s)) {
		return &p->child[i];
	}
	p->child = arena_room(&c->arena, p->child, p->n, &p->cap);
	memmove(&p->child[i + 1], &p->child[i], (p->n - i) * sizeof(*p->child));
	p->child[i] = (struct part){
		.element = s->element, .name = s->name, .index = s->index, .place = s->place};
	p->n++;
	return &p->child[i];
}

static int
check_apart(struct call *c, const struct path *paths, size_t n)
{
	for (size_t j = 1; j < n; j++) {
		for (size_t i = 0; i < j; i++) {
			enum path_relation how = path_compare(&paths[i], &paths[j]);

			if (how != PATH_APART) {
				return expr_fail(
					c, EXPR_PROJECTION, paths[j].at[0].place,
					"Two document paths %s with each other; must remove or "
					"rewrite one of these paths; path one: %.*s, path two: %.*s",
					how == PATH_OVERLAP ? "overlap" : "conflict",
					SLICE_ARG(path_text(c, &paths[i])),
					SLICE_ARG(path_text(c, &paths[j])));
			}
		}
	}
	return 0;
}

/* Text to bound paths that do not overlap. */
static int
bind_paths(struct call *c, struct expr_scope *s, struct slice text, struct path **paths, size_t *n)
{
	int r = scope_enter(c, s);

	if (r == 0) {
		r = parse_projection(c, text, paths, n);
	}
	for (size_t i = 0; r == 0 && i < *n; i++) {
		r = check_path(c, EXPR_PROJECTION, &(*paths)[i]);
	}
	for (size_t i = 0; r == 0 && i < *n; i++) {
		r = bind_path(c, s, EXPR_PROJECTION, &(*paths)[i]);
	}
	return r < 0 ? r : check_apart(c, *paths, *n);
}

int
expr_projection(struct call *c, struct expr_scope *s, struct slice text,
		struct expr_projection **out)
{
	struct path *paths = NULL;
	size_t n = 0;

	*out = NULL;
	if (text.at == NULL) {
		return 0;
	}
	int r = bind_paths(c, s, text, &paths, &n);

	if (r < 0) {
		return r;
	}
	struct names names = {.arena = &c->arena};
	struct expr_projection *p = arena_new(&c->arena, struct expr_projection, 1);

	for (size_t i = 0; i < n; i++) {
		struct part *at = &p->root;

		names_add(&names, paths[i].at[0].name);
		for (size_t k = 0; k < paths[i].n; k++) {
			at = part_add(c, at, &paths[i].at[k]);
		}
	}
	p->names = names.at;
	p->n_names = names.n;
	*out = p;
	return 0;
}

static const struct part *
part_named(const struct part *p, struct slice name)
{
	for (size_t i = 0; i < p->n; i++) {
		if (slice_eq(p->child[i].name, name)) {
			return &p->child[i];
		}
	}
	return NULL;
}

static struct item
project_map(struct call *c, const struct part *p, const struct item *it)
{
	size_t most = it->n < p->n ? it->n : p->n;
	struct item out = {arena_new(&c->arena, struct attr, most), 0};

	for (size_t i = 0; i < it->n && out.n < most; i++) {
		const struct part *want = part_named(p, it->at[i].name);

		if (want != NULL && project(c, want, &it->at[i].value, &out.at[out.n].value)) {
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
		if (project(c, &p->child[i], &list->at[p->child[i].index], &out.at[out.n])) {
			out.n++;
		}
	}
	return out;
}

/* The wanted part of @v; false when there is nothing of it. */
static bool
project(struct call *c, const struct part *p, const struct value *v, struct value *out)
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
expr_projection_check_key(struct call *c, const struct expr_projection *p,
			  const struct key_schema *key)
{
	for (size_t i = 0; p != NULL && i < p->root.n; i++) {
		const struct part *top = &p->root.child[i];

		if (top->n > 0 && key_schema_has(key, top->name)) {
			return fail_scalar(c, top->place, top->name);
		}
	}
	return 0;
}
