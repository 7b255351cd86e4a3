/*
 * walk_fixture - a fixture: a fake engine with the shards of one stream, and a reader
 *
 * The engine answers as the test demands.  The reader uses stream_walk with a fresh call for each step; the numbers
 * of the records that it read are kept until walk_was_read() checks them.
 */
#ifndef TESTS_ENGINE_WALK_FIXTURE_H
#define TESTS_ENGINE_WALK_FIXTURE_H

#include "store/engine/stream_walk.h"

enum { SHARDS_MAX = 8 };

/*
 * A shard: each digit of @pages is a page with that number of records.  After them the shard has ended, or it is
 * open and all pages are empty.  Iterators and the sequence numbers of records are "SHARD.PAGE"; the range of
 * sequence numbers of the shard itself is set by the test, if needed.
 */
struct fake_shard {
	const char *id;
	const char *parent;
	const char *pages;
	bool open;
	const char *first; /* NULL: "0" */
	const char *last;  /* of a shard that has ended; NULL: "9" */
	bool lost;         /* it is listed, but not found */
};

/* Settings that a test may change at any time, and counters. */
struct walk_fixture {
	struct engine engine;
	struct fake_shard at[SHARDS_MAX];
	size_t n;
	bool enabled;
	unsigned asked[OP_COUNT];
	unsigned numbered; /* iterators after the number of walk_try_from() */
	unsigned calls;
	unsigned fail_at; /* number of the call that fails */
	enum err failure;
};

extern struct walk_fixture walk_fixture;

/* The reader; NULL until the test begins one.  walk_fixture_close() closes it. */
extern struct stream_walk *walk;

/** walk_fixture_open, walk_fixture_close - setup and teardown of a suite: an enabled stream without shards */
void walk_fixture_open(void);
void walk_fixture_close(void);

/** walk_clean - return the call, with its error and memory cleared */
struct call *walk_clean(void);

/** walk_add - add a shard; the strings are borrowed */
void walk_add(const char *id, const char *parent, const char *pages, bool open);

/**
 * walk_try_from - open the reader if there is none; Return: 0 or its error
 *
 * STREAM_WALK_OLDEST reads once, STREAM_WALK_NEWEST continues, as most readers do; STREAM_WALK_AFTER begins after
 * the number 42.
 */
int walk_try_from(enum stream_walk_from from) must_check;

/** walk_begin - likewise, after closing the previous reader; a failure ends the test */
void walk_begin(enum stream_walk_from from);

/** walk_read_some - do one step; Return: as stream_walk_next() */
int walk_read_some(void);

/** walk_read_on - read until the present or final end, or a failure; Return: which of them */
int walk_read_on(void);

/**
 * walk_was_read - return true if these numbers were read since the last call; otherwise print the numbers that were
 *
 * Format: "0.0 0.1 1.0", in the order of reading
 */
bool walk_was_read(const char *expected);

#endif
