/*
 * check_int - what the files of the self-check share
 *
 *   check.c        pages: which table, which index, which part of the work comes next
 *   check_page.c  which table that is, and the snapshot
 *   check_survey.c is a table whole, which most are?  Then nothing below looks at it (survey_int.h)
 *   check_page.c  problems as text
 *   check_page.c a damaged file ends writing and repairs, but not the check
 *   check_page.c   how many keys there are to look at
 *   check_page.c   the place where a page begins, as text
 *   check_item.c   items against their entries, entries against their items
 *   check_count.c  counts of collections and totals against what is there
 *   check_record.c records of streams
 *   check_stray.c  keys that belong to no table or index
 *   check_mend.c  what is done about an item or an entry
 *   check_mend.c   what a repair writes, deletes and moves to a file
 */
#ifndef STORE_LOCAL_CHECK_CHECK_INT_H
#define STORE_LOCAL_CHECK_CHECK_INT_H

#include "store/local/records/key.h"
#include "store/local/records/local_int.h"
#include "store/local/records/record.h"

struct txn;

struct problem {
	struct slice text;
	struct slice done; /* about it; empty: nothing */
};

/*
 * One page of a check.  A page of a repair is first looked at beside the queue of writers, like any
 * other.  If it has problems, an operation that is alone in its group looks again: nobody writes
 * between what it sees and what it does.
 */
struct check {
	struct local *local;
	struct call *c;           /* problems live here, and what is written */
	struct txn *t;            /* repairs; NULL: this page only looks */
	struct kv_snapshot *at;   /* the page looks at one state of the store */
	struct kv_cursor *cursor; /* over it */
	struct call scratch;      /* of one item; see check_begin() */
	const struct schema *s;   /* present table; NULL: none */
	const struct index *ix;   /* present index; NULL: the table itself */
	struct problem *problems;
	size_t n_problems;
	size_t cap_problems;
	size_t mended;           /* problems about which something was done */
	uint64_t looked;         /* keys looked at in this page, by surveys too */
	uint64_t ahead;          /* keys to look at, more than was said so far */
	bool repairs;            /* what this page finds is to be repaired */
	size_t bytes;            /* written, deleted and moved */
	struct buf saved;        /* lines for the file that takes what is moved */
	struct slice saved_name; /* its name; empty: there is none yet */
	uint64_t items;
	uint64_t entries;
};

enum {
	CHECK_PAGE_KEYS = 20000, /* of a survey: by one of its walks */
	CHECK_PAGE_PROBLEMS = 200,
	CHECK_PAGE_BYTES = 16 << 20,
};

enum check_outcome { CHECK_END = 1, CHECK_MORE, CHECK_PAUSED };

/* The parts of the work, for the table itself and then for each index. */
enum check_part { CHECK_ITEMS, CHECK_COUNTS, CHECK_TOTALS, CHECK_PARTS };

/* Where a page begins. */
struct check_next {
	bool files;     /* the database's files are read before all else */
	uint64_t after; /* of them, by number: the last one that was read */
	bool strays;    /* what belongs to nothing is looked for before */
	bool records;   /* then come the records of streams, from @key on */
	enum check_part part;
	size_t index;       /* 0: the table itself; else 1 + its place in the schema */
	struct slice table; /* empty: the first one */
	struct slice key;   /* empty: from the beginning of the part */
	uint64_t survey;    /* goes on, of the table that is next; 0: none */
	bool parts;         /* the survey of the table has ended so; not in the text */
};

/** check_print_next, check_read_next - a place as text, and back; Errors: -ERR_VALIDATION */
struct slice check_print_next(struct call *c, const struct check_next *p);
int check_read_next(struct call *c, struct slice next, struct check_next *out)
	__attribute__((warn_unused_result));

/** check_full - is it time to end the page? */
static inline bool
check_full(const struct check *k)
{
	return k->looked >= CHECK_PAGE_KEYS || k->n_problems >= CHECK_PAGE_PROBLEMS ||
	       k->bytes >= CHECK_PAGE_BYTES;
}

/** check_open_snapshot - k->at and the cursor: the newest state */
void check_open_snapshot(struct check *k);

/** check_go_on - the work goes on at @s; NULL: it was the last table */
void check_go_on(struct check_next *p, const struct schema *s);

/**
 * check_enter_table - k->s becomes the table where the work goes on, or NULL, with a snapshot in which it is
 * defined as in the catalog
 *
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: the definition cannot be read
 */
int check_enter_table(struct check *k, struct check_next *p) __attribute__((warn_unused_result));

/** check_take_snapshot - that of @k becomes the caller's; @k goes on with a new one */
struct kv_snapshot *check_take_snapshot(struct check *k);

/** check_begin - forget the scratch of the item before */
void check_begin(struct check *k);

