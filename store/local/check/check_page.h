/*
 * check_page - functions that all parts of a check share
 *
 * The place where a page begins; the page's table and snapshot; its problems; damaged files; the number of
 * keys still to check.
 */
#ifndef STORE_LOCAL_CHECK_CHECK_PAGE_H
#define STORE_LOCAL_CHECK_CHECK_PAGE_H

#include "store/local/check/check_int.h"

/* The parts of the work, for the table itself and then for each index. */
enum check_part { CHECK_ITEMS, CHECK_COUNTS, CHECK_TOTALS, CHECK_PARTS };

/* Where a page begins. */
struct check_next {
	bool files;     /* first, read the database's files */
	uint64_t after; /* number of the last file that was read */
	bool strays;    /* then, look for keys that belong to nothing */
	bool records;   /* then, decode the records of streams, from @key on */
	enum check_part part;
	size_t index;       /* 0: the table itself; else 1 + index into schema.index */
	struct slice table; /* empty: the first table */
	struct slice key;   /* empty: the beginning of the part */
	uint64_t survey;    /* id of the survey of @table to continue; 0: none */
	bool parts;         /* the survey of @table found a difference; not in the text */
};

/** check_print_next - encode a place as text, in the call's arena */
struct slice check_print_next(struct call *c, const struct check_next *p);

/** check_read_next - decode a place;  Return: 0, -ERR_VALIDATION */
int check_read_next(struct call *c, struct slice next, struct check_next *out)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ table and snapshot */

/** check_open_snapshot - set k->at and k->cursor to the newest state */
void check_open_snapshot(struct check *k);

/** check_take_snapshot - hand the snapshot of @k over to the caller; @k gets a new one */
struct kv_snapshot *check_take_snapshot(struct check *k);

/** check_go_on - set @p to the beginning of the table @s; NULL: no table is left */
void check_go_on(struct check_next *p, const struct schema *s);

/**
 * check_enter_table - set k->s to the table at @p, or the next one, or NULL
 *
 * In the snapshot of @k, the table's definition is then the one in the catalog.
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: the definition cannot be read
 */
int check_enter_table(struct check *k, struct check_next *p) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ problems */

/** check_begin - clear k->scratch for the next item */
void check_begin(struct check *k);

/** check_failed - Return: @r; if it is an error, the call of @k gets it from k->scratch, with its message */
int check_failed(struct check *k, int r) __attribute__((warn_unused_result));

/** check_problem - record a problem: "table T, index I: " or "store: ", followed by the text */
void check_problem(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** check_mended - the last problem has been repaired; @fmt: how.  k->t is set */
void check_mended(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

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
