/* document_path - document paths, a.b[3].c: read, shown, compared, followed into an item */
#ifndef STORE_EXPR_DOCUMENT_PATH_H
#define STORE_EXPR_DOCUMENT_PATH_H

#include "store/expr/ast.h"

/** path_step - read one step: a name, an alias, or [index] */
int path_step(struct parser *p, struct step *out) __attribute__((warn_unused_result));

/** path_steps - read the rest of the path that begins with @first */
int path_steps(struct parser *p, struct step first, struct path *out)
	__attribute__((warn_unused_result));

/** path_parse - read a whole path */
int path_parse(struct parser *p, struct path *out) __attribute__((warn_unused_result));

/** path_text - a bound path as messages show it: "[a, [0], b]", in the call's arena */
struct slice path_text(struct call *c, const struct path *p);

enum path_relation {
	PATH_APART,    /* they part at two names or at two elements */
	PATH_OVERLAP,  /* one begins with the other, or they are the same */
	PATH_CONFLICT, /* they part at a name against an element */
};

enum path_relation path_compare(const struct path *a, const struct path *b);

/** path_same - the same steps? */
bool path_same(const struct path *a, const struct path *b);

/** path_find - what the path leads to in @it, or NULL */
const struct value *path_find(const struct path *p, const struct item *it);

#endif
