/*
 * update - internal form of an UpdateExpression
 *
 *   update_parse.c   parses the text to clauses
 *   update.c         checks and binds the clauses, and answers questions about them
 *   update_apply.c   computes the new item
 */
#ifndef STORE_EXPR_UPDATE_H
#define STORE_EXPR_UPDATE_H

#include "store/expr/part.h"

enum update_verb { UPDATE_SET, UPDATE_ADD, UPDATE_REMOVE, UPDATE_DELETE, UPDATE_VERBS };

/* The change of one path. */
struct clause {
	enum update_verb verb;
	struct node *value; /* SET: any; ADD, DELETE: a NODE_VALUE; REMOVE: NULL */
};

struct expr_update {
	struct clause *clause; /* in the order of the text */
	struct path *path;     /* the path of each clause */
	size_t n;
	enum update_verb repeated;       /* first verb that occurs twice; UPDATE_VERBS: none */
	size_t repeated_place;           /* of its second occurrence */
	struct expr_projection *touched; /* the paths as a tree */
	bool legacy;                     /* made of AttributeUpdates: other messages */
};

/** update_verb_name - "SET" ... */
const char *update_verb_name(enum update_verb verb);

/**
 * parse_update - parse an UpdateExpression; checks syntax only
 *
 * Grammar:  update = section {section}
 *           section = SET path = value {, path = value} | REMOVE path {, path}
 *                   | ADD path :value {, path :value} | DELETE path :value {, path :value}
 *
 * Errors:  -ERR_VALIDATION  size, syntax, redundant parentheses, number of operators
 */
int parse_update(struct call *c, struct slice text, struct expr_update *out) must_check;

#endif
