/*
 * part - builds a tree of bound paths that do not overlap
 *
 * project.c walks the tree and an item together to find the projected parts, update_apply.c to
 * find the changed parts.
 */
#include "store/expr/part.h"

#include "store/expr/ast.h"
#include "store/expr/document_path.h"

static bool
is_step(const struct part *p, const struct step *s)
{
	return s->element ? p->index == s->index : slice_eq(p->name, s->name);
}

/* Returns the position of the component @s among the children of @p, or the position to insert it. */
static size_t
part_position(const struct part *p, const struct step *s)
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
	assert(p->n == 0 || p->child[0].element == s->element);
	size_t i = part_position(p, s);

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

void
part_tree(struct call *c, const struct path *paths, size_t n, struct part *root)
{
	for (size_t i = 0; i < n; i++) {
		struct part *at = root;

		for (size_t k = 0; k < paths[i].n; k++) {
			at = part_add(c, at, &paths[i].at[k]);
		}
		at->path = i;
	}
}

static int
check_pairs(struct call *c, enum expr_kind kind, const struct path *paths, size_t n,
	    enum path_relation bad)
{
	for (size_t j = 1; j < n; j++) {
		for (size_t i = 0; i < j; i++) {
			if (path_compare(&paths[i], &paths[j]) == bad) {
				return expr_fail(
					c, kind, paths[j].at[0].place,
					"Two document paths %s with each other; must remove or "
					"rewrite one of these paths; path one: %.*s, path two: %.*s",
					bad == PATH_OVERLAP ? "overlap" : "conflict",
					SLICE_ARG(path_text(c, &paths[i])),
					SLICE_ARG(path_text(c, &paths[j])));
			}
		}
	}
	return 0;
}

/* Overlaps are reported before conflicts, whatever their order in the text. */
int
paths_check_apart(struct call *c, enum expr_kind kind, const struct path *paths, size_t n)
{
	int r = check_pairs(c, kind, paths, n, PATH_OVERLAP);

	return r < 0 ? r : check_pairs(c, kind, paths, n, PATH_CONFLICT);
}

/* ------------------------------------------------------------ look-up by name */

static int
part_order(const void *a, const void *b)
{
	return slice_cmp((*(struct part *const *)a)->name, (*(struct part *const *)b)->name);
}

void
part_sort(struct call *c, struct part *p)
{
	p->by_name = arena_new(&c->arena, struct part *, p->n);
	for (size_t i = 0; i < p->n; i++) {
		p->by_name[i] = &p->child[i];
	}
	qsort(p->by_name, p->n, sizeof(void *), part_order);
}

const struct part *
part_named(const struct part *p, struct slice name)
{
	if (p->by_name != NULL) {
		const struct part wanted = {.name = name};
		const struct part *key = &wanted;
		struct part *const *found =
			bsearch(&key, p->by_name, p->n, sizeof(void *), part_order);

		return found == NULL ? NULL : *found;
	}
	for (size_t i = 0; i < p->n; i++) {
		if (slice_eq(p->child[i].name, name)) {
			return &p->child[i];
		}
	}
	return NULL;
}
