/*
 * codec_parts - shapes, words and rules of the parts of a table's definition
 */
#include "store/wire/codec/codec_parts.h"

#include "store/model/limits.h"
#include "store/wire/codec/codec_rows.h"
#include "store/wire/codec/shape.h"

static const struct shape_rule codec_attribute_rule = {.min = 1, .max = LIMIT_KEY_NAME_BYTES};
const struct shape_rule codec_table_key_rule = {.min = 1, .max = 2};
const struct shape_rule codec_new_name_rule = {
	.name = true, .min = LIMIT_TABLE_NAME_MIN, .max = LIMIT_TABLE_NAME_MAX};

#define CODEC_ROW_ATTRIBUTE(type, field) \
	SHAPE_ROW(type, field, "AttributeName", SHAPE_STRING, \
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .rule = &codec_attribute_rule)

/* In the order of enum value_type. */
static const struct shape_words codec_type_words = {SHAPE_WORDS("S", "N", "B"), .set = "[B, N, S]"};

static const struct shape_member codec_definition_shape_members[] = {
	CODEC_ROW_ATTRIBUTE(struct key_attr, name),
	SHAPE_ROW(struct key_attr, type, "AttributeType", SHAPE_ENUM,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_ANSWERED,
		  .words = &codec_type_words),
};
SHAPE_SHARE(codec_definition_shape, struct key_attr, SHAPE_CLASS("AttributeDefinition"))

/* In the order of enum codec_key_kind. */
static const struct shape_words codec_kind_words = {SHAPE_WORDS("", "HASH", "RANGE"),
						    .set = "[HASH, RANGE]"};

static const struct shape_member codec_key_shape_members[] = {
	CODEC_ROW_ATTRIBUTE(struct codec_key_element, name),
	SHAPE_ROW(struct codec_key_element, kind, "KeyType", SHAPE_ENUM,
		  .flags = SHAPE_REQUIRED | SHAPE_ANSWERED, .words = &codec_kind_words),
};
SHAPE_SHARE(codec_key_shape, struct codec_key_element, SHAPE_CLASS("KeySchemaElement"))

#define CODEC_ROW_UNIT(field, name) \
	SHAPE_ROW(struct codec_units, field, name, SHAPE_LONG, \
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS | SHAPE_QUOTED, \
		  .rule = &codec_positive_rule)
static const struct shape_member codec_units_shape_members[] = {
	CODEC_ROW_UNIT(reads, "ReadCapacityUnits"),
	CODEC_ROW_UNIT(writes, "WriteCapacityUnits"),
};
SHAPE_SHARE(codec_units_shape, struct codec_units, SHAPE_CLASS("ProvisionedThroughput"))

/* From 1, in the order of enum projection_type. */
const struct shape_words codec_projection_words = {SHAPE_WORDS("", "ALL", "KEYS_ONLY", "INCLUDE"),
						   .set = "[ALL, INCLUDE, KEYS_ONLY]"};

static const struct shape_member codec_projection_shape_members[] = {
	SHAPE_ROW(struct codec_projection, type, "ProjectionType", SHAPE_ENUM,
		  .words = &codec_projection_words),
	SHAPE_ROW_LIST(struct codec_projection, include, n_include, "NonKeyAttributes",
		       &shape_strings, SHAPE_GIVEN(struct codec_projection, include_given),
		       .rule = &codec_filled_rule),
};
SHAPE_SHARE(codec_projection_shape, struct codec_projection, SHAPE_CLASS("Projection"))

static const struct shape_member codec_local_shape_members[] = {
	CODEC_ROW_NEW_INDEX,
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, &codec_table_key_rule),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
};
SHAPE_SHARE(codec_local_shape, struct codec_index, SHAPE_CLASS("LocalSecondaryIndex"))

static const struct shape_member codec_global_members[] = {
	CODEC_ROW_NEW_INDEX,
	CODEC_ROW_KEY_SCHEMA(struct codec_index, key, &codec_filled_rule),
	CODEC_ROW_PROJECTION(struct codec_index, projection),
	CODEC_ROW_UNITS(struct codec_index, units, "ProvisionedThroughput", 0),
	CODEC_ROW_ON_DEMAND(struct codec_index, of.on_demand, "OnDemandThroughput"),
	CODEC_ROW_WARM(struct codec_index, of.warm, warm_given, &codec_warm_shape),
};
const struct shape codec_global_shape = {.java_class = SHAPE_CLASS("GlobalSecondaryIndex"),
					 SHAPE_MEMBERS(struct codec_index, codec_global_members)};
const struct shape codec_create_shape = {.java_class =
						 SHAPE_CLASS("CreateGlobalSecondaryIndexAction"),
					 SHAPE_MEMBERS(struct codec_index, codec_global_members)};

const struct shape_words codec_mode_words = {SHAPE_WORDS("", "PROVISIONED", "PAY_PER_REQUEST"),
					     .set = "[PROVISIONED, PAY_PER_REQUEST]"};

const struct shape_words codec_class_words = {
	SHAPE_WORDS("", "STANDARD_INFREQUENT_ACCESS", "STANDARD"),
	.wrong = "Invalid table-class parameter provided. Please try again "
		 "with a valid table-class value: [STANDARD, "
		 "STANDARD_INFREQUENT_ACCESS]."};

/* From 1. */
static const struct shape_words codec_encryption_words = {SHAPE_WORDS("", "AES256", "KMS"),
							  .set = "[AES256, KMS]"};

static const struct shape_member codec_encryption_shape_members[] = {
	SHAPE_ROW(struct codec_encryption, enabled, "Enabled", SHAPE_BOOL, .flags = SHAPE_ALWAYS),
	SHAPE_ROW(struct codec_encryption, type, "SSEType", SHAPE_ENUM,
		  .words = &codec_encryption_words),
	CODEC_ROW_STRING(struct codec_encryption, key, "KMSMasterKeyId"),
};
SHAPE_SHARE(codec_encryption_shape, struct codec_encryption, SHAPE_CLASS("SSESpecification"))

static const struct shape_member codec_on_demand_shape_members[] = {
	SHAPE_ROW(struct on_demand, reads, "MaxReadRequestUnits", SHAPE_LONG,
		  .flags = SHAPE_ALWAYS | SHAPE_LIMIT),
	SHAPE_ROW(struct on_demand, writes, "MaxWriteRequestUnits", SHAPE_LONG,
		  .flags = SHAPE_ALWAYS | SHAPE_LIMIT),
};
SHAPE_SHARE(codec_on_demand_shape, struct on_demand, SHAPE_CLASS("OnDemandThroughput"))

#define CODEC_ROWS_WARM \
	SHAPE_ROW(struct warm, reads, "ReadUnitsPerSecond", SHAPE_LONG, \
		  .rule = &codec_positive_rule), \
		SHAPE_ROW(struct warm, writes, "WriteUnitsPerSecond", SHAPE_LONG, \
			  .rule = &codec_positive_rule)
static const struct shape_member codec_warm_shape_members[] = {CODEC_ROWS_WARM};
SHAPE_SHARE(codec_warm_shape, struct warm, SHAPE_CLASS("WarmThroughput"))

static const struct shape_member codec_warmed_shape_members[] = {
	CODEC_ROWS_WARM,
	SHAPE_FIXED("Status", "ACTIVE"),
};
SHAPE_SHARE(codec_warmed_shape, struct warm, SHAPE_CLASS("TableWarmThroughputDescription"))
