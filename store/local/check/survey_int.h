/*
 * survey_int - what the files of a survey share
 *
 *   check_survey.c     begins, pauses and ends surveys, and compares their sums
 *   survey.c      passes keys until the page is full
 *   survey.c    the walk over items: what should be there
 *   survey.c     the walk over all else: what is there
 *   survey.c    a table with damaged files: how much can be read?
 */
#ifndef STORE_LOCAL_CHECK_SURVEY_INT_H
#define STORE_LOCAL_CHECK_SURVEY_INT_H

#include <stdatomic.h>

#include "store/local/check/check_int.h"
#include "store/local/check/survey.h"
#include "store/local/records/hash.h"

/* Of the table (place 0) or of an index (1 + its place), expected or found. */
struct sums {
	uint64_t n; /* items or entries */
	uint64_t entries[2];
	struct totals totals;
	bool totals_lost; /* they cannot be read */
	hash_wide items;  /* of the directory */
	hash_wide item_bytes;
	hash_wide rendered_bytes;
};

/* What the walks are to do; STOP: something is wrong, or nobody waits. */
enum course { COURSE_GO, COURSE_PAUSE, COURSE_STOP };

enum phase { PHASE_ENTRIES, PHASE_DIRECTORY, PHASE_TOTALS, PHASES };

/* One of the two. */
struct walk {
	struct survey *of;
	struct call c; /* of one record, and its errors */
	struct kv_cursor *cursor;
	struct buf
		prefix; /* of the keys that it passes now; on the heap; empty: they are to be begun */
	size_t place;   /* the second one's */
	enum phase phase; /* likewise */
	bool ended;
	bool damaged; /* the cursor has passed over keys: it keeps that status */
	int result;
	uint64_t keys; /* in this page */
	uint64_t bytes;
};

/* An item on its way through the sums. */
struct passing {
	struct item item;
	struct key_values base;
	struct hash128 content;
	size_t item_bytes;
	uint64_t rendered_bytes;
	struct buf key; /* scratch, as the next one */
	struct buf body;
};

struct survey {
	struct survey_kept kept; /* first */
	struct local *local;
	struct call call; /* memory of what follows */
	const struct schema *s;
	struct sums *expected;
	struct sums *found;
	struct kv_snapshot *at;
	struct hash_key key;
	bool unordered; /* content by item_hash() */
	struct walk items;
	struct walk rest;
	struct passing passing;  /* of @items */
	const struct call *asks; /* for this page */
	struct slice damage;     /* the first that was met; empty: none.  Set between pages */
	_Atomic enum course course;
};

/** survey_add_collection, survey_add_entry - to the sums of a table or an index */

/** survey_walk_items, survey_walk_rest - a page of the one walk, and of the other (@arg: struct walk) */
void survey_walk_items(struct walk *w);
void *survey_walk_rest(void *arg);

/** survey_is_damaged - then nothing is compared: what can be read is counted */
static inline bool
survey_is_damaged(const struct survey *s)
{
	return s->damage.len > 0;
}

/** survey_keep_damage - @why becomes s->damage, unless there is one */
void survey_keep_damage(struct survey *s, struct slice why);

/**
 * survey_take_damage - the result of a page of @w, for k->c; that it met damage is no error
 *
 * Errors:  those of @w but -ERR_CORRUPT
 */
int survey_take_damage(struct check *k, struct walk *w) __attribute__((warn_unused_result));

/** survey_tell_readable - problems: how much of the table and its indexes can be read; and it is counted in @k */
void survey_tell_readable(struct survey *s, struct check *k);

#endif
