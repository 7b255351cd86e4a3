/*
 * legacy_members - what requests said before there were expressions
 *
 * KeyConditions, QueryFilter, ScanFilter and Expected are conditions on single attributes,
 * AttributeUpdates changes of them, AttributesToGet names of them.  expr/legacy.h makes of all of
 * these the trees that expressions become.  "given" tells an empty map from none.
 */
#ifndef STORE_MODEL_LEGACY_MEMBERS_H
#define STORE_MODEL_LEGACY_MEMBERS_H

#include "store/model/value.h"

/* ComparisonOperator */
enum comparison {
	COMPARISON_NONE, /* not given: Expected with Value or Exists */
	COMPARISON_EQ,
	COMPARISON_NE,
	COMPARISON_IN,
	COMPARISON_LE,
	COMPARISON_LT,
	COMPARISON_GE,
	COMPARISON_GT,
	COMPARISON_BETWEEN,
	COMPARISON_NOT_NULL,
	COMPARISON_NULL,
	COMPARISON_CONTAINS,
	COMPARISON_NOT_CONTAINS,
	COMPARISON_BEGINS_WITH,
	COMPARISONS
};

enum exists { EXISTS_NONE, EXISTS_FALSE, EXISTS_TRUE };

/* What holds of one attribute. */
struct condition {
	struct slice name;
	enum comparison comparison;
	const struct value *values; /* AttributeValueList; NULL: not given */
	size_t n;

	/* Expected only */
	const struct value *value; /* NULL: not given */
	enum exists exists;
};

enum conditional_operator { CONDITIONAL_NONE, CONDITIONAL_AND, CONDITIONAL_OR };

struct conditions {
	const struct condition *at; /* each of another attribute */
	size_t n;
	bool given;
	enum conditional_operator operator; /* how they are joined; not of KeyConditions */
};

enum update_action { ACTION_PUT, ACTION_ADD, ACTION_DELETE };

struct attribute_update {
	struct slice name;
	enum update_action action;
	const struct value *value; /* NULL: not given */
};

struct attribute_updates {
	const struct attribute_update *at; /* each of another attribute */
	size_t n;
	bool given;
};

/* AttributesToGet: names, not paths */
struct attributes_to_get {
	const struct slice *at;
	size_t n; /* 0: not given */
};

#endif
