/* op_table - structs of the operations on tables, their settings and the account; part of op.h */
#ifndef STORE_OP_OP_TABLE_H
#define STORE_OP_OP_TABLE_H

#include "store/model/schema.h"

/* ------------------------------------------------------------ tables */

enum table_status { TABLE_ACTIVE, TABLE_DELETING, TABLE_UPDATING, TABLE_CREATING };

/* Counts of a table or of one index. */
struct totals {
	uint64_t items;      /* items or index entries */
	uint64_t bytes;      /* by DynamoDB's count */
	uint64_t partitions; /* distinct partition keys */
};

struct table_info {
	const struct schema *schema;
	enum table_status status;
	struct totals totals;
	const struct totals *index_totals; /* schema->n_index of them */
	uint64_t backfilled;               /* items that the backfill of an index has processed */
	bool foreign;     /* on a foreign server: members that it does not send stay unknown */
	struct slice arn; /* as the server sent it; empty: derived from the name */
	struct slice latest_stream; /* DescribeTable: ARN of the newest stream; or empty */
};

struct create_table_in {
	const struct schema *schema;        /* the engine sets ids, version and created_ms */
	const struct key_attr *definitions; /* AttributeDefinitions as given */
	size_t n_definitions;               /* 0: exactly those that the keys use */
};
struct create_table_out {
	struct table_info table;
};

struct describe_table_in {
	struct slice table;
};
struct describe_table_out {
	struct table_info table;
};

struct list_tables_in {
	struct slice start; /* names after this one */
	uint32_t limit;     /* 1..100; 0 = 100 */
};
struct list_tables_out {
	const struct slice *names; /* in byte order */
	size_t n_names;
	struct slice last; /* LastEvaluatedTableName; empty at the end */
};

enum billing_change { BILLING_KEPT, BILLING_PROVISIONED, BILLING_ON_DEMAND };

enum index_change_kind { INDEX_CREATE, INDEX_UPDATE, INDEX_DELETE };

struct index_change {
	enum index_change_kind kind;
	struct index index; /* UPDATE: name and units; DELETE: name */
};

/* Settings that are not given stay unchanged. */
struct update_table_in {
	struct slice table;
	enum billing_change billing;
	uint64_t read_units; /* both or none */
	uint64_t write_units;
	const bool *protect;
	const enum table_class *table_class;
	const struct on_demand *on_demand;
	const struct warm *warm;
	const struct encryption *encryption;
	const enum stream_view *stream;     /* STREAM_NONE: disable it */
	const struct key_attr *definitions; /* as in create_table_in, for INDEX_CREATE */
	size_t n_definitions;
	const struct index_change *changes;
	size_t n_changes;
	const bool *throttle;             /* as in struct schema */
	const uint64_t *collection_limit; /* as in struct schema; 0: DynamoDB's default */
};
struct update_table_out {
	struct table_info table;
};

struct delete_table_in {
	struct slice table;
};
struct delete_table_out {
	struct table_info table;
};

struct update_time_to_live_in {
	struct slice table;
	bool enabled;
	struct slice attribute; /* a number: Unix time in seconds */
};
struct update_time_to_live_out {
	char unused; /* the change is in effect */
};

struct describe_time_to_live_in {
	struct slice table;
};
struct describe_time_to_live_out {
	struct slice attribute; /* empty: disabled */
};

struct tag_resource_in {
	struct slice arn; /* of a table */
	const struct tag *tags;
	size_t n_tags;
};
struct tag_resource_out {
	char unused;
};

struct untag_resource_in {
	struct slice arn;
	const struct slice *keys; /* of the tags to remove; missing ones are ignored */
	size_t n_keys;
};
struct untag_resource_out {
	char unused;
};

struct list_tags_of_resource_in {
	struct slice arn;
	struct slice next;
};
struct list_tags_of_resource_out {
	const struct tag *tags;
	size_t n_tags;
	struct slice next; /* empty at the end; a local store has one page */
};

/* Point-in-time recovery of a table: Unix times in milliseconds. */
struct recovery {
	bool enabled;
	uint32_t days; /* length of the recovery period */
	uint64_t earliest_ms;
	uint64_t latest_ms;
};

struct describe_continuous_backups_in {
	struct slice table;
};
struct describe_continuous_backups_out {
	struct recovery recovery;
};

struct update_continuous_backups_in {
	struct slice table;
	bool enabled;
	bool has_days;
	uint32_t days;
};
struct update_continuous_backups_out {
	struct recovery recovery;
};

/* ------------------------------------------------------------ the account */

struct describe_limits_in {
	char unused;
};
struct describe_limits_out {
	uint64_t account_read_units;
	uint64_t account_write_units;
	uint64_t table_read_units;
	uint64_t table_write_units;
};

struct describe_endpoints_in {
	struct slice host; /* host of the request, if the front end knows it */
};
struct describe_endpoints_out {
	struct slice address;
	uint64_t minutes; /* how long the address may be cached */
};

/* ------------------------------------------------------------ global tables */

/*
 * Version 2017.11.29, which the service no longer supports: there are none, and none can be created.
 * Of the replicas of a request, only matters whether one is added.
 */
struct replica {
	struct slice region;
	bool added;   /* only in UpdateGlobalTable */
	bool dropped; /* likewise */
};
struct create_global_table_in {
	struct slice name;
	const struct replica *replicas;
	size_t n_replicas;
};
struct create_global_table_out {
	char unused;
};

struct update_global_table_in {
	struct slice name;
	const struct replica *updates;
	size_t n_updates;
};
struct update_global_table_out {
	char unused;
};

struct describe_global_table_in {
	struct slice name;
};
struct describe_global_table_out {
	char unused;
};

struct list_global_tables_in {
	struct slice start;
	uint32_t limit;
};
struct list_global_tables_out {
	const struct slice *names; /* always empty */
	size_t n_names;
};

struct update_global_settings_in {
	struct slice name;
};
struct update_global_settings_out {
	char unused;
};

struct describe_global_settings_in {
	struct slice name;
};
struct describe_global_settings_out {
	char unused;
};

#endif
