/* op_own - structs of ItemFS's own operations, which DynamoDB does not have; part of op.h */
#ifndef STORE_OP_OP_OWN_H
#define STORE_OP_OP_OWN_H

#include "store/model/placeholders.h"
#include "store/model/schema.h"

struct view; /* store/engine/engine.h */

/* Lists the partitions of a table or index in key order, from the partition directory. */
struct list_partitions_in {
	struct slice table;
	struct slice index;
	struct values from; /* partition key; none: from the first one */
	bool after;         /* begin after @from instead of at it */
	uint32_t limit;     /* 0 = 1,000 */
	struct view *view;  /* NULL: the newest state */
	struct values at;   /* only this partition; none: list them */
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
 * Lists the entries of one collection in key order, without their contents.  With a
 * simple key, the "collection" is the whole table and pk is not given.
 */
struct list_entries_in {
	struct slice table;
	struct slice index;
	struct values pk;         /* of the table or index; none: the whole table (simple key) */
	const struct item *after; /* key attributes: begin after this entry; NULL: at the first */
	const struct item *at;    /* key attributes: only this entry; NULL: list them */
	uint32_t limit;           /* 0 = 1,000 */
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
	struct item last; /* LastEvaluatedKey of a foreign server; not transmitted */
};

/* Puts items in bulk, all or none of a call, unsynced: the last call is followed by Sync. */
struct load_items_in {
	struct slice table;
	const struct item *items;
	size_t n_items;
};
struct load_items_out {
	uint64_t loaded;
};

/*
 * Updates or deletes many items.  One call processes the first keys, at least one, as many as need
 * little memory, in order and all or none, unsynced: the last call is followed by Sync.  It is not
 * throttled.
 */
struct change_items_in {
	struct slice table;
	const struct item *keys; /* a key may occur twice */
	size_t n_keys;
	struct slice update; /* UpdateExpression; not given: delete */
	struct slice condition;
	struct placeholders ph;
};
struct change_items_out {
	uint64_t changed; /* the call processed the first changed + refused keys */
	uint64_t refused; /* the condition did not hold */
};

/* Sets the stored time of last write; does not change the item. */
struct set_time_in {
	struct slice table;
	struct item key;
	uint64_t mtime_ns;
};
struct set_time_out {
	uint64_t seq;
};

struct sync_in {
	char unused; /* syncs everything that was acknowledged */
};
struct sync_out {
	char unused;
};

/*
 * Deletes expired items; paged: pass "next" back until it
 * is empty.  Unsynced: the last page is followed by Sync.
 */
struct sweep_in {
	struct slice table; /* empty: all tables that have a time to live */
	uint64_t now_s;     /* Unix time; 0: that of the call */
	bool any_age;       /* also items that expired more than five years ago */
	struct slice next;
};
struct sweep_out {
	uint64_t items; /* examined in this page */
	uint64_t deleted;
	uint64_t ahead; /* in the first page: stored number of items of the tables */
	struct slice next;
};

/* Compacts the key ranges of a table, or all; paged: pass "next" back until it is empty. */
struct compact_in {
	struct slice table; /* empty: everything */
	struct slice next;
};
struct compact_out {
	uint64_t bytes; /* approximate size, before, of the files of this piece */
	uint64_t ahead; /* approximate size of the files of the rest */
	struct slice next;
};

/* Checks the store; paged: pass "next" back until it is empty. */
struct check_in {
	struct slice next;
	bool repair; /* repair the problems; their sentences then report the repair */
};
struct check_out {
	const struct slice *problems; /* one sentence each */
	size_t n_problems;
	uint64_t repaired; /* number of problems that were repaired */
	uint64_t items;    /* of the tables, or parts of tables, that this page has completed */
	uint64_t entries;  /* of the indexes, or parts of indexes, that this page has completed */
	uint64_t looked;   /* keys examined: of items, entries and partitions */
	uint64_t ahead;    /* further keys to examine, not announced by earlier pages */
	struct slice next;
};

/*
 * Reports key usage: which partition keys of a table or GSI have recently consumed most, the highest first.
 * It is recorded in memory while the store is open: see store/local/meter/key_usage.h.
 */
enum { KEY_USAGE_SINCE_S = 600, KEY_USAGE_SINCE_MAX_S = 3600 };
struct describe_key_usage_in {
	struct slice table;
	struct slice index;
	uint64_t since_s; /* seconds back, to the beginning of that minute; 0 = ten minutes */
	uint32_t limit;   /* keys; 0 = 100 */
};
struct key_use {
	uint64_t halves;      /* half units */
	uint64_t peak_halves; /* half units in the busiest second */
};
struct usage_of_key {
	struct values pk;
	struct key_use read;
	struct key_use write;
};
struct describe_key_usage_out {
	uint64_t seconds; /* length of the reported period */
	const struct usage_of_key *keys;
	size_t n_keys;
	uint64_t known; /* number of keys without the limit */
};

/* Writes a store image, the state of one moment, to a directory on the machine that owns the store. */
struct backup_store_in {
	struct slice dir; /* absolute path; must not exist */
	/* Until the image is complete, its name is DIR.part-MARK; removing that cancels the backup. */
	uint64_t mark;
};
struct backup_store_out {
	uint64_t records;
	uint64_t bytes;             /* of their file */
	const struct slice *broken; /* table backups that are not in it, one sentence each */
	size_t n_broken;
};

/* Lists the last refused operations of the mounts, newest last, as in .itemfs/errors. */
struct refused_in {
	struct slice path; /* only those of this absolute path; empty: all */
};
struct refused_out {
	const struct slice *lines;
	size_t n_lines;
};

#endif
