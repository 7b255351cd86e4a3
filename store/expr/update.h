/*
 * update - an UpdateExpression between its stages
 *
 *   update_parse.c   text to clauses
 *   update.c         checked and bound; questions about it
 *   update_apply.c   an item to its successor
 */
#ifndef STORE_EXPR_UPDATE_H
#define STORE_EXPR_UPDATE_H

#include "store/expr/part.h"

enum update_verb { UPDATE_SET, UPDATE_ADD, UPDATE_REMOVE, UPDATE_DELETE, UPDATE_VERBS };

/* What is done to one path. */
struct clause {
	enum update_verb verb;
	struct node *value; /* SET: any; ADD, DELETE: a NODE_VALUE; REMOVE: NULL */
};

struct expr_update {
	struct clause *clause; /* in the order of the text */
	struct path *path;     /* of each */
	size_t n;
	enum update_verb
		repeated; /* the first verb that came twice, or UPDATE_VERBS; by the parser */
	size_t repeated_place;
	struct expr_projection *touched; /* the paths as a tree */
	bool legacy;                     /* of AttributeUpdates: refused in other words */
};

/** update_verb_name - "SET" ... */
const char *update_verb_name(enum update_verb verb);

/**
 * parse_update - syntax only
 *
 * Grammar:  update = section {section}
 *           section = SET path = value {, path = value} | REMOVE path {, path}
 *                   | ADD path :value {, path :value} | DELETE path :value {, path :value}
 *
 * Errors:  -ERR_VALIDATION  size, syntax, redundant parentheses, number of operators
 */
int parse_update(struct call *c, struct slice text, struct expr_update *out)
	__attribute__((warn_unused_result));

#endif
