/* wire_test - what the suites of this folder share */
#ifndef TESTS_WIRE_WIRE_TEST_H
#define TESTS_WIRE_WIRE_TEST_H

#include <pthread.h>
#include <stdatomic.h>

#include "store/engine/engine.h"
#include "store/wire/codec/codec.h"

/** wire_item - the item that a line of typed JSON shows, in the call's arena */
struct item wire_item(struct call *c, const char *typed);

/** wire_value - likewise one value */
struct value wire_value(struct call *c, const char *typed);

/** wire_put, wire_get - the item "x" of the table "abc"; 0 or error */
int wire_put(struct call *c, struct engine *e);
int wire_get(struct call *c, struct engine *e);

/** wire_forget - the last failure, so that the next one shows */
void wire_forget(struct call *c);

/** wire_vector - the JSON in tests/vectors/wire/@name.@kind.json */
struct slice wire_vector(struct call *c, const char *name, const char *kind);

/** wire_same_json - the same document, whatever the order of members; says where they differ */
bool wire_same_json(struct call *c, struct slice a, struct slice b);

/** wire_folder - a new private folder; remove it with wire_folder_remove() */
const char *wire_folder(void);
void wire_folder_remove(const char *folder);

/**
 * wire_talk - send raw bytes to a Unix socket or TCP port and read until the other end closes or
 * one answer with its Content-Length is complete
 * @socket: path, or NULL for 127.0.0.1:@port
 *
 * Return: bytes read into @out (NUL-terminated), at most @size - 1
 */
size_t wire_talk(const char *socket, int port, const char *bytes, size_t n, char *out, size_t size);

/** wire_connect - a connected descriptor, or -1 */
int wire_connect(const char *socket, int port);

/** wire_read - read one answer as wire_talk() does */
size_t wire_read(int fd, char *out, size_t size);

/* When a submitted operation is done. */
enum fake_submit { FAKE_NOT_TAKEN, FAKE_AT_ONCE, FAKE_LATER };

/*
 * An engine of one answer: it keeps the last request it saw, as JSON, and
 * fails with the given error when there is one.  What is submitted for later
 * is done by a thread of its own.
 */
struct fake_engine {
	struct engine engine;
	struct feed *feed;   /* NULL: none; each write publishes a change */
	struct buf seen;     /* the request; empty when none came */
	enum op_type type;   /* of it */
	char region[80];     /* likewise: of its call */
	unsigned calls;      /* requests so far */
	enum err fail;       /* 0: answer */
	unsigned fail_first; /* fail only the first so many calls; 0: every call */
	pthread_mutex_t lock;
	pthread_cond_t gate; /* with @hold: requests wait for it */
	bool hold;
	pthread_t thread;     /* of the last request */
	unsigned inside;      /* requests in execute() */
	unsigned most_inside; /* at once, so far */
	atomic_int submit;    /* enum fake_submit */
	/* GetItem answers an item with a string of so many. */
	atomic_size_t answer_bytes;
};

/** fake_engine_hold - let requests wait in execute() from now on */
void fake_engine_hold(struct fake_engine *f);

/** fake_engine_wait_inside - until so many requests are in execute() */
void fake_engine_wait_inside(struct fake_engine *f, unsigned n);

/** fake_engine_open - let those that are held go on */
void fake_engine_open(struct fake_engine *f);

void fake_engine_init(struct fake_engine *f);
void fake_engine_release(struct fake_engine *f);

#endif
