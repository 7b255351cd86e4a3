/* wire_test - helpers that the suites of this folder share */
#ifndef TESTS_WIRE_WIRE_TEST_H
#define TESTS_WIRE_WIRE_TEST_H

#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/wire/codec/codec.h"

/** wire_item - parse a line of typed JSON into an item, in the call's arena */
struct item wire_item(struct call *c, const char *typed);

/** wire_value - parse typed JSON into a value, in the call's arena */
struct value wire_value(struct call *c, const char *typed);

/** wire_put, wire_get - put or get the item "x" of the table "abc".  Return: 0 or the error */
int wire_put(struct call *c, struct engine *e);
int wire_get(struct call *c, struct engine *e);

/** wire_forget - clear the last error */
void wire_forget(struct call *c);

/** wire_vector - contents of tests/vectors/wire/@name.@kind.json */
struct slice wire_vector(struct call *c, const char *name, const char *kind);

/** wire_same_json - compare two documents, ignoring the order of members; print where they differ */
bool wire_same_json(struct call *c, struct slice a, struct slice b);

/** wire_folder - create a private folder; remove it with wire_folder_remove() */
const char *wire_folder(void);
void wire_folder_remove(const char *folder);

/**
 * wire_talk - send raw bytes to a Unix socket or TCP port and read until the peer closes or one answer with its
 * Content-Length is complete
 * @socket: path, or NULL for 127.0.0.1:@port
 *
 * Return: bytes read into @out (NUL-terminated), at most @size - 1
 */
size_t wire_talk(const char *socket, int port, const char *bytes, size_t n, char *out, size_t size);

/** wire_connect - return a connected descriptor, or -1 */
int wire_connect(const char *socket, int port);

/** wire_read - read one answer like wire_talk() */
size_t wire_read(int fd, char *out, size_t size);

/** wire_is_complete - return whether @text, of @n bytes, has a whole answer with a Content-Length */
bool wire_is_complete(const char *text, size_t n);

/* When a submitted operation is completed. */
enum fake_submit { FAKE_NOT_TAKEN, FAKE_AT_ONCE, FAKE_LATER };

/*
 * An engine with fixed answers.  It keeps its last request as JSON, and fails with the error @fail if one is set.  A
 * thread of its own completes each operation that is submitted for later.
 */
struct fake_engine {
	struct engine engine;
	struct feed *feed;   /* NULL: none; each write publishes a change */
	struct buf seen;     /* the last request; empty if there was none */
	enum op_type type;   /* type of the last request */
	char region[80];     /* region of the last request's call */
	unsigned calls;      /* requests so far */
	enum err fail;       /* 0: answer */
	unsigned fail_first; /* number of calls that fail; 0: all */
	pthread_mutex_t lock;
	pthread_cond_t gate; /* with @hold, requests wait for it */
	bool hold;
	pthread_t thread;     /* that executed the last request */
	unsigned inside;      /* number of requests in execute() */
	unsigned most_inside; /* maximum of @inside so far */
	atomic_int submit;    /* enum fake_submit */
	/* GetItem returns an item with a string of this many bytes. */
	atomic_size_t answer_bytes;
};

/** fake_engine_hold - from now on, make requests wait in execute() */
void fake_engine_hold(struct fake_engine *f);

/** fake_engine_wait_inside - wait until @n requests are in execute(); the test fails after a minute */
void fake_engine_wait_inside(struct fake_engine *f, unsigned n);

/** fake_engine_open - let the waiting requests go on */
void fake_engine_open(struct fake_engine *f);

void fake_engine_init(struct fake_engine *f);
void fake_engine_release(struct fake_engine *f);

#endif
