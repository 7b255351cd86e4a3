/* document_path - document paths, a.b[3].c: parse, print, compare, and look up in an item */
#ifndef STORE_EXPR_DOCUMENT_PATH_H
#define STORE_EXPR_DOCUMENT_PATH_H

#include "store/expr/ast.h"

/** path_step - parse one component: a name, an alias, or [index] */
struct step path_step(struct parser *p);

/** path_steps - parse the rest of the path that begins with @first */
struct path path_steps(struct parser *p, struct step first);

/** path_parse - parse a whole path */
struct path path_parse(struct parser *p);

/** path_text - a bound path as messages show it: "[a, [0], b]", in the call's arena */
struct slice path_text(struct call *c, const struct path *p);

enum path_relation {
	PATH_APART,    /* they differ first in two names or in two indexes */
	PATH_OVERLAP,  /* one is a prefix of the other, or they are the same */
	PATH_CONFLICT, /* they differ first in a name and an index */
};

enum path_relation path_compare(const struct path *a, const struct path *b);

/** path_same - return true if the paths are equal */
bool path_same(const struct path *a, const struct path *b);

/** path_find - the value at a bound path in @it, or NULL */
const struct value *path_find(const struct path *p, const struct item *it);

#endif
