/*
 * fixture - a fixture: an embedded engine in memory with one call, and operations as one-liners
 *
 * Items and keys are JSON in the mount's form.  Every operation begins with a
 * clean error and returns what the engine answered; the error stays in
 * fixture.c.error.
 */
#ifndef TESTS_SUPPORT_FIXTURE_H
#define TESTS_SUPPORT_FIXTURE_H

#include "store/engine/engine.h"
#include "store/kv/kv.h"

struct fixture {
	struct call c;
	struct kv *mem;   /* kv_mem */
	struct kv *fault; /* kv_fault around it, which the engine uses */
	struct engine *e;
};

extern struct fixture fixture;

/** fixture_open, fixture_close - setup and teardown of a suite */
void fixture_open(void);
void fixture_close(void);

/** fixture_restart - close the engine and reopen it with the stored data; Return: 0 or the error */
int fixture_restart(void);

/** fixture_continue - likewise with another kv_mem, which the engine then owns */
int fixture_continue(struct kv *mem);

/** fixture_item - parse JSON, in the memory of the scene's call */
struct item fixture_item(const char *json);

/**
 * fixture_table - create the table that @spec describes
 *
 * Format: "name pk:S sk:N | +gsi pk:S sk:N ALL | -lsi sk:S KEYS_ONLY | +gsi2 pk:S INCLUDE a b"
 */
int fixture_table(const char *spec);

/** fixture_stream - enable the stream of the table; STREAM_NONE: disable it */
int fixture_stream(const char *table, enum stream_view view);

/** fixture_add_index - add an index, with @spec as "+gsi ..." of fixture_table(); it is built in the background */
int fixture_add_index(const char *table, const char *spec);
int fixture_drop_index(const char *table, const char *name);

/** fixture_index - return an index as DescribeTable shows it; NULL: none */
const struct index *fixture_index(const char *table, const char *name);

int fixture_put(const char *table, const char *json);
int fixture_put_if(const char *table, const char *json, const char *condition);
int fixture_delete(const char *table, const char *key);

/** fixture_expect - expect that this item is stored under the key; NULL @json: that there is no item */
void fixture_expect(const char *table, const char *key, const char *json);

/** fixture_check - run Check to the end, and print and count the problems */
size_t fixture_check(void);

/** fixture_keys - return the number of keys of the store that begin with @letter */
size_t fixture_keys(char letter);

/** fixture_totals - return the totals of an index, or of the table if @index is NULL */
struct totals fixture_totals(const char *table, const char *index);

/** fixture_message - return the message of the last error; "" if there was none */
const char *fixture_message(void);

#endif
