/*
 * walk_scene - a made-up engine with the shards of one stream, and a reader that walks them
 *
 * The engine answers what the test says.  Who reads does so with stream_walk, a clean call for each step;
 * the numbers of what he has read stay until walk_was_read() looks at them.
 */
#ifndef TESTS_ENGINE_WALK_SCENE_H
#define TESTS_ENGINE_WALK_SCENE_H

#include "store/engine/stream_walk.h"

enum { SHARDS_MAX = 8 };

/*
 * A shard: its pages, a digit each, that says how many records there are.  Behind them it has ended, or it is
 * open and pages are empty.  Iterators and the sequence numbers of records are "SHARD.PAGE"; a shard's own
 * begin where the test says, if it does.
 */
struct fake_shard {
	const char *id;
	const char *parent;
	const char *pages;
	bool open;
	const char *first; /* NULL: "0" */
	const char *last;  /* of one that has ended; NULL: "9" */
	bool lost;         /* it is listed, and not found */
};

/* What a test may change at any time, and count. */
struct walk_scene {
	struct engine engine;
	struct fake_shard at[SHARDS_MAX];
	size_t n;
	bool enabled;
	unsigned asked[OP_COUNT];
	unsigned numbered; /* iterators behind the number of walk_try_from() */
	unsigned calls;
	unsigned fail_at; /* the n-th call of all */
	enum err failure;
};

extern struct walk_scene walk_scene;

/* The reader; NULL until the test begins one.  walk_scene_close() closes it. */
extern struct stream_walk *walk;

/** walk_scene_open, walk_scene_close - setup and teardown of a suite: a stream that is on, without shards */
void walk_scene_open(void);
void walk_scene_close(void);

/** walk_clean - a call without an error and without memory */
struct call *walk_clean(void);

/** walk_add - one more shard; the strings are borrowed */
void walk_add(const char *id, const char *parent, const char *pages, bool open);

/**
 * walk_try_from - open the reader, where there is none; Return: 0 or its error
 *
 * The oldest for who reads once, the newest for who goes on: as most readers do.  After: the number 42.
 */
int walk_try_from(enum stream_walk_from from) __attribute__((warn_unused_result));

/** walk_begin - likewise after closing the one before; a failure ends the test */
void walk_begin(enum stream_walk_from from);

/** walk_read_some - one step; Return: as stream_walk_next() */
int walk_read_some(void);

/** walk_read_on - until it is the end, of now or for ever, or fails; Return: that */
int walk_read_on(void);

/**
 * walk_was_read - are these the numbers that were read since it was asked last?  Prints those that were
 *
 * Shape: "0.0 0.1 1.0", in the order of reading
 */
bool walk_was_read(const char *expected);

#endif
