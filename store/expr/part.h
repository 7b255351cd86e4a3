/* part - tree of document paths, for projections and updates */
#ifndef STORE_EXPR_PART_H
#define STORE_EXPR_PART_H

#include "store/expr/document_path.h"

/* An attribute, a member or an element that a path leads to or through. */
struct part {
	bool element;       /* identified by @index, not by @name */
	struct slice name;  /* not element */
	size_t index;       /* element */
	size_t place;       /* in the text, of the component in the first path through it */
	struct part *child; /* all by name, or all elements by index; none: a path ends here */
	size_t n;
	size_t cap;
	size_t path;           /* index of the path that ends here */
	struct part **by_name; /* the children sorted by name; NULL: not sorted */
};

struct expr_projection {
	struct part root;          /* its children are top-level attributes */
	const struct slice *names; /* of these attributes, each once */
	size_t n_names;
};

/**
 * paths_check_apart - check that bound paths can be used together
 *
 * Errors:  -ERR_VALIDATION  one is a prefix of another or equal to it; or one has a name where
 *                           another has an index
 */
int paths_check_apart(struct call *c, enum expr_kind kind, const struct path *paths, size_t n)
	must_check;

/** part_tree - build the tree of paths that passed paths_check_apart(); @root gets the top-level attributes */
void part_tree(struct call *c, const struct path *paths, size_t n, struct part *root);

/** projection_new - make a projection of paths that passed paths_check_apart() */
struct expr_projection *projection_new(struct call *c, const struct path *paths, size_t n);

/** part_sort - sort the children by name, so that part_named() is fast; no child may be added later */
void part_sort(struct call *c, struct part *p);

/** part_named - the child @name (an attribute or member) of @p, or NULL */
const struct part *part_named(const struct part *p, struct slice name);

/** projection_whole - make a projection of whole attributes, possibly many; @names are distinct and borrowed */
struct expr_projection *projection_whole(struct call *c, const struct slice *names, size_t n);

#endif
