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
	static const struct shape_member codec_##op##_members[] = { \
		CODEC_ROW_GLOBAL(struct op##_in), \
	}; \
	static const struct shape codec_##op = { \
		SHAPE_MEMBERS(struct op##_in, codec_##op##_members)}; \
	SHAPE_OPERATION(op, &codec_##op, &shape_nothing)

CODEC_GLOBAL_OPERATION(describe_global_table)
CODEC_GLOBAL_OPERATION(update_global_settings)
CODEC_GLOBAL_OPERATION(describe_global_settings)

/* ------------------------------------------------------------ CreateGlobalTable */

struct codec_replica {
	struct slice region;
};

static const struct shape_member codec_region_members[] = {
	CODEC_ROW_STRING(struct codec_replica, region, "RegionName"),
};
static const struct shape codec_replica = {
	.java_class = SHAPE_CLASS("Replica"),
	SHAPE_MEMBERS(struct codec_replica, codec_region_members)};

struct codec_global {
	struct slice name;
	const struct codec_replica *replicas;
	size_t n;
};

static const struct shape_member codec_create_global_members[] = {
	CODEC_ROW_GLOBAL(struct codec_global),
	SHAPE_ROW(struct codec_global, replicas, "ReplicationGroup", SHAPE_LIST,
		  SHAPE_COUNT(struct codec_global, n), .of = &codec_replica,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

static int
codec_unpack_create_global(struct codec_reader *r, const void *draft, void *out)
{
	(void)r;
	((struct create_global_table_in *)out)->name = ((const struct codec_global *)draft)->name;
	return 0;
}

static void
codec_pack_create_global(struct codec_writer *w, const void *in, void *draft)
{
	(void)w;
	((struct codec_global *)draft)->name = ((const struct create_global_table_in *)in)->name;
}

static const struct shape codec_create_global = {
	SHAPE_DRAFT(struct create_global_table_in, struct codec_global, codec_create_global_members,
		    codec_unpack_create_global, codec_pack_create_global)};

SHAPE_OPERATION(create_global_table, &codec_create_global, &shape_nothing)

/* ------------------------------------------------------------ UpdateGlobalTable */

struct codec_replica_update {
	struct codec_replica added;
	struct codec_replica dropped;
	bool adds;
};

static const struct shape codec_replica_added = {
	.java_class = SHAPE_CLASS("CreateReplicaAction"),
	SHAPE_MEMBERS(struct codec_replica, codec_region_members)};
static const struct shape codec_replica_dropped = {
	.java_class = SHAPE_CLASS("DeleteReplicaAction"),
	SHAPE_MEMBERS(struct codec_replica, codec_region_members)};

static const struct shape_member codec_replica_update_members[] = {
	SHAPE_ROW(struct codec_replica_update, added, "Create", SHAPE_STRUCT,
		  SHAPE_GIVEN(struct codec_replica_update, adds), .of = &codec_replica_added),
	SHAPE_ROW(struct codec_replica_update, dropped, "Delete", SHAPE_STRUCT,
		  .of = &codec_replica_dropped),
};
static const struct shape codec_replica_update = {
	.java_class = SHAPE_CLASS("ReplicaUpdate"),
	SHAPE_MEMBERS(struct codec_replica_update, codec_replica_update_members)};

struct codec_global_update {
	struct slice name;
	const struct codec_replica_update *updates;
	size_t n;
};

static const struct shape_member codec_update_global_members[] = {
	CODEC_ROW_GLOBAL(struct codec_global_update),
	SHAPE_ROW(struct codec_global_update, updates, "ReplicaUpdates", SHAPE_LIST,
		  SHAPE_COUNT(struct codec_global_update, n), .of = &codec_replica_update,
		  .flags = SHAPE_REQUIRED | SHAPE_ALWAYS),
};

static int
codec_unpack_update_global(struct codec_reader *r, const void *draft, void *out)
{
	const struct codec_global_update *d = draft;
	struct update_global_table_in *in = out;

	(void)r;
	*in = (struct update_global_table_in){.name = d->name, .n = d->n};
	for (size_t i = 0; i < d->n; i++) {
		in->adds = in->adds || d->updates[i].adds;
	}
	return 0;
}

static void
codec_pack_update_global(struct codec_writer *w, const void *in, void *draft)
{
	(void)w;
	((struct codec_global_update *)draft)->name =
		((const struct update_global_table_in *)in)->name;
}

static const struct shape codec_update_global = {SHAPE_DRAFT(
	struct update_global_table_in, struct codec_global_update, codec_update_global_members,
	codec_unpack_update_global, codec_pack_update_global)};

SHAPE_OPERATION(update_global_table, &codec_update_global, &shape_nothing)

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
