/* codec_rows - rows that many shapes share: see shape.h */
#ifndef STORE_WIRE_CODEC_CODEC_ROWS_H
#define STORE_WIRE_CODEC_CODEC_ROWS_H

#include "store/wire/codec/shape.h"

/* Some arguments are types or nested fields, which cannot be in parentheses. */
/* NOLINTBEGIN(bugprone-macro-parentheses) */

/* The current layer's message for a word outside of the set that follows. */
#define CODEC_NEWER_ENUM "Failed to satisfy constraint: Member must satisfy enum value set: "

/* Words and rules; the enums are those of op.h. */
extern const struct shape_words codec_capacity_words;
extern const struct shape_words codec_collections_words;
extern const struct shape_words codec_return_words;
extern const struct shape_words codec_failure_words;
extern const struct shape_words codec_operator_words;
extern const struct shape_words codec_view_words;
extern const struct shape_words codec_state_words; /* of a SHAPE_FLAG: enabled */
extern const struct shape_rule codec_table_rule;
extern const struct shape_rule codec_table_name_rule;
extern const struct shape_rule codec_index_rule;
extern const struct shape_rule codec_filled_rule; /* at least one byte or element */
extern const struct shape_rule codec_positive_rule;
extern const struct shape_rule codec_token_rule;

/* ItemCollectionMetrics of several tables. */
extern const struct shape_custom codec_collection_many; /* struct collection_list */

/* Bytes in itemfs's own operations. */
extern const struct shape_custom codec_bytes; /* struct slice */

/* Members of answers. */
extern const struct shape_custom codec_halves; /* uint64_t: units of capacity, counted in halves */
extern const struct shape_custom codec_range;  /* struct collection: its low_gb and high_gb */

/* Elements of maps. */
extern const struct shape codec_alias_shape;      /* struct name_alias */
extern const struct shape codec_collection_shape; /* struct collection, a list's element */
extern const struct shape codec_consumed_shape;   /* struct consumed, a list's element */
extern const struct shape codec_condition_shape;  /* struct condition of a filter or a key */
extern const struct shape codec_expected_shape;   /* struct condition of "Expected" */
extern const struct shape codec_response_shape;   /* struct item_response, a list's element */
extern const struct shape codec_table_only_shape; /* a request with TableName only */
extern const struct shape codec_tag_shape;        /* struct tag, a list's element */
extern const struct shape codec_update_shape;     /* struct attribute_update */

#define CODEC_ROW_TABLE(type, field) \
	SHAPE_ROW(type, field, "TableName", SHAPE_STRING, .flags = SHAPE_REQUIRED, \
		  .rule = &codec_table_rule)
/* For operations on tables, which report a missing name alone and check a short one later. */
#define CODEC_ROW_TABLE_FIRST(type, field) \
	SHAPE_ROW(type, field, "TableName", SHAPE_STRING, .flags = SHAPE_FIRST, \
		  .rule = &codec_table_name_rule)
#define CODEC_ROW_STRING(type, field, name) SHAPE_ROW(type, field, name, SHAPE_STRING)
/* In an answer, where it is never empty. */
#define CODEC_ROW_NAME(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_STRING, .flags = SHAPE_ANSWERED)
/* An empty expression is kept here and refused later. */
#define CODEC_ROW_EXPRESSION(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_STRING, .flags = SHAPE_NULLABLE)
/* A list in an answer; the field n_FIELD has its number of elements. */
#define CODEC_ROW_LIST(type, field, name, shape) \
	SHAPE_ROW_LIST(type, field, n_##field, name, shape, .flags = SHAPE_ALWAYS)
#define CODEC_ROW_BOOL(type, field, name) SHAPE_ROW(type, field, name, SHAPE_BOOL)
#define CODEC_ROW_KEY(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_ITEM, \
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_ANSWERED)
#define CODEC_ROW_CAPACITY(type, field) \
	SHAPE_ROW(type, field, "ReturnConsumedCapacity", SHAPE_ENUM, .words = &codec_capacity_words)