/** check_problem - note one: "table T, index I: " or "store: ", and then the text */
void check_problem(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------ damaged files */

/*
 * check_damaged - a damaged file has been found: @why.  From now on nothing is written to the store, and
 * this and later checks repair nothing, but go on.
 */
void check_damaged(struct check *k, struct slice why);

/**
 * check_take_damage - the error of k->c, -ERR_CORRUPT, is taken from it: check_damaged()
 *
 * Return: the error's text, in the memory of k->c
 */
struct slice check_take_damage(struct check *k);

/** check_pass_over - likewise, and a problem: @fmt, a colon, the error's text */
void check_pass_over(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ------------------------------------------------------------ repairs: k->t is there */

#define CHECK_DAMAGED "damaged" /* folder of the store */

/** check_mended - the problem told last is one no more; @fmt: what was done */
void check_mended(struct check *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/** check_put, check_del - in the batch of this page; copied */
void check_put(struct check *k, struct slice key, struct slice value);
void check_del(struct check *k, struct slice key);

/**
 * check_move - @key, which nothing but itself can tell, goes from the store to a file
 *
 * Return: false: the store has no directory, so it stays
 */
bool check_move(struct check *k, struct slice key, struct slice record);

/**
 * check_keep_moved - the file is on disk, before the batch deletes what is in it
 *
 * Errors:  -ERR_IO, -ERR_NO_SPACE
 */
int check_keep_moved(struct check *k) __attribute__((warn_unused_result));

/* ------------------------------------------------------------ parts */

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

/* An item or entry at the cursor, read. */
struct found {
	struct slice key; /* as it lies in the store */
	struct slice record;
	struct value at[KEY_VALUES_MAX];
	struct values values; /* of its key: they are @at */
	struct record_head head;
	struct item item;
	size_t item_bytes;
};

/** check_base_key - the values of the table's key in the key of @f */
struct key_values check_base_key(const struct check *k, const struct found *f);

/** check_unsound - why the record cannot be what is stored under that key of @ix; NULL: it can */
const char *check_unsound(struct check *k, const struct index *ix, const struct found *f);

/*
 * What is done about the problem told last, unless the page only looks.
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT of kv_get()
 */

/** check_mend - an item whose record is as good as none goes; an entry becomes what its item says */
int check_mend(struct check *k, const struct found *f) __attribute__((warn_unused_result));

/** check_mend_gone - what lies behind a key is as good as none: it goes */
void check_mend_gone(struct check *k, struct slice key, struct slice record);

/** check_mend_length - the rendered length of an item or entry that is sound */
int check_mend_length(struct check *k, const struct found *f) __attribute__((warn_unused_result));

/** check_mend_entry_of - the entry of the sound item @f in @ix is put */
int check_mend_entry_of(struct check *k, const struct found *f, const struct index *ix)
	__attribute__((warn_unused_result));

/** check_legible - is each text UTF-8, each number canonical? */
bool check_legible(struct call *c, const struct item *it);

/**
 * check_survey - is the present table whole, with its indexes, counts and totals?
 * @id: of the survey that goes on, or 0
 *
 * Return:  CHECK_END: it is, and has been counted;  CHECK_MORE: it is to be looked at in parts;
 * CHECK_PAUSED: the page is full, @id goes on
 * Errors:  -ERR_IO, -ERR_CORRUPT;  -ERR_BUSY  whoever asked has gone
 */
int check_survey(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

/**
 * check_survey_damaged - a part of the present table has met damage, which is taken from k->c
 * @id: of a survey that counts what can be read
 *
 * Return:  CHECK_PAUSED
 * Errors:  -ERR_IO
 */
int check_survey_damaged(struct check *k, uint64_t *id) __attribute__((warn_unused_result));

/** check_settled - has each index of @s all of its entries? One that is being filled has not */
bool check_settled(const struct schema *s);

/**
 * check_expect - what is ahead of this check grows by the keys of a table that a survey passes, or who
 * looks at its parts
 * check_expect_all - by those of all tables, if all is well
 *
 * Errors:  -ERR_IO, -ERR_CORRUPT  the kv cannot be read
 */
int check_expect(struct check *k, const struct schema *s, bool parts)
	__attribute__((warn_unused_result));
int check_expect_all(struct check *k) __attribute__((warn_unused_result));

/** check_collection - how much of an item's or entry's key its collection shares; 0: it is damaged */
size_t check_collection(const struct schema *s, const struct index *ix, struct slice key);

/**
 * check_records - decode records of streams
 * @from: the key to begin with, or empty; moves on
 *
 * Return:  CHECK_END;  CHECK_MORE: the page is full
 * Errors:  -ERR_IO;  -ERR_CORRUPT  in a repair: a file is damaged
 */
int check_records(struct check *k, struct slice *from) __attribute__((warn_unused_result));

/** check_strays - keys that belong to nothing, in one go; Errors: as check_items() */
int check_strays(struct check *k) __attribute__((warn_unused_result));

#endif
