/*
 * codec_global - operations on global tables of version 2017.11.29
 *
 * There are no global tables, so each operation fails or returns an empty list.
 */
#include "store/wire/codec/codec_parts.h"
#include "store/wire/codec/shape.h"

#define CODEC_ROW_GLOBAL(type) \
	SHAPE_ROW(type, name, "GlobalTableName", SHAPE_STRING, .flags = SHAPE_REQUIRED, \
		  .rule = &codec_new_name_rule)

/* Define an operation whose request has a name and other members, which are ignored. */
#define CODEC_GLOBAL_OPERATION(op) \
	static const struct shape_member codec_##op##_in_members[] = { \
		CODEC_ROW_GLOBAL(struct op##_in), \
	}; \
	SHAPE_ROWS_IN(op) \
	SHAPE_ANSWER(op, &shape_nothing)

CODEC_GLOBAL_OPERATION(describe_global_table)
CODEC_GLOBAL_OPERATION(update_global_settings)
CODEC_GLOBAL_OPERATION(describe_global_settings)

/* ------------------------------------------------------------ CreateGlobalTable, UpdateGlobalTable */

static const struct shape_member codec_replica_members[] = {
	CODEC_ROW_STRING(struct replica, region, "RegionName"),
};
SHAPE_DEFINE(codec_replica, struct replica, SHAPE_CLASS("Replica"))

static const struct shape_member codec_create_global_table_in_members[] = {
	CODEC_ROW_GLOBAL(struct create_global_table_in),
	SHAPE_ROW_LIST(struct create_global_table_in, replicas, n_replicas, "ReplicationGroup",
		       &codec_replica, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

SHAPE_ROWS_IN(create_global_table)
SHAPE_ANSWER(create_global_table, &shape_nothing)

static const struct shape codec_replica_added = {
	.java_class = SHAPE_CLASS("CreateReplicaAction"),
	SHAPE_MEMBERS(struct replica, codec_replica_members)};
static const struct shape codec_replica_dropped = {
	.java_class = SHAPE_CLASS("DeleteReplicaAction"),
	SHAPE_MEMBERS(struct replica, codec_replica_members)};

static const struct shape_member codec_replica_update_members[] = {
	SHAPE_INNER("Create", &codec_replica_added, SHAPE_GIVEN(struct replica, added)),
	SHAPE_INNER("Delete", &codec_replica_dropped, SHAPE_GIVEN(struct replica, dropped)),
};
SHAPE_DEFINE(codec_replica_update, struct replica, SHAPE_CLASS("ReplicaUpdate"))

static const struct shape_member codec_update_global_table_in_members[] = {
	CODEC_ROW_GLOBAL(struct update_global_table_in),
	SHAPE_ROW_LIST(struct update_global_table_in, updates, n_updates, "ReplicaUpdates",
		       &codec_replica_update, .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

SHAPE_ROWS_IN(update_global_table)
SHAPE_ANSWER(update_global_table, &shape_nothing)

/* ------------------------------------------------------------ ListGlobalTables */

static const struct shape_rule codec_global_page_rule = {.least = 1};

static const struct shape_member codec_list_global_tables_in_members[] = {
	SHAPE_ROW(struct list_global_tables_in, start, "ExclusiveStartGlobalTableName",
		  SHAPE_STRING, .rule = &codec_new_name_rule),
	SHAPE_ROW(struct list_global_tables_in, limit, "Limit", SHAPE_INTEGER,
		  .rule = &codec_global_page_rule),
};
static const struct shape_member codec_list_global_tables_out_members[] = {
	CODEC_ROW_LIST(struct list_global_tables_out, names, "GlobalTables", &shape_strings),
};

SHAPE_ROWS(list_global_tables)
