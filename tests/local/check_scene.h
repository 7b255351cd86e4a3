/* check_scene - the store that the suites of the self-check share */
#ifndef TESTS_LOCAL_CHECK_SCENE_H
#define TESTS_LOCAL_CHECK_SCENE_H

#include "tests/support/scene.h"

extern const struct schema *check_table; /* of "tab" */

/** check_open - a scene with two tables and four items; end it with scene_close() */
void check_open(void);

struct check_result {
	size_t problems;
	bool found; /* the problem that was looked for */
	uint64_t items;
	uint64_t entries;
	size_t pages;
};

/** check_run - all pages of a check; prints the problems unless one is looked for */
struct check_result check_run(const char *look_for);

#endif
