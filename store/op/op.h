/*
 * op - operations as data, which front ends build and engines execute
 *
 * One input struct and one output struct for each row of op.def.  Zero means "not given"
 * everywhere: an empty slice, a NULL array, 0.  Slices, items and arrays are
 * borrowed until engine_execute() returns (input) or the call is closed (output).
 */
#ifndef STORE_OP_OP_H
#define STORE_OP_OP_H

#include "store/model/item_json.h"
#include "store/model/legacy_members.h"
#include "store/model/placeholders.h"
#include "store/model/schema.h"
#include "store/op/op_archive.h"
#include "store/op/op_capacity.h"
#include "store/op/op_own.h"
#include "store/op/op_stream.h"
#include "store/op/op_table.h"
#include "store/op/op_transfer.h"

enum op_group { OP_DYNAMODB, OP_STREAMS, OP_ITEMFS };

enum op_type {
#define OP(NAME, name, Name, kind, group, meter, check) OP_##NAME,
#include "store/op/op.def"
#undef OP
	OP_COUNT
};

/* ------------------------------------------------------------ shared parts */

/* ReturnValues; the last three for UpdateItem only.  ReturnValuesOnConditionCheckFailure: the first
 * two. */
enum return_values {
	RETURN_NONE,
	RETURN_ALL_OLD,
	RETURN_UPDATED_OLD,
	RETURN_ALL_NEW,
	RETURN_UPDATED_NEW,
};

enum select { SELECT_DEFAULT, SELECT_ALL, SELECT_ALL_PROJECTED, SELECT_COUNT, SELECT_SPECIFIC };

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

/* A condition of the mount: the state that it read, and relies on, is unchanged.  Local engine only. */
struct seen {
	const struct item *item;  /* the item, or an empty one: there is none; NULL: not compared */
	const uint64_t *siblings; /* number of items with its partition key; NULL: not compared */
};

/* Common part of the writes of one item. */
struct write_in {
	struct slice table;
	struct item item; /* PutItem: the item; else its key */
	struct slice condition;
	struct placeholders ph;
	struct conditions expected; /* instead of condition */
	struct seen seen;           /* in addition to condition or expected */
	enum return_values return_values;
	enum return_values return_on_failure;
	struct write_asked asked;
	bool unsynced; /* acknowledge before it is synced to disk; for the mount's writes */
};

/* Common part of their output. */
struct written {
	bool had_old; /* there was an item; a foreign server reports it only with RETURN_ALL_OLD */
	struct item attributes; /* those that return_values requests */
	uint64_t seq;           /* sequence number of the change, 0: no change; local engine only */
	/* If @seq is not 0: of the item's collection after the write, as of struct partition; local engine only */
	uint64_t rendered_bytes;
	struct write_report report;
};

struct put_item_in {
	struct write_in write;
	uint64_t mtime_ns; /* for the mount: time of last write to store; 0 = now */
};
struct put_item_out {
	struct written written;
};

struct update_item_in {
	struct write_in write;
	struct slice update; /* UpdateExpression; not given: only create a missing item */
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

/* How to print the items of a page: plain or typed JSON, and text around each item. */
struct page_text {
	struct buf *out; /* NULL: do not print */
	enum item_form form;
	struct slice before;
	struct slice between;
	struct slice after;
};

/* Common part of Query and Scan. */
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
	/* LastEvaluatedKey of the previous page, if start is a later key; not transmitted. */
	struct item reported;
	bool has_start;        /* start was given; without attributes it is an error */
	struct page_text text; /* an engine may print the items there, see struct page */
	struct view *view;     /* NULL: the newest state; not transmitted */
	bool once; /* part of a pass over much data, see kv_cursor_once(); not transmitted */
};

/* Common part of the output of Query and Scan. */
struct page {
	struct item *items; /* NULL with SELECT_COUNT or in_text */
	bool in_text;       /* the items were printed to read_in.text */
	size_t count;       /* items after the filter */
	size_t scanned;     /* items examined */
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

/* The keys to read from one table. */
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
	const struct batch_got *tables; /* one for each table of the request, in its order */
	size_t n_tables;
	const struct batch_get *unprocessed; /* throttled, or did not fit into 16 MB */
	size_t n_unprocessed;
	struct consumed_list consumed;
};

enum batch_kind { BATCH_PUT, BATCH_DELETE };

struct batch_action {
	enum batch_kind kind;
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
	const struct batch_write *unprocessed; /* throttled */
	size_t n_unprocessed;
	struct write_report report;
};

/* ------------------------------------------------------------ transactions */

/* A value of an action that could not be decoded; reported when the action is checked, after the earlier actions. */
struct transact_fault {
	struct slice why; /* empty: no fault */
	bool of_values;   /* the value is one of ExpressionAttributeValues */
};

struct transact_get {
	struct slice table;
	struct item key;
	struct slice projection;
	struct placeholders ph;
	struct transact_fault fault;
};
struct transact_get_items_in {
	const struct transact_get *gets;
	size_t n_gets;
	enum capacity_level capacity;
};
/* One requested item. */
struct item_response {
	bool found;
	struct item item;
};
struct transact_get_items_out {
	const struct item_response *responses; /* in request order */
	size_t n_responses;
	struct consumed_list consumed;
};

