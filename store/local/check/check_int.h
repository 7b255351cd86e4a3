/*
 * check_int - the state of one page of a check, and the functions that work on it
 */
#ifndef STORE_LOCAL_CHECK_CHECK_INT_H
#define STORE_LOCAL_CHECK_CHECK_INT_H

#include "store/local/records/key.h"
#include "store/local/records/local_int.h"
#include "store/local/records/record.h"

struct txn;

struct problem {
	struct slice text;
	const char *done; /* how it was repaired; NULL: it was not */
	bool moved;       /* @done ends with "/", and the name of the file follows */
};

/*
 * One page of a check.  A page of a repair is first checked outside the commit queue, like any other.
 * If it has problems, it is checked again by an operation that is alone in its group, so that nobody
 * writes between the check and the repair.
 */
struct check {
	struct local *local;
	struct call *c;           /* memory of the problems and of the repair's writes */
	struct txn *t;            /* of a repair; NULL: this page only reads */
	struct kv_snapshot *at;   /* the page reads one state of the store */
	struct kv_cursor *cursor; /* on @at */
	struct call scratch;      /* memory for one item: cleared for the next one */
	const struct schema *s;   /* current table; NULL: none */
	const struct index *ix;   /* current index; NULL: the table itself */
	struct problem *problems;
	size_t n_problems;
	size_t cap_problems;
	size_t repaired;        /* number of problems that were repaired */
	uint64_t looked;        /* number of keys read in this page, including those of scans */
	uint64_t ahead;         /* number of keys to read that earlier pages have not reported */
	bool repairs;           /* the problems of this page are or will be repaired */
	size_t bytes;           /* size of what was written, deleted and moved */
	struct buf saved;       /* lines for the file of moved records */
	const char *saved_name; /* name of that file */
	uint64_t items;
	uint64_t entries;
};

enum {
	CHECK_PAGE_KEYS = 20000, /* in a scan: of each walk */
	CHECK_PAGE_PROBLEMS = 200,
	CHECK_PAGE_BYTES = 16 << 20,
};

/* PAUSED: the page is full, and the stage is not complete */
enum check_outcome { CHECK_PAUSED = 1, CHECK_DIFFERS };

#define CHECK_DAMAGED "damaged" /* folder of the store */

/** check_full - Return: whether to end the page */
static inline bool
check_full(const struct check *k)
{
	return k->looked >= CHECK_PAGE_KEYS || k->n_problems >= CHECK_PAGE_PROBLEMS ||
	       k->bytes >= CHECK_PAGE_BYTES;
}

/* ------------------------------------------------------------ places */

/* The stages of a check.  From CHECK_SCAN on they are those of one table after the other. */
enum check_stage {
	CHECK_FILES,   /* the database's files; number: of the last file that was read */
	CHECK_ORPHANS, /* keys that belong to nothing */
	CHECK_RECORDS, /* records of streams */
	CHECK_SCAN,    /* a whole table; number: id of the scan to continue, or 0 */
	CHECK_ITEMS, /* this and the next two follow if a scan found a difference; number: 0: the table itself; */
	CHECK_COUNTS, /* n: schema.index[n - 1] */
	CHECK_TOTALS,
	CHECK_DONE, /* nothing is left */
};

/* Where a page begins. */
struct check_next {
	enum check_stage stage;
	uint64_t number;
	struct slice table; /* empty: the first table */
	struct slice key;   /* where to continue within the stage; empty: at its beginning */
};

/** check_print_next - encode a place as text, in the call's arena; empty: CHECK_DONE */
struct slice check_print_next(struct call *c, const struct check_next *p);

/** check_read_next - decode a place;  Return: 0, -ERR_VALIDATION */
int check_read_next(struct call *c, struct slice next, struct check_next *out) must_check;

/* ------------------------------------------------------------ table and snapshot */

/** check_open_snapshot - set k->at and k->cursor to the newest state */
void check_open_snapshot(struct check *k);

/** check_take_snapshot - hand the snapshot of @k over to the caller; @k gets a new one */
struct kv_snapshot *check_take_snapshot(struct check *k);

/** check_seek - move k->cursor to @from, or to the first key with @prefix if @from does not begin with it */
void check_seek(struct check *k, struct slice prefix, struct slice from);

/** check_go_on - set @p to the scan of the table @s; NULL: no table is left */
void check_go_on(struct check_next *p, const struct schema *s);

/**
 * check_enter_table - set k->s to the table at @p, or the next one, or NULL if none is left
 *
 * In the snapshot of @k, the table's definition is then the one in the catalog.
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: the definition cannot be read
 */
int check_enter_table(struct check *k, struct check_next *p) must_check;

/* ------------------------------------------------------------ problems */

/** check_failed - Return: @r; if it is an error, the call of @k gets it from k->scratch, with its message */
int check_failed(struct check *k, int r) must_check;

