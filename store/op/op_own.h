/* op_own - ItemFS's own operations, which no table API has: a part of op.h */
#ifndef STORE_OP_OP_OWN_H
#define STORE_OP_OP_OWN_H

#include "store/model/placeholders.h"
#include "store/model/schema.h"

struct view; /* store/engine/engine.h */

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
	struct item last; /* of a server elsewhere: its LastEvaluatedKey; in no protocol */
};

/* Puts in bulk, all or none of a call, acknowledged before they are durable: end with Sync. */
struct load_items_in {
	struct slice table;
	const struct item *items;
	size_t n_items;
};
struct load_items_out {
	uint64_t loaded;
};

/*
 * One change of many items: an update, or their deletion.  Of the keys as many as are worked on
 * without much memory, at least one, in order and all or none; acknowledged before it is durable:
 * end with Sync.  Draws on no budget.
 */
struct change_items_in {
	struct slice table;
	const struct item *keys; /* a key may come twice */
	size_t n_keys;
	struct slice update; /* UpdateExpression; not given: delete */
	struct slice condition;
	struct placeholders ph;
};
struct change_items_out {
	uint64_t changed; /* of the first changed + refused keys */
	uint64_t refused; /* their condition did not hold */
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
	uint64_t ahead; /* in the first page: items of the tables, as they are counted */
	struct slice next;
};

/* Make the table's, or all, ranges of keys compact; paged: pass "next" back until it is empty. */
struct compact_in {
	struct slice table; /* empty: everything */
	struct slice next;
};
struct compact_out {
	uint64_t bytes; /* of files, about, that held the piece before */
	uint64_t ahead; /* that hold what is left */
	struct slice next;
};

/* Self-check, paged: pass "next" back until it is empty. */
struct check_in {
	struct slice next;
	bool repair; /* what is found; each problem says then what was done */
};
struct check_out {
	const struct slice *problems; /* one sentence each */
	size_t n_problems;
	uint64_t repaired; /* so many of them */
	uint64_t items;    /* of the tables, or parts of them, that this page has ended */
	uint64_t entries;  /* likewise, of indexes */
	uint64_t looked;   /* at so many keys, of items, entries and partitions */
	uint64_t ahead;    /* so many are to be looked at, more than the pages before have said */
	struct slice next;
};

/*
 * What partition keys of a table or GSI have consumed lately, the hottest first.  Known are the minutes
 * of the last hour, and of each the keys that consumed most: see store/local/meter/heat.h.
 */
enum { HEAT_SINCE_S = 600, HEAT_SINCE_MAX_S = 3600 };
struct describe_heat_in {
	struct slice table;
	struct slice index;
	uint64_t since_s; /* so far back, and to the beginning of that minute; 0 = ten minutes */
	uint32_t limit;   /* keys; 0 = 100 */
};
struct heat_use {
	uint64_t halves;      /* of units */
	uint64_t peak_halves; /* of them, in the busiest second */
};
struct heat_of_key {
	struct values pk;
	struct heat_use read;
	struct heat_use write;
};
struct describe_heat_out {
	uint64_t seconds;     /* that it is about */
	struct heat_use read; /* of all keys, Scans included */
	struct heat_use write;
	const struct heat_of_key *keys;
	size_t n_keys;
	uint64_t known; /* keys, beside what the limit says */
};

/* Everything, as it is at one moment, to a directory of the machine that owns the store. */
struct backup_store_in {
	struct slice dir; /* absolute path; not there yet */
	uint64_t
		mark; /* DIR.part-MARK is its name until it is complete; who removes that ends it */
};
struct backup_store_out {
	uint64_t records;
	uint64_t bytes;             /* of their file */
	const struct slice *broken; /* backups of tables that are not in it: a sentence each */
	size_t n_broken;
};

/* The last refused operations of the mounts, newest last: what .itemfs/errors holds. */
struct refused_in {
	struct slice path; /* only those of this absolute path; empty: all */
};
struct refused_out {
	const struct slice *lines;
	size_t n_lines;
};

#endif
