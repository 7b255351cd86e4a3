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

/**
 * placeholders_check_names - ExpressionAttributeNames: given and not empty, keys well-formed, within the limits
 *
 * Errors:  -ERR_VALIDATION
 */
int placeholders_check_names(struct call *c, const struct placeholders *ph)
	__attribute__((warn_unused_result));

/** placeholders_check_keys - likewise the keys of ExpressionAttributeValues; what stands there need not be read yet */
int placeholders_check_keys(struct call *c, const struct placeholders *ph)
	__attribute__((warn_unused_result));

#endif
