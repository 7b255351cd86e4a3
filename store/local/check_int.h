/*
 * check_int - what the files of the self-check share
 *
 *   check.c        pages: which table, which index, which part of the work comes next
 *   check_item.c   items against their entries, entries against their items
 *   check_count.c  counts of collections and totals against what is there
 *   check_stray.c  keys that belong to no table or index
 */
#ifndef STORE_LOCAL_CHECK_INT_H
#define STORE_LOCAL_CHECK_INT_H

#include "store/local/key.h"
#include "store/local/local_int.h"
#include "store/local/record.h"

/* One page of a check. */
struct check {
	struct local *local;
	struct call *c;           /* the request: problems live here */
	struct kv_snapshot *at;   /* the page looks at one state of the store */
	struct kv_cursor *cursor; /* over it */
	struct call scratch;      /* of one item; see check_begin() */
	const struct schema *s;   /* present table; NULL: none */
	const struct index *ix;   /* present index; NULL: the table itself */
	struct slice *problems;
	size_t n_problems;
	size_t cap_problems;
	size_t looked; /* keys looked at in this page */
	uint64_t items;
	uint64_t entries;
};

enum { CHECK_PAGE_KEYS = 20000, CHECK_PAGE_PROBLEMS = 200 };

enum check_outcome { CHECK_END = 1, CHECK_MORE };

/** check_full - is it time to end the page? */
static inline bool
check_full(const struct check *k)
{
	return k->looked >= CHECK_PAGE_KEYS || k->n_problems >= CHECK_PAGE_PROBLEMS;
}

/** check_begin - forget the scratch of the item before */
void check_begin(struct check *k);

/** check_problem - note one: "table T, index I: " or "store: ", and then the text */
void check_problem(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** check_place - the key attributes of a LevelDB key as JSON, for a problem's text; scratch */
const char *check_place(struct check *k, const struct values *values);

/**
 * check_items - look at every item or entry from the cursor's place on
 * check_counts - add up collections from the cursor's place on; ends a page only between two
 * check_totals - the partition directory and the totals, in one go
 *
 * @prefix: of the keys
 *
 * Return:  CHECK_END;  CHECK_MORE: the page is full, the cursor is at the next key
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read; a damaged record is a problem, no error
 */
int check_items(struct check *k, struct slice prefix) __attribute__((warn_unused_result));
int check_counts(struct check *k, struct slice prefix) __attribute__((warn_unused_result));
int check_totals(struct check *k, struct slice prefix) __attribute__((warn_unused_result));

/** check_collection - how much of an item's or entry's key its collection shares; 0: it is damaged */
size_t check_collection(const struct check *k, struct slice key);

/** check_strays - keys that belong to nothing, in one go; Errors: as check_items() */
int check_strays(struct check *k) __attribute__((warn_unused_result));

#endif
