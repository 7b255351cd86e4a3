/*
 * op - an operation as data: what every door builds and every engine executes
 *
 * One struct in and one out for each row of op.def.  Zero means "not given"
 * everywhere: an empty slice, a NULL array, 0.  Slices, items and arrays are
 * borrowed until engine_execute() returns (in) or the call closes (out).
 */
#ifndef STORE_OP_OP_H
#define STORE_OP_OP_H

#include "store/model/legacy.h"
#include "store/model/placeholders.h"
#include "store/model/schema.h"
#include "store/op/capacity.h"
#include "store/op/op_stream.h"

enum op_kind { OP_READ, OP_WRITE };
enum op_group { OP_DYNAMODB, OP_STREAMS, OP_ITEMFS };

enum op_type {
#define OP(NAME, name, Name, kind, group) OP_##NAME,
#include "store/op/op.def"
#undef OP
	OP_COUNT
};

/* ------------------------------------------------------------ shared parts */

/* ReturnValues; the last three of UpdateItem only.  ReturnValuesOnConditionCheckFailure: the first
 * two. */
enum return_values {
	RETURN_NONE,
	RETURN_ALL_OLD,
	RETURN_UPDATED_OLD,
	RETURN_ALL_NEW,
	RETURN_UPDATED_NEW,
};

enum select { SELECT_DEFAULT, SELECT_ALL, SELECT_ALL_PROJECTED, SELECT_COUNT, SELECT_SPECIFIC };

/* ------------------------------------------------------------ tables */

enum table_status { TABLE_ACTIVE, TABLE_DELETING, TABLE_UPDATING, TABLE_CREATING };

/* Numbers of a table or of one index. */
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
	uint64_t backfilled;               /* items that the index being filled has looked at */
};

struct create_table_in {
	const struct schema *schema; /* ids, version and created_ms are the engine's to set */
	const struct key_attr *definitions; /* AttributeDefinitions as given */
	size_t n_definitions;               /* 0: taken to be exactly what the keys use */
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

/* What is not given stays as it is. */
struct update_table_in {
	struct slice table;
	enum billing_change billing;
	uint64_t read_units; /* both or none */
	uint64_t write_units;
	const bool *protect;
	const enum table_class *class;
	const enum stream_view *stream;     /* STREAM_NONE: none any more */
	const struct key_attr *definitions; /* as in create_table_in, of what INDEX_CREATE names */
	size_t n_definitions;
	const struct index_change *changes;
	size_t n_changes;
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
	char unused; /* what was asked for holds from now on */
};

struct describe_time_to_live_in {
	struct slice table;
};
struct describe_time_to_live_out {
	struct slice attribute; /* empty: disabled */
};
#include "store/op/op_archive.h"

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
	const struct slice *keys; /* tags with other keys stay; there need be none with these */
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
	uint32_t days; /* that can be gone back */
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
	struct slice host; /* the one that was asked, if the door knows it */
};
struct describe_endpoints_out {
	struct slice address;
	uint64_t minutes; /* that it may be kept */
};

/* ------------------------------------------------------------ items */

struct get_item_in {
	struct slice table;
	struct item key;
	struct slice projection; /* expression text */
	struct placeholders ph;
	struct attributes_to_get attributes; /* instead of projection */
	bool consistent;
	enum capacity_level capacity;
};
struct get_item_out {
	bool found;
	struct item item;
	uint64_t mtime_ns; /* last write, Unix time; local engine only, 0 from a remote one */
	struct consumed_list consumed;
};

/* What the writes of one item have in common. */
struct write_in {
	struct slice table;
	struct item item; /* PutItem: the item; else its key */
	struct slice condition;
	struct placeholders ph;
	struct conditions expected; /* instead of condition */
	enum return_values return_values;
	enum return_values return_on_failure;
	struct write_asked asked;
	bool relaxed; /* may be acknowledged before it is durable: the mount's writes */
};

/* Answer of each. */
struct written {
	bool had_old; /* was there an item?  Without RETURN_ALL_OLD a foreign server does not tell */
	struct item attributes; /* those that return_values asked for */
	uint64_t seq; /* sequence number of the change, 0: there was none; local engine only */
	struct write_told told;
};

struct put_item_in {
	struct write_in write;
	uint64_t mtime_ns; /* the mount's: time of last write to store; 0 = now */
};
struct put_item_out {
	struct written written;
};

struct update_item_in {
	struct write_in write;
	struct slice update; /* UpdateExpression; not given: the item need only be there */
	struct attribute_updates updates; /* instead of update */
};
struct update_item_out {
	struct written written;
};

struct delete_item_in {
	struct write_in write;
};
struct delete_item_out {
	struct written written;
};

/* ------------------------------------------------------------ query and scan */

/* What Query and Scan have in common: what is read, and what of it is answered. */
struct read_in {
	struct slice table;
	struct slice index; /* empty: the table itself */
	struct slice filter;
	struct slice projection;
	struct placeholders ph;
	struct conditions conditions;        /* QueryFilter or ScanFilter, instead of filter */
	struct attributes_to_get attributes; /* instead of projection */
	enum select select;
	bool consistent;
	bool has_limit; /* Limit was given; 0 is then an error */
	uint32_t limit; /* items examined */
	enum capacity_level capacity;
	struct item start; /* ExclusiveStartKey; n = 0: from the beginning */
};

