/*
 * legacy_members - parameters of requests that are older than expressions
 *
 * KeyConditions, QueryFilter, ScanFilter and Expected are conditions on single attributes, AttributeUpdates are changes
 * of attributes, and AttributesToGet are names. expr/legacy.h converts all of them to the same trees as expressions.
 * The member "given" distinguishes an empty map from a missing one.
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

/* A condition on one attribute. */
struct condition {
	struct slice name;
	enum comparison comparison;
	const struct value *values; /* AttributeValueList; NULL: not given */
	size_t n;

	/* Expected only */
	const struct value *value; /* NULL: not given */
	bool exists_given;
	bool exists;
};

enum conditional_operator { CONDITIONAL_NONE, CONDITIONAL_AND, CONDITIONAL_OR };

struct conditions {
	const struct condition *at; /* each on a different attribute */
	size_t n;
	bool given;
	enum conditional_operator conditional; /* how they are joined; not for KeyConditions */
};

enum update_action { ACTION_PUT, ACTION_ADD, ACTION_DELETE };

struct attribute_update {
	struct slice name;
	enum update_action action;
	const struct value *value; /* NULL: not given */
};

struct attribute_updates {
	const struct attribute_update *at; /* each of a different attribute */
	size_t n;
	bool given;
};

/* AttributesToGet: names, not paths */
struct attributes_to_get {
	const struct slice *at;
	size_t n; /* 0: not given */
};

#endif
