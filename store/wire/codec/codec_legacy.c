/*
 * codec_legacy - the parameters that predate expressions, for all operations
 *
 * JSON has maps by attribute name, and op.h has arrays.
 */
#include "store/wire/codec/codec_rows.h"

/* In the order of enum comparison, enum conditional_operator and enum update_action. */
static const struct shape_words codec_comparison_words = {
	SHAPE_WORDS("", "EQ", "NE", "IN", "LE", "LT", "GE", "GT", "BETWEEN", "NOT_NULL", "NULL",
		    "CONTAINS", "NOT_CONTAINS", "BEGINS_WITH"),
	.set = "[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, "
	       "CONTAINS]"};
const struct shape_words codec_operator_words = {SHAPE_WORDS("", "AND", "OR"), .set = "[OR, AND]",
						 .newer = CODEC_NEWER_ENUM "[ALL, OR]"}; /* sic */
static const struct shape_words codec_action_words = {SHAPE_WORDS("PUT", "ADD", "DELETE"),
						      .set = "[ADD, PUT, DELETE]"};

/* ------------------------------------------------------------ conditions */

#define CODEC_ROW_OPERANDS \
	SHAPE_ROW_LIST(struct condition, values, n, "AttributeValueList", &shape_values, \
		       .flags = SHAPE_NULLABLE)

static const struct shape_member codec_condition_shape_members[] = {
	CODEC_ROW_OPERANDS,
	SHAPE_ROW(struct condition, comparison, "ComparisonOperator", SHAPE_ENUM,
		  .flags = SHAPE_REQUIRED, .words = &codec_comparison_words),
};
SHAPE_SHARE(codec_condition_shape, struct condition, SHAPE_CLASS("Condition"),
	    .key = offsetof(struct condition, name))

static const struct shape_member codec_expected_shape_members[] = {
	SHAPE_ROW(struct condition, value, "Value", SHAPE_VALUE,
		  SHAPE_POINTER(struct condition, value)),
	SHAPE_ROW(struct condition, exists, "Exists", SHAPE_BOOL,
		  SHAPE_GIVEN(struct condition, exists_given)),
	CODEC_ROW_OPERANDS,
	SHAPE_ROW(struct condition, comparison, "ComparisonOperator", SHAPE_ENUM,
		  .words = &codec_comparison_words),
};
SHAPE_SHARE(codec_expected_shape, struct condition, SHAPE_CLASS("ExpectedAttributeValue"),
	    .key = offsetof(struct condition, name))

/* ------------------------------------------------------------ AttributeUpdates */

static const struct shape_member codec_update_shape_members[] = {
	SHAPE_ROW(struct attribute_update, value, "Value", SHAPE_VALUE,
		  SHAPE_POINTER(struct attribute_update, value)),
	SHAPE_ROW(struct attribute_update, action, "Action", SHAPE_ENUM, .flags = SHAPE_ALWAYS,
		  .words = &codec_action_words),
};
SHAPE_SHARE(codec_update_shape, struct attribute_update, SHAPE_CLASS("AttributeValueUpdate"),
	    .key = offsetof(struct attribute_update, name))
