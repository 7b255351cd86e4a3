/* placeholders - what "#name" and ":value" stand for in the expressions of one request */
#ifndef STORE_MODEL_PLACEHOLDERS_H
#define STORE_MODEL_PLACEHOLDERS_H

#include "store/model/item.h"

/* One entry of ExpressionAttributeNames: "#n" stands for "Name". */
struct name_alias {
	struct slice alias; /* with its '#' */
	struct slice name;
};

struct trees; /* store/expr/trees.h */

/*
 * ExpressionAttributeNames and ExpressionAttributeValues.  "given" tells an
 * empty map, which is an error, from none.
 */
struct placeholders {
	const struct name_alias *names;
	size_t n_names;
	struct item values; /* attribute name = ":v" */
	bool names_given;
	bool values_given;
	const struct trees *trees; /* expressions that stand here instead of texts; NULL: texts */
};

#endif
