/* part - document paths as a tree: what a projection wants, what an update touches */
#ifndef STORE_EXPR_PART_H
#define STORE_EXPR_PART_H

#include "store/expr/path.h"

/* An attribute, a member or an element that a path leads to or through. */
struct part {
	bool element; /* @index, not @name, tells which */
	struct slice name;
	size_t index;
	size_t place;       /* in the text, of the first path through it */
	struct part *child; /* elements in order of their index; none: a path ends here */
	size_t n;
	size_t cap;
	size_t path; /* which one ends here */
	bool sorted; /* the children are in the order of their names */
};

struct expr_projection {
	struct part root; /* its children are top-level attributes */
	struct slice *names;
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

/**
 * projection_whole - whole attributes
 * @names: each once, and only borrowed; however many there are: looked up fast when they are sorted
 */
struct expr_projection *projection_whole(struct call *c, struct slice *names, size_t n);

#endif
