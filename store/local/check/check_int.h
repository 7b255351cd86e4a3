/*
 * check_int - the state of one page of a check
 *
 * Each part of the self-check declares its functions in a header of its own; all of them work on this state.
 */
#ifndef STORE_LOCAL_CHECK_CHECK_INT_H
#define STORE_LOCAL_CHECK_CHECK_INT_H

#include "store/local/records/local_int.h"

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
	uint64_t looked;        /* number of keys read in this page, including those of surveys */
	uint64_t ahead;         /* number of keys to read that earlier pages have not reported */
	bool repairs;           /* the problems of this page are or will be repaired */
	size_t bytes;           /* size of what was written, deleted and moved */
	struct buf saved;       /* lines for the file of moved records */
	const char *saved_name; /* name of that file */
	uint64_t items;
	uint64_t entries;
};

enum {
	CHECK_PAGE_KEYS = 20000, /* in a survey: of each walk */
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

/* ------------------------------------------------------------ the parts of a check, in the order of their stages */

/** check_strays - find keys that belong to no table, index or stream, in one call;  Return: 0, -ERR_IO, -ERR_CORRUPT */
int check_strays(struct check *k) __attribute__((warn_unused_result));

/**
 * check_records - decode the next records of streams
 * @from: key to begin with, or empty; set to the next key
 *
 * Return:  0;  CHECK_PAUSED: the page is full
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: a file is damaged
 */
int check_records(struct check *k, struct slice *from) __attribute__((warn_unused_result));

/**
 * check_survey - compare the sums of k->s with those of its indexes, counts and totals
 * @id: of the survey to continue, or 0
 *
 * Return:  0: the table is valid and has been counted;  CHECK_DIFFERS: check it part by part;
 *          CHECK_PAUSED: the page is full, continue with the new @id
 * Errors:  -ERR_IO, -ERR_CORRUPT;  -ERR_BUSY  the client has gone
 */
int check_survey(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

/**
 * check_survey_damaged - begin a survey that counts what can be read of k->s, which has met damage
 * @id: set to the id of the survey
 *
 * Clears the error of k->c, which is -ERR_CORRUPT.
 * Return:  CHECK_PAUSED
 * Errors:  -ERR_IO
 */
int check_survey_damaged(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

/**
 * check_items - check every item or entry of k->s, k->ix
 * @from: key to begin with, or empty; set to the next key
 *
 * Return:  0;  CHECK_PAUSED: the page is full
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read; a damaged record is a problem, not an error
 */
int check_items(struct check *k, struct slice *from) __attribute__((warn_unused_result));

/**
 * check_counts - compare the counts in the partition directory with the items or entries of k->s, k->ix
 * @from: where to begin, or empty; set to where the next page begins
 *
 * A page ends only between two collections.
 * Return, Errors:  as check_items()
 */
int check_counts(struct check *k, struct slice *from) __attribute__((warn_unused_result));

/**
 * check_totals - compare the totals of k->s, k->ix with the partition directory, in one call
 *
 * Return:  0
 * Errors:  as check_items()
 */
int check_totals(struct check *k) __attribute__((warn_unused_result));

/** check_collection - Return: length of the part of @key that its whole collection shares; 0: the key is damaged */
size_t check_collection(const struct schema *s, const struct index *ix, struct slice key);

#endif
