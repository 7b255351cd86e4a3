#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/mem.h"

#include "tests/support/unit.h"

static void
objects_begin_as_zero(void)
{
	enum { MANY = 100000 };
	long *one = mem_new(long);
	char *many = mem_array(char, MANY);

	CU_ASSERT_EQUAL(*one, 0);
	for (size_t i = 0; i < MANY; i++) {
		CU_ASSERT_EQUAL_FATAL(many[i], 0);
	}
	free(one);
	free(many);
}

static void
arrays_keep_what_they_hold_as_they_grow(void)
{
	size_t *at = NULL;

	for (size_t n = 1; n < 2000; n *= 3) {
		at = mem_resized(at, n, sizeof(*at));
		for (size_t i = n / 3; i < n; i++) {
			at[i] = i;
		}
		for (size_t i = 0; i < n; i++) {
			CU_ASSERT_EQUAL(at[i], i);
		}
	}
	free(at);
}

static void
strings_are_copied(void)
{
	char text[] = "text";
	char *copy = mem_string(text);

	text[0] = 'n';
	CU_ASSERT_STRING_EQUAL(copy, "text");
	free(copy);
}

static void
a_number_that_overflows_ends_the_program(void)
{
	volatile size_t much = SIZE_MAX / 2;
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		(void)close(STDERR_FILENO);
		(void)mem_resized(NULL, much, much);
		_exit(0);
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_FALSE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(objects_begin_as_zero),
	UNIT_TEST(arrays_keep_what_they_hold_as_they_grow),
	UNIT_TEST(strings_are_copied),
	UNIT_TEST(a_number_that_overflows_ends_the_program),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(mem, NULL, NULL, tests);