/* Answer of Query and of Scan. */
struct page {
	struct item *items; /* NULL with SELECT_COUNT */
	size_t count;       /* after the filter */
	size_t scanned;     /* examined */
	struct item last;   /* LastEvaluatedKey; n = 0 at the end */
	struct consumed_list consumed;
};

struct query_in {
	struct read_in read;
	struct slice key_condition;
	struct conditions key_conditions; /* instead of key_condition */
	bool backward;                    /* ScanIndexForward=false */
};
struct query_out {
	struct page page;
};

struct scan_in {
	struct read_in read;
	bool has_segment;        /* Segment was given */
	bool has_total_segments; /* TotalSegments was given */
	uint32_t segment;
	uint32_t total_segments;
};
struct scan_out {
	struct page page;
};

/* ------------------------------------------------------------ batches */

/* The keys asked of one table. */
struct batch_get {
	struct slice table;
	const struct item *keys;
	size_t n_keys;
	struct slice projection;
	struct placeholders ph;
	struct attributes_to_get attributes; /* instead of projection */
	bool consistent;
};
struct batch_got {
	struct slice table;
	const struct item *items;
	size_t n_items;
};
struct batch_get_item_in {
	const struct batch_get *tables;
	size_t n_tables;
	enum capacity_level capacity;
};
struct batch_get_item_out {
	const struct batch_got *tables; /* one for each table asked, in that order */
	size_t n_tables;
	const struct batch_get *unprocessed; /* throttled, or did not fit into 16 MB */
	size_t n_unprocessed;
	struct consumed_list consumed;
};

struct batch_action {
	bool is_delete;
	struct item item; /* the item to put, or the key to delete */
};
struct batch_write {
	struct slice table;
	const struct batch_action *actions;
	size_t n_actions;
};
struct batch_write_item_in {
	const struct batch_write *tables;
	size_t n_tables;
	struct write_asked asked;
};
struct batch_write_item_out {
	const struct batch_write *unprocessed; /* throttled ones */
	size_t n_unprocessed;
	struct write_told told;
};

/* ------------------------------------------------------------ transactions */

struct transact_get {
	struct slice table;
	struct item key;
	struct slice projection;
	struct placeholders ph;
};
struct transact_get_items_in {
	const struct transact_get *gets;
	size_t n_gets;
	enum capacity_level capacity;
};
struct transact_get_items_out {
	const struct item *items; /* in request order; meaningful where found */
	const bool *found;
	size_t n_items;
	struct consumed_list consumed;
};

enum transact_kind { TRANSACT_PUT, TRANSACT_DELETE, TRANSACT_CHECK, TRANSACT_UPDATE };

/* What a rename has read and builds upon: must still be so.  Local engine only. */
struct seen {
	const struct item *item;  /* the item before; NULL: whatever it is */
	const uint64_t *siblings; /* items with its partition key; NULL: however many */
};

struct transact_action {
	enum transact_kind kind;
	struct slice table;
	struct item item;    /* TRANSACT_PUT: the item; else the key */
	struct slice update; /* TRANSACT_UPDATE */
	struct slice condition;
	struct placeholders ph;
	enum return_values return_on_failure;
	struct seen seen;  /* part of the condition */
	uint64_t mtime_ns; /* TRANSACT_PUT, the mount's: time of last write to store; 0 = now */
};
struct transact_write_items_in {
	const struct transact_action *actions;
	size_t n_actions;
	struct slice token; /* ClientRequestToken */
	struct write_asked asked;
	bool relaxed; /* the mount's renames: may be acknowledged before it is durable, and twice as
			       many actions are allowed, since moving an item takes two */
};
struct transact_write_items_out {
	uint64_t seq; /* of the last change; local engine only */
	struct write_told told;
};

/*
 * Why one action of a cancelled transaction stood in the way; in struct error.
 * Codes: "None", "ConditionalCheckFailed", "ValidationError", "TransactionConflict",
 * "ItemCollectionSizeLimitExceeded", ...
 */
struct cancel_reason {
	struct slice code;
	struct slice message;    /* empty with "None" */
	const struct item *item; /* with RETURN_ALL_OLD; else NULL */
};

/* ------------------------------------------------------------ PartiQL */

/* A statement and what its question marks stand for. */
struct parameterized {
	struct slice statement;
	const struct value *parameters;
	size_t n_parameters;
	bool consistent; /* not of a transaction */
	enum return_values return_on_failure;
};

struct execute_statement_in {
	struct parameterized of;
	bool has_limit;    /* Limit was given; 0 is then an error */
	uint32_t limit;    /* SELECT: items examined */
	struct slice next; /* NextToken of the page before; at == NULL: the first page */
	enum capacity_level capacity;
};
struct execute_statement_out {
	const struct item *items; /* of SELECT, or what RETURNING asked for */
	size_t n_items;
	struct slice next; /* NextToken; empty at the end */
	struct consumed_list consumed;
};

