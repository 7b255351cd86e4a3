/*
 * check_page - functions that all parts of a check share
 *
 * The place where a page begins; the page's table and snapshot; its problems; damaged files; the number of
 * keys still to check.
 */
#ifndef STORE_LOCAL_CHECK_CHECK_PAGE_H
#define STORE_LOCAL_CHECK_CHECK_PAGE_H

#include "store/local/check/check_int.h"

/* The stages of a check.  From CHECK_SURVEY on they are those of one table after the other. */
enum check_stage {
	CHECK_FILES,   /* the database's files; number: of the last file that was read */
	CHECK_STRAYS,  /* keys that belong to nothing */
	CHECK_RECORDS, /* records of streams */
	CHECK_SURVEY,  /* a whole table; number: id of the survey to continue, or 0 */
	CHECK_ITEMS, /* this and the next two follow if a survey found a difference; number: 0: the table itself; */
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
int check_read_next(struct call *c, struct slice next, struct check_next *out)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ table and snapshot */

/** check_open_snapshot - set k->at and k->cursor to the newest state */
void check_open_snapshot(struct check *k);

/** check_take_snapshot - hand the snapshot of @k over to the caller; @k gets a new one */
struct kv_snapshot *check_take_snapshot(struct check *k);

/** check_seek - move k->cursor to @from, or to the first key with @prefix if @from does not begin with it */
void check_seek(struct check *k, struct slice prefix, struct slice from);

/** check_go_on - set @p to the survey of the table @s; NULL: no table is left */
void check_go_on(struct check_next *p, const struct schema *s);

/**
 * check_enter_table - set k->s to the table at @p, or the next one, or NULL if none is left
 *
 * In the snapshot of @k, the table's definition is then the one in the catalog.
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: the definition cannot be read
 */
int check_enter_table(struct check *k, struct check_next *p) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ problems */

/** check_failed - Return: @r; if it is an error, the call of @k gets it from k->scratch, with its message */
int check_failed(struct check *k, int r) __attribute__((warn_unused_result));

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
 * @parts: count for a check part by part, otherwise for a survey
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read
 */
int check_expect(struct check *k, const struct schema *s, bool parts)
	__attribute__((warn_unused_result));

/** check_expect_all - check_expect() for the surveys of all tables */
int check_expect_all(struct check *k) __attribute__((warn_unused_result));

#endif
