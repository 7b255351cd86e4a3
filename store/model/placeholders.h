/* placeholders - the names and values that "#name" and ":value" mean in the expressions of one request */
#ifndef STORE_MODEL_PLACEHOLDERS_H
#define STORE_MODEL_PLACEHOLDERS_H

#include "store/model/item.h"

/* One entry of ExpressionAttributeNames: "#n" means "Name". */
struct name_alias {
	struct slice alias; /* includes the '#' */
	struct slice name;
};

struct trees; /* store/expr/trees.h */

/*
 * ExpressionAttributeNames and ExpressionAttributeValues. The members "given" distinguish an empty map, which is an
 * error, from a missing one.
 */
struct placeholders {
	const struct name_alias *names;
	size_t n_names;
	struct item values; /* attribute name = ":v" */
	bool names_given;
	bool values_given;
	const struct trees *trees; /* the expressions as trees; NULL: they are text */
};

/**
 * placeholders_check_names - check ExpressionAttributeNames: not empty if given, valid keys and names, size
 *
 * Errors:  -ERR_VALIDATION
 */
int placeholders_check_names(struct call *c, const struct placeholders *ph) must_check;

/** placeholders_check_keys - check the keys of ExpressionAttributeValues, not the values; Errors: -ERR_VALIDATION */
int placeholders_check_keys(struct call *c, const struct placeholders *ph) must_check;

#endif
