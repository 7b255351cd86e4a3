/*
 * engines - every engine that must behave the same
 *
 * The conformance suites run each of their tests on each row of engines[].
 */
#ifndef TESTS_ENGINE_ENGINES_H
#define TESTS_ENGINE_ENGINES_H

#include "store/engine/engine.h"

/* The time of each call, whichever end of an engine it is read at. */
enum { ENGINES_NOW_MS = 1600000000 };

/* An engine under test, over an empty store of its own. */
struct testee {
	const char *name;
	struct engine *engine;
	struct engine
		*behind; /* of a foreign one: who has its store, and ItemFS's own operations */
	char dir[64];    /* the store's directory; empty: it has none */
	bool foreign;    /* ItemFS's own operations are not available */
	int fd;          /* for whoever needs one */
	void *state;     /* likewise */
};

struct engines_row {
	const char *name;
	void (*open)(struct testee *t);
	void (*close)(struct testee *t);
};

/* To add an engine, add a row. */
extern const struct engines_row engines[];
extern const size_t engines_count;

/** engines_each - run @test on each of them, every one with an empty store */
void engines_each(void (*test)(struct testee *t));

/** engines_load - put @items into a table, with LoadItems where the engine has it */
int engines_load(struct testee *t, struct call *c, struct slice table, const struct item *items,
		 size_t n) __attribute__((warn_unused_result));

/** engines_wait - until no index of a table is coming or going in the background any more */
void engines_wait(struct testee *t, struct slice table);

/** engines_bucket - make a bucket, which is a directory of the store */
void engines_bucket(const struct testee *t, struct slice name);

/** engines_object - make the file @path, "bucket/key"; folders of it are made too */
void engines_object(const struct testee *t, struct slice path, struct slice content);

#endif