enum transact_kind { TRANSACT_PUT, TRANSACT_DELETE, TRANSACT_CHECK, TRANSACT_UPDATE };

struct transact_action {
	enum transact_kind kind;
	struct slice table;
	struct item item;    /* TRANSACT_PUT: the item; else the key */
	struct slice update; /* TRANSACT_UPDATE */
	struct slice condition;
	struct placeholders ph;
	enum return_values return_on_failure;
	struct transact_fault fault;
	struct seen seen;  /* in addition to condition */
	uint64_t mtime_ns; /* TRANSACT_PUT, for the mount: time of last write to store; 0 = now */
};
struct transact_write_items_in {
	const struct transact_action *actions;
	size_t n_actions;
	struct slice token; /* ClientRequestToken */
	struct write_asked asked;
	/* For the mount's renames; twice as many actions are allowed, since moving an item takes two. */
	bool unsynced;
};
struct transact_write_items_out {
	uint64_t seq; /* of the last change; local engine only */
	struct write_report report;
};

/*
 * The reason why one action cancelled its transaction; in struct error.
 * Codes: "None", "ConditionalCheckFailed", "ValidationError", "TransactionConflict",
 * "ItemCollectionSizeLimitExceeded", ...
 */
struct cancel_reason {
	struct slice code;
	struct slice message;       /* empty with "None" */
	const struct item *item;    /* with RETURN_ALL_OLD; else NULL */
	struct throttled throttled; /* reasons of throttling; sent to our own clients only */
};

/* ------------------------------------------------------------ PartiQL */

/* A statement and the values of its question marks. */
struct parameterized {
	struct slice statement;
	const struct value *parameters;
	size_t n_parameters;
	struct slice fault; /* batch: why parameters could not be decoded; empty: none */
	bool consistent;    /* not in a transaction */
	enum return_values return_on_failure;
};

struct execute_statement_in {
	struct parameterized of;
	bool has_limit;    /* Limit was given; 0 is then an error */
	uint32_t limit;    /* SELECT: items examined */
	struct slice next; /* NextToken of the previous page; at == NULL: the first page */
	enum capacity_level capacity;
};
struct execute_statement_out {
	const struct item *items; /* of SELECT, or those that RETURNING requests */
	size_t n_items;
	struct slice next; /* NextToken; empty at the end */
	struct consumed_list consumed;
};

/* The result of one statement of a batch. */
struct statement_result {
	struct slice code;       /* of the error, "ConditionalCheckFailed" ...; empty: success */
	struct slice message;    /* of the error */
	const struct item *item; /* read or returned; NULL: none */
	const struct item *old;  /* error: the item that failed the condition; NULL: none */
	struct slice table;      /* empty if the statement could not be parsed */
};
struct batch_execute_statement_in {
	const struct parameterized *statements;
	size_t n_statements;
	enum capacity_level capacity;
};
struct batch_execute_statement_out {
	const struct statement_result *results; /* in request order */
	size_t n_results;
	struct consumed_list consumed; /* of each executed statement, in request order */
};

struct execute_transaction_in {
	const struct parameterized *statements;
	size_t n_statements;
	struct slice token; /* ClientRequestToken */
	enum capacity_level capacity;
};
struct execute_transaction_out {
	const struct item_response *responses; /* of reads, in request order */
	size_t n_responses;                    /* 0: the transaction wrote */
	struct consumed_list consumed;
};

/* ------------------------------------------------------------ any operation */

struct op_in {
	enum op_type type;
	union {
#define OP(NAME, name, Name, kind, group, meter, check) struct name##_in name;
#include "store/op/op.def"
#undef OP
	};
};

struct op_out {
	enum op_type type;
	union {
#define OP(NAME, name, Name, kind, group, meter, check) struct name##_out name;
#include "store/op/op.def"
#undef OP
	};
};

/** op_read - return the common part of a Query or Scan, which may be written if @in may; NULL: another request */
struct read_in *op_read(const struct op_in *in);

/** op_write - likewise, of a PutItem, UpdateItem or DeleteItem */
struct write_in *op_write(const struct op_in *in);

/** op_page - return the page in @out, the answer to @in; NULL if @in is neither a Query nor a Scan */
const struct page *op_page(const struct op_in *in, const struct op_out *out);

const char *op_name(enum op_type type);
enum op_group op_group(enum op_type type);

/**
 * op_is_older - return true if the service checks the values of this operation in its older layer
 *
 * The two layers have different messages for wrong numbers and sets; see struct call, older.
 */
bool op_is_older(enum op_type type);

/** op_writes - return true if the request may change anything; false if it has statements and all are SELECTs */
bool op_writes(const struct op_in *in);

/** op_may_conflict - return true if the request may fail because something exists or a condition does not hold */
bool op_may_conflict(const struct op_in *in);

/** op_from_name - look up an operation by the name in its target; OP_COUNT if the group has none */
enum op_type op_from_name(enum op_group group, struct slice name);

/** op_find - as op_from_name(), in all groups */
enum op_type op_find(struct slice name);

#endif
