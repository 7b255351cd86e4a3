/*
 * table_scan_int - the state of a scan
 *
 *   check_scan.c  begins, pauses and ends scans, and compares their sums
 *   table_scan_walk.c   the two walks: over the items, and over entries, directories and totals
 */
#ifndef STORE_LOCAL_CHECK_TABLE_SCAN_INT_H
#define STORE_LOCAL_CHECK_TABLE_SCAN_INT_H

#include <stdatomic.h>

#include "store/local/check/check_int.h"
#include "store/local/check/table_scan.h"
#include "store/local/records/hash.h"
#include "store/local/records/record.h"

/* Sums of the table (place 0) or of an index (1 + its place in the schema), expected or found. */
struct sums {
	uint64_t n; /* number of items or entries */
	uint64_t entries[2];
	struct record_counts totals;
	bool totals_lost; /* they cannot be read */
	hash_wide items;  /* this and the next two: sums over the directory */
	hash_wide item_bytes;
	hash_wide rendered_bytes;
};

/* What the walks have to do.  STOP: a difference was found, or the client has gone. */
enum scan_state { SCAN_RUNS, SCAN_PAUSES, SCAN_STOPS };

enum phase { PHASE_ENTRIES, PHASE_DIRECTORY, PHASE_TOTALS, PHASES };

/* The walk over the items, or the walk over all else. */
struct walk {
	struct table_scan *of;
	struct call c; /* memory and errors of one record */
	struct kv_cursor *cursor;
	struct buf prefix; /* of the current range; on the heap; empty: between two ranges */
	size_t place;      /* of the current sums; only in table_scan.rest */
	enum phase phase;  /* likewise */
	bool ended;
	bool damaged;  /* the cursor has skipped damaged keys; its status stays an error */
	int result;    /* 0, < 0 */
	uint64_t keys; /* read in this page */
	uint64_t bytes;
};

struct table_scan {
	struct table_scan *next; /* in the list of those that are kept */
	uint64_t id;             /* from 1; 0: it was never kept */
	uint64_t since_ms;       /* when it was kept; as call.now_ms */
	struct local *local;
	struct call call; /* memory of @s and the sums */
	const struct schema *s;
	struct sums *expected;
	struct sums *found;
	struct kv_snapshot *at;
	struct hash_key key;
	bool unordered; /* content is hashed by item_hash() */
	struct walk items;
	struct walk rest;

	const struct call *asks; /* the request for this page */
	struct slice damage; /* text of the first damage; empty: none.  Set only between pages */
	_Atomic enum scan_state state;
};

/** table_scan_is_damaged - Return: whether damage was met, so that keys are counted and not compared */
static inline bool
table_scan_is_damaged(const struct table_scan *s)
{
	return s->damage.len > 0;
}

/* ------------------------------------------------------------ table_scan_walk.c */

/** table_scan_walk_items - continue the walk over the items for a page */
void table_scan_walk_items(struct walk *w);

/** table_scan_walk_rest - continue the walk over entries, directories and totals for a page; @arg: struct walk */
void *table_scan_walk_rest(void *arg);

/** table_scan_keep_damage - set s->damage to a copy of @why if it is empty */
void table_scan_keep_damage(struct table_scan *s, struct slice why);

/**
 * table_scan_take_damage - take the result of a page of @w; damage becomes s->damage and is no error
 *
 * Return:  0
 * Errors:  those of @w except -ERR_CORRUPT
 */
int table_scan_take_damage(struct check *k, struct walk *w) must_check;

/** table_scan_tell_readable - report as problems how much of the table and its indexes can be read; count it in @k */
void table_scan_tell_readable(struct table_scan *s, struct check *k);

/** item_hash - equal if item_eq() is true: the order of attributes, map entries and set members does not matter */
struct hash128 item_hash(const struct hash_key *key, const struct item *it);

#endif
