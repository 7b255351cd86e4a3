/* check_fixture - the store that the suites of the self-check share */
#ifndef TESTS_LOCAL_CHECK_FIXTURE_H
#define TESTS_LOCAL_CHECK_FIXTURE_H

#include "tests/support/fixture.h"

extern const struct schema *check_table; /* schema of "tab" */

/** check_open - a scene with two tables and four items; end it with fixture_close() */
void check_open(void);

/** check_fill - put @n more items into "tab", each with an entry in LSI */
void check_fill(unsigned n);

struct check_result {
	size_t problems;
	size_t repaired;
	struct slice found; /* the problem that was searched for; empty if it was not found */
	uint64_t items;
	uint64_t entries;
	uint64_t looked;
	uint64_t ahead;
	size_t pages;
};

/** check_run - read all pages of a check; print the problems unless @look_for is given */
struct check_result check_run(const char *look_for);

/** check_repair - like check_run(), with repair */
struct check_result check_repair(const char *look_for);

/** check_open_folder - like check_open(), for a store with a directory; end it with check_close_folder() */
void check_open_folder(void);
void check_close_folder(void);

/** check_set_folder - give the current engine the directory, too */
void check_set_folder(void);

/** check_moved - contents of the files that repairs wrote */
struct slice check_moved(void);

#endif