/** check_problem - record a problem: "table T, index I: " or "store: ", followed by the text */
void check_problem(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** check_place - the attributes of a key as JSON for a problem's text, in k->scratch */
const char *check_place(struct check *k, const struct values *values);

/* ------------------------------------------------------------ damaged files */

/**
 * check_damaged - a damaged file was found: end writing to the store
 * @why: reason
 *
 * This check and later ones continue, but repair nothing until the store is opened again.
 */
void check_damaged(struct check *k, struct slice why);

/**
 * check_take_damage - clear the error of k->c, which is -ERR_CORRUPT, and call check_damaged()
 *
 * Return:  the error's text, in the memory of k->c
 */
struct slice check_take_damage(struct check *k);

/** check_pass_over - check_take_damage(), and record a problem: @fmt, a colon, the error's text */
void check_pass_over(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------ number of keys still to check */

/** check_settled - Return: whether each index of @s has all of its entries, i.e. none is being added */
bool check_settled(const struct schema *s);

/**
 * check_expect - add the number of keys of a table to k->ahead
 * @parts: count for a check part by part, otherwise for a scan
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read
 */
int check_expect(struct check *k, const struct schema *s, bool parts) must_check;

/** check_expect_all - check_expect() for the scans of all tables */
int check_expect_all(struct check *k) must_check;

/* ------------------------------------------------------------ repair */

/*
 * check_put(), check_del() and check_move() repair the last problem, and do nothing in a page that only reads
 * (k->t is NULL).
 */

/** check_put - put a copy of @key and @value into the page's batch; @done: as for check_done() */
void check_put(struct check *k, struct slice key, struct slice value, const char *done);

/** check_del - delete @key in the page's batch; copied */
void check_del(struct check *k, struct slice key);

/**
 * check_move - move @key, whose content cannot be derived from other keys, from the store to a file
 *
 * Does nothing if the store has no directory.
 */
void check_move(struct check *k, struct slice key, struct slice record);

/** check_done - the last problem has been repaired, as @done says: a literal, or text in the memory of k->c */
void check_done(struct check *k, const char *done);

/**
 * check_keep_moved - write the file of moved records and sync it; call it before the batch is committed
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE
 */
int check_keep_moved(struct check *k) must_check;

/* ------------------------------------------------------------ items and entries */

/* An item or entry, decoded. */
struct found {
	struct slice key; /* as it is in the store */
	struct slice record;
	struct value at[KEY_VALUES_MAX];
	struct values place; /* values of @key, in @at */
	struct record_head head;
	struct item item;
	struct key_values base; /* the table's key in @item */
	size_t item_bytes;
};

/**
 * check_fault - decode f->record and compare it with f->key, the key of an item (@ix NULL) or entry
 *
 * Return:  why the record is not valid, in the memory of @c;  NULL: it is valid
 */
const char *check_fault(struct call *c, const struct schema *s, const struct index *ix,
			struct found *f);

/** check_legible - Return: whether each text is valid UTF-8 and each number is canonical */
bool check_legible(struct call *c, const struct item *it);

/* ------------------------------------------------------------ the parts of a check, in the order of their stages */

/** check_orphans - find keys that belong to no table, index or stream, in one call;  Return: 0, -ERR_IO, -ERR_CORRUPT */
int check_orphans(struct check *k) must_check;

/**
 * check_records - decode the next records of streams
 * @from: key to begin with, or empty; set to the next key
 *
 * Return:  0;  CHECK_PAUSED: the page is full
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: a file is damaged
 */
int check_records(struct check *k, struct slice *from) must_check;

/**
 * check_scan - compare the sums of k->s with those of its indexes, counts and totals
 * @id: of the scan to continue, or 0
 *
 * Return:  0: the table is valid and has been counted;  CHECK_DIFFERS: check it part by part;
 *          CHECK_PAUSED: the page is full, continue with the new @id
 * Errors:  -ERR_IO, -ERR_CORRUPT;  -ERR_BUSY  the client has gone
 */
int check_scan(struct check *k, uint64_t *id) must_check;

/**
 * check_scan_damaged - begin a scan that counts what can be read of k->s, which has met damage
 * @id: set to the id of the scan
 *
 * Clears the error of k->c, which is -ERR_CORRUPT.
 * Return:  CHECK_PAUSED
 * Errors:  -ERR_IO
 */
int check_scan_damaged(struct check *k, uint64_t *id) must_check;

/**
 * check_items - check every item or entry of k->s, k->ix
 * @from: key to begin with, or empty; set to the next key
 *
 * Return:  0;  CHECK_PAUSED: the page is full
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read; a damaged record is a problem, not an error
 */
int check_items(struct check *k, struct slice *from) must_check;

/**
 * check_counts - compare the counts in the partition directory with the items or entries of k->s, k->ix
 * @from: where to begin, or empty; set to where the next page begins
 *
 * A page ends only between two collections.
 * Return, Errors:  as check_items()
 */
int check_counts(struct check *k, struct slice *from) must_check;

/**
 * check_totals - compare the totals of k->s, k->ix with the partition directory, in one call
 *
 * Return:  0
 * Errors:  as check_items()
 */
int check_totals(struct check *k) must_check;

#endif
