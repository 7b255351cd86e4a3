/* key_condition - KeyConditionExpression of a query, with its own placeholders */
#ifndef TOOLS_QUERY_KEY_CONDITION_H
#define TOOLS_QUERY_KEY_CONDITION_H

#include "store/base/core/call.h"

#include "tools/text/words.h"

struct command;
struct exprs;
struct key_schema;
struct query_hints;

/* Placeholders that no user types; those of further attributes of a key have a number at their end. */
#define KEY_CONDITION_PK "#itemctl_pk"
#define KEY_CONDITION_SK "#itemctl_sk"
#define KEY_CONDITION_PK_VALUE ":itemctl_pk"
#define KEY_CONDITION_A ":itemctl_a"
#define KEY_CONDITION_B ":itemctl_b"

/* Conditions on the sort key, as typed; NULL or empty: not given */
struct sort_conditions {
	struct words eq; /* for the first attributes of the sort key, in order */
	const char *lt, *le, *gt, *ge, *begins;
	const char *between[2];
};

/* What the expression is made of */
struct key_condition {
	const struct command *command; /* query */
	const struct sort_conditions *o;
	const struct key_schema *key; /* of the table or index */
	struct exprs *exprs;          /* gets the placeholders */
	struct query_hints *hints;
};

/** key_condition_alias - the placeholder @name of attribute @i of a key; a C string, @name itself or in the call's arena */
const char *key_condition_alias(struct call *c, const char *name, size_t i);

/**
 * key_condition_text - the expression: an equality for each attribute of the partition key, and the sort conditions
 * @out: in the call's arena
 *
 * The caller sets the values of the placeholders KEY_CONDITION_PK_VALUE.
 *
 * Return: 0; -ERR_USAGE  too many or unsuitable conditions; the error of a value that does not fit the key
 */
int key_condition_text(struct call *c, const struct key_condition *k, struct slice *out) must_check;

/** key_condition_range - the sort condition as text, for a message; NULL if there is none, or if --eq is given */
const char *key_condition_range(struct call *c, const struct sort_conditions *o,
				const struct key_schema *key);

#endif
