/*
 * scene - a fixture: an embedded engine in memory with one call, and operations as one-liners
 *
 * Items and keys are JSON in the mount's form.  Every operation begins with a
 * clean error and returns what the engine answered; the error stays in
 * scene.c.error.
 */
#ifndef TESTS_SUPPORT_SCENE_H
#define TESTS_SUPPORT_SCENE_H

#include "store/engine/engine.h"
#include "store/kv/kv.h"

struct scene {
	struct call c;
	struct kv *mem;   /* kv_mem */
	struct kv *fault; /* kv_fault around it, which the engine uses */
	struct engine *e;
};

extern struct scene scene;

/** scene_open, scene_close - setup and teardown of a suite */
void scene_open(void);
void scene_close(void);

/** scene_restart - close the engine and reopen it with the stored data; Return: 0 or the error */
int scene_restart(void);

/** scene_continue - likewise with another kv_mem, which the engine then owns */
int scene_continue(struct kv *mem);

/** scene_item - parse JSON, in the memory of the scene's call */
struct item scene_item(const char *json);

/**
 * scene_table - create the table that @spec describes
 *
 * Format: "name pk:S sk:N | +gsi pk:S sk:N ALL | -lsi sk:S KEYS_ONLY | +gsi2 pk:S INCLUDE a b"
 */
int scene_table(const char *spec);

/** scene_stream - enable the stream of the table; STREAM_NONE: disable it */
int scene_stream(const char *table, enum stream_view view);

/** scene_add_index - add an index, with @spec as "+gsi ..." of scene_table(); it is built in the background */
int scene_add_index(const char *table, const char *spec);
int scene_drop_index(const char *table, const char *name);

/** scene_index - return an index as DescribeTable shows it; NULL: none */
const struct index *scene_index(const char *table, const char *name);

int scene_put(const char *table, const char *json);
int scene_put_if(const char *table, const char *json, const char *condition);
int scene_delete(const char *table, const char *key);

/** scene_expect - expect that this item is stored under the key; NULL @json: that there is no item */
void scene_expect(const char *table, const char *key, const char *json);

/** scene_check - run Check to the end, and print and count the problems */
size_t scene_check(void);

/** scene_keys - return the number of keys of the store that begin with @letter */
size_t scene_keys(char letter);

/** scene_totals - return the totals of an index, or of the table if @index is NULL */
struct totals scene_totals(const char *table, const char *index);

/** scene_message - return the message of the last error; "" if there was none */
const char *scene_message(void);

#endif
