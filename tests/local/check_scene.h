/* check_scene - the store that the suites of the self-check share */
#ifndef TESTS_LOCAL_CHECK_SCENE_H
#define TESTS_LOCAL_CHECK_SCENE_H

#include "tests/support/scene.h"

extern const struct schema *check_table; /* of "tab" */

/** check_open - a scene with two tables and four items; end it with scene_close() */
void check_open(void);

/** check_fill - @n more items of "tab", each with an entry in LSI */
void check_fill(unsigned n);

struct check_result {
	size_t problems;
	size_t repaired;
	struct slice found; /* the problem that was looked for; empty: it is not there */
	uint64_t items;
	uint64_t entries;
	uint64_t looked;
	uint64_t ahead;
	size_t pages;
};

/** check_run - all pages of a check; prints the problems unless one is looked for */
struct check_result check_run(const char *look_for);

/** check_repair - likewise, of a repair */
struct check_result check_repair(const char *look_for);

/** check_open_folder - check_open(), of a store with a directory; end it with check_close_folder() */
void check_open_folder(void);
void check_close_folder(void);

/** check_set_folder - likewise of the engine as it is by now */
void check_set_folder(void);

/** check_moved - what repairs have moved to files */
struct slice check_moved(void);

#endif
