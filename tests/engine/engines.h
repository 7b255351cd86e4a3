/*
 * engines - all engines; they must behave alike
 *
 * The conformance suites run each test on each row of engines[].
 */
#ifndef TESTS_ENGINE_ENGINES_H
#define TESTS_ENGINE_ENGINES_H

#include "store/engine/engine.h"

/* The time of each call, at the client and at the server. */
enum { ENGINES_NOW_MS = 1600000000 };

/* An engine under test, over an empty store of its own. */
struct testee {
	const char *name;
	struct engine *engine;
	struct engine *behind; /* if foreign: the store's engine, with ItemFS's own operations */
	char dir[64];          /* the store's directory; empty: none */
	bool foreign;          /* ItemFS's own operations are not available */
	void *state;           /* for the functions of the row */
};

struct engines_row {
	const char *name;
	void (*open)(struct testee *t);
	void (*close)(struct testee *t);
};

/* To add an engine, add a row. */
extern const struct engines_row engines[];
extern const size_t engines_count;

/** engines_each - run @test on each engine, each time with an empty store */
void engines_each(void (*test)(struct testee *t));

/** engines_load - put @items into a table, with LoadItems if the engine supports it */
int engines_load(struct testee *t, struct call *c, struct slice table, const struct item *items,
		 size_t n) must_check;

/** engines_wait - wait until no index of the table is being created or deleted */
void engines_wait(struct testee *t, struct slice table);

/** engines_bucket - make a bucket, which is a directory of the store */
void engines_bucket(const struct testee *t, struct slice name);

/** engines_object - make the file @path, "bucket/key", and its folders */
void engines_object(const struct testee *t, struct slice path, struct slice content);

#endif