#define CODEC_ROW_CONSUMED(type, field) \
	SHAPE_ROW(type, field.at, "ConsumedCapacity", SHAPE_ONE, SHAPE_COUNT(type, field.n), \
		  .of = &codec_consumed_shape)
#define CODEC_ROW_CONSUMED_LIST(type, field) \
	SHAPE_ROW_LIST(type, field.at, field.n, "ConsumedCapacity", &codec_consumed_shape)
#define CODEC_ROW_COLLECTION_LISTS(type, field) \
	SHAPE_ROW(type, field, "ItemCollectionMetrics", SHAPE_CUSTOM, SHAPE_COUNT(type, field.n), \
		  .custom = &codec_collection_many)
#define CODEC_ROW_COLLECTION(type, field) \
	SHAPE_ROW(type, field.at, "ItemCollectionMetrics", SHAPE_ONE, SHAPE_COUNT(type, field.n), \
		  .of = &codec_collection_shape)
#define CODEC_ROW_COLLECTIONS(type, field) \
	SHAPE_ROW(type, field, "ReturnItemCollectionMetrics", SHAPE_FLAG, \
		  .words = &codec_collections_words)
#define CODEC_ROW_RETURNS(type, field) \
	SHAPE_ROW(type, field, "ReturnValues", SHAPE_ENUM, .words = &codec_return_words)
#define CODEC_ROW_FAILURE(type, field) \
	SHAPE_ROW(type, field, "ReturnValuesOnConditionCheckFailure", SHAPE_ENUM, \
		  .words = &codec_failure_words)

#define CODEC_ROW_LONG(type, field, name) SHAPE_ROW(type, field, name, SHAPE_LONG)
#define CODEC_ROW_NUMBER(type, field, name) \
	SHAPE_ROW(type, field, name, SHAPE_LONG, .flags = SHAPE_ALWAYS)

/* A struct values, in a request. */
#define CODEC_ROW_KEY_VALUES(type, field, name) \
	SHAPE_ROW_LIST(type, field.at, field.n, name, &shape_values)
/* A struct values in an answer: at least one.  A faulty server may send another number than the key has attributes. */
#define CODEC_ROW_KEY_ANSWERED(type, field, name) \
	SHAPE_ROW_LIST(type, field.at, field.n, name, &shape_values, .flags = SHAPE_ANSWERED)

#define CODEC_ROW_LIMIT(type, field) \
	SHAPE_ROW(type, field, "Limit", SHAPE_INTEGER, .rule = &codec_positive_rule)

/* Tags, also in CreateTable. */
#define CODEC_ROW_TAGS(type, field, n, flags_) \
	SHAPE_ROW_LIST(type, field, n, "Tags", &codec_tag_shape, .flags = (flags_))

/* ExpressionAttributeNames and ExpressionAttributeValues of a struct placeholders. */
#define CODEC_ROW_NAMES(type, ph) \
	SHAPE_ROW_MAP(type, ph.names, ph.n_names, "ExpressionAttributeNames", &codec_alias_shape, \
		      SHAPE_GIVEN(type, ph.names_given))
#define CODEC_ROW_VALUES(type, ph) \
	SHAPE_ROW(type, ph.values, "ExpressionAttributeValues", SHAPE_ITEM, .flags = SHAPE_NAMED, \
		  .part = ORDER_VALUES, SHAPE_GIVEN(type, ph.values_given))

/* AttributesToGet of a struct attributes_to_get. */
#define CODEC_ROW_ATTRIBUTES(type, field) \
	SHAPE_ROW_LIST(type, field.at, field.n, "AttributesToGet", &shape_strings, \
		       .rule = &codec_filled_rule)

/* A struct conditions, and the operator that joins them. */
#define CODEC_ROW_CONDITIONS(type, field, name, shape, part_) \
	SHAPE_ROW_MAP(type, field.at, field.n, name, shape, SHAPE_GIVEN(type, field.given), \
		      .part = (part_))
#define CODEC_ROW_OPERATOR(type, field) \
	SHAPE_ROW(type, field.conditional, "ConditionalOperator", SHAPE_ENUM, \
		  .words = &codec_operator_words)

/* NOLINTEND(bugprone-macro-parentheses) */
#endif
