/* part - document paths as a tree: what a projection wants, what an update touches */
#ifndef STORE_EXPR_PART_H
#define STORE_EXPR_PART_H

#include "store/expr/document_path.h"

/* An attribute, a member or an element that a path leads to or through. */
struct part {
	bool element; /* @index, not @name, tells which */
	struct slice name;
	size_t index;
	size_t place;       /* in the text, of the first path through it */
	struct part *child; /* elements in order of their index; none: a path ends here */
	size_t n;
	size_t cap;
	size_t path;           /* which one ends here */
	struct part **by_name; /* the children in the order of their names; NULL: they are few */
};

struct expr_projection {
	struct part root; /* its children are top-level attributes */
	const struct slice *names;
	size_t n_names;
};

/**
 * paths_check_apart - may all of them be used at once?
 *
 * Errors:  -ERR_VALIDATION  one begins with another, or is the same; or one has a name where
 *                           another has an element
 */
int paths_check_apart(struct call *c, enum expr_kind kind, const struct path *paths, size_t n)
	__attribute__((warn_unused_result));

/** part_tree - a tree of paths that are apart; @root gets the top-level attributes */
void part_tree(struct call *c, const struct path *paths, size_t n, struct part *root);

/** projection_new - what paths that are apart lead to */
struct expr_projection *projection_new(struct call *c, const struct path *paths, size_t n);

/** part_sort - so that part_named() is fast; no child may be added later */
void part_sort(struct call *c, struct part *p);

/** part_named - the attribute or member @name of @p, or NULL */
const struct part *part_named(const struct part *p, struct slice name);

/** projection_whole - whole attributes, however many; @names: each once, borrowed */
struct expr_projection *projection_whole(struct call *c, const struct slice *names, size_t n);

#endif
