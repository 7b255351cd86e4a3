/*
 * scene - an embedded engine in memory with one call, and operations in one line
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
	struct kv *fault; /* kv_fault around it: what the engine stands on */
	struct engine *e;
};

extern struct scene scene;

/** scene_open, scene_close - setup and teardown of a suite */
void scene_open(void);
void scene_close(void);

/** scene_restart - close the engine and open it on what is stored; 0 or its error */
int scene_restart(void);

/** scene_continue - likewise on another kv_mem, which the engine will own */
int scene_continue(struct kv *mem);

/** scene_item - parse JSON; the memory is the scene's call's */
struct item scene_item(const char *json);

/**
 * scene_table - create the table of @spec
 *
 * Shape: "name pk:S sk:N | +gsi pk:S sk:N ALL | -lsi sk:S KEYS_ONLY | +gsi2 pk:S INCLUDE a b"
 */
int scene_table(const char *spec);

/** scene_stream - switch the table's stream on; STREAM_NONE: off */
int scene_stream(const char *table, enum stream_view view);

/** scene_add_index - as "+gsi ..." of scene_table(); it is filled in the background */
int scene_add_index(const char *table, const char *spec);
int scene_drop_index(const char *table, const char *name);

/** scene_index - of a table, as DescribeTable shows it; NULL: there is none */
const struct index *scene_index(const char *table, const char *name);

int scene_put(const char *table, const char *json);
int scene_put_if(const char *table, const char *json, const char *condition);
int scene_delete(const char *table, const char *key);

/** scene_expect - is this item stored under its key? NULL @json: is there none? */
void scene_expect(const char *table, const char *key, const char *json);

/** scene_check - run Check to its end; prints and counts the problems */
size_t scene_check(void);

/** scene_keys - how many keys of the store begin with @letter */
size_t scene_keys(char letter);

/** scene_totals - of the table, @index NULL, or of an index */
struct totals scene_totals(const char *table, const char *index);

/** scene_message - of the last error; "" when there was none */
const char *scene_message(void);

#endif
