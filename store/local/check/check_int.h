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
	struct call scratch;      /* memory for one item; see check_begin() */
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

#endif