/* What became of one statement of a batch. */
struct statement_result {
	struct slice code;       /* of the error, "ConditionalCheckFailed" ...; empty: done */
	struct slice message;    /* likewise */
	const struct item *item; /* read, or returned, or in the way of a condition; NULL: none */
	struct slice table;      /* empty when the statement was not understood */
};
struct batch_execute_statement_in {
	const struct parameterized *statements;
	size_t n_statements;
	enum capacity_level capacity;
};
struct batch_execute_statement_out {
	const struct statement_result *results; /* in request order */
	size_t n_results;
	struct consumed_list consumed; /* of each statement that was done, in that order */
};

struct execute_transaction_in {
	const struct parameterized *statements;
	size_t n_statements;
	struct slice token; /* ClientRequestToken */
	enum capacity_level capacity;
};
struct execute_transaction_out {
	const struct item *items; /* of reads, in request order; meaningful where found */
	const bool *found;
	size_t n_items; /* 0: it wrote */
	struct consumed_list consumed;
};

/* ------------------------------------------------------------ ItemFS's own */

/* Partitions of a table or index in key order, from the partition directory. */
struct list_partitions_in {
	struct slice table;
	struct slice index;
	struct values from; /* partition key; none: from the first one */
	bool after;         /* begin after @from instead of at it */
	uint32_t limit;     /* 0 = 1,000 */
	struct view *view;  /* NULL: the newest state */
	struct values at;   /* only this partition; none: a listing */
};
struct partition {
	struct values pk; /* one value for each attribute of the partition key */
	uint64_t items;
	uint64_t item_bytes;     /* by DynamoDB's count */
	uint64_t rendered_bytes; /* of all items as plain JSON lines, newlines included */
};
struct list_partitions_out {
	const struct partition *partitions;
	size_t n_partitions;
	bool more;
};

/*
 * Entries of one collection in key order, without their contents.  With a
 * simple key the "collection" of a table is the whole table and pk is not given.
 */
struct list_entries_in {
	struct slice table;
	struct slice index;
	struct values
		pk; /* of the table or index; none: the whole table in key order (simple key) */
	const struct item
		*after; /* key attributes of the entry to begin behind; NULL: from the first */
	const struct item *at; /* key attributes of one entry: only this one; NULL: a listing */
	uint32_t limit;        /* 0 = 1,000 */
	struct view *view;
};
struct entry {
	struct values key;       /* in the order of struct key_values */
	uint64_t rendered_bytes; /* as a plain JSON line with its newline */
	uint64_t mtime_ns;
};
struct list_entries_out {
	const struct entry *entries;
	size_t n_entries;
	bool more;
};

/* Puts in bulk, all or none of a call, acknowledged before they are durable: end with Sync. */
struct load_items_in {
	struct slice table;
	const struct item *items;
	size_t n_items;
};
struct load_items_out {
	size_t loaded;
};

/* The stored time of last write; no change of the item. */
struct set_time_in {
	struct slice table;
	struct item key;
	uint64_t mtime_ns;
};
struct set_time_out {
	uint64_t seq;
};

struct sync_in {
	char unused; /* everything acknowledged so far becomes durable */
};
struct sync_out {
	char unused;
};

/*
 * Delete what has outlived its time to live; paged: pass "next" back until it
 * is empty.  Acknowledged before it is durable: end with Sync.
 */
struct sweep_in {
	struct slice table; /* empty: every table that has a time to live */
	uint64_t now_s;     /* Unix time; 0: that of the call */
	bool any_age;       /* also what has been over for more than five years */
	struct slice next;
};
struct sweep_out {
	uint64_t items; /* looked at in this page */
	uint64_t deleted;
	struct slice next;
};

/* Self-check, paged: pass "next" back until it is empty. */
struct check_in {
	struct slice next;
};
struct check_out {
	const struct slice *problems; /* one sentence each */
	size_t n_problems;
	uint64_t items;   /* looked at in this page */
	uint64_t entries; /* index entries looked at */
	struct slice next;
};

/* The last refused operations of the mounts, newest last: what .itemfs/errors holds. */
struct refused_in {
	struct slice path; /* only those of this absolute path; empty: all */
};
struct refused_out {
	const struct slice *lines;
	size_t n_lines;
};

/* ------------------------------------------------------------ the two unions */

struct op_in {
	enum op_type type;
	union {
#define OP(NAME, name, Name, kind, group) struct name##_in name;
#include "store/op/op.def"
#undef OP
	};
};

struct op_out {
	enum op_type type;
	union {
#define OP(NAME, name, Name, kind, group) struct name##_out name;
#include "store/op/op.def"
#undef OP
	};
};

const char *op_name(enum op_type type);
enum op_kind op_kind(enum op_type type);
enum op_group op_group(enum op_type type);

/** op_from_name - the operation that a target names; OP_COUNT when there is none in that group */
enum op_type op_from_name(enum op_group group, struct slice name);

/** op_find - likewise in any group */
enum op_type op_find(struct slice name);

#endif
