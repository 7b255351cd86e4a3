#include <sys/resource.h>
#include <sys/wait.h>

#include "store/base/core/base.h"
#include "store/base/core/sanitized.h"

#include "tests/support/unit.h"

static void
objects_are_zeroed(void)
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
arrays_keep_their_contents_as_they_grow(void)
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
an_empty_array_can_grow(void)
{
	volatile size_t none = 0;
	char *at = mem_resized(NULL, none, 1);

	at = mem_resized(at, 5, 1);
	memcpy(at, "text", 5);
	at = mem_resized(at, none, 1);
	at = mem_resized(at, 1, none);
	at = mem_resized(at, 3, 2);
	memcpy(at, "again", 6);
	CU_ASSERT_STRING_EQUAL(at, "again");
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
a_size_that_overflows_ends_the_program(void)
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

/* A sanitizer cannot run with a limited address space. */
#if !SANITIZED
enum { MB = 1024 * 1024, RESERVE = 32 * MB, FREE = 64 * MB };

/* Limit this process to @bytes more than it uses now. */
static void
limit_to_more(size_t bytes)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	(void)!fscanf(f, "%lu", &pages);
	(void)fclose(f);
	rlim_t most = pages * (rlim_t)sysconf(_SC_PAGESIZE) + bytes;

	(void)setrlimit(RLIMIT_AS, &(struct rlimit){most, most});
}

/* Return: 0, or the number of the check that failed */
static int
use_up(void)
{
	struct arena before;
	struct arena a;
	void *all[2 * FREE / MB];
	size_t n = 0;

	limit_to_more(RESERVE + FREE);
	mem_reserve(RESERVE);
	arena_init(&before, SIZE_MAX);
	(void)arena_bytes(&before, 1);
	if (mem_low() || !mem_enough(FREE / 2) || mem_enough(2 * (size_t)FREE) ||
	    arena_over(&before)) {
		return 1;
	}
	while (!mem_low()) {
		all[n++] = mem_resized(NULL, 1, MB);
	}
	while (mem_spare(MB)) {
		all[n++] = mem_resized(NULL, 1, MB);
	}
	/* What remains of the reserve serves allocations; a caller that wants more gets an error. */
	arena_init(&a, SIZE_MAX);
	(void)arena_bytes(&a, 4 * (size_t)MB);
	if (mem_enough(0) || !arena_over(&a) || !a.starved || arena_over(&before)) {
		return 2;
	}
	arena_drop(&a);
	while (n > 0) {
		free(all[--n]);
	}
	if (mem_low() || !mem_enough(FREE / 2)) {
		return 3;
	}
	arena_clear(&a);
	return arena_over(&a) ? 4 : 0;
}

static void
the_reserve_is_used_when_memory_runs_out_and_refilled_later(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		_exit(use_up());
	}
	CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
	CU_ASSERT_TRUE(WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 0);
}
#endif

static CU_TestInfo tests[] = {
	UNIT_TEST(objects_are_zeroed),
	UNIT_TEST(arrays_keep_their_contents_as_they_grow),
	UNIT_TEST(an_empty_array_can_grow),
	UNIT_TEST(strings_are_copied),
	UNIT_TEST(a_size_that_overflows_ends_the_program),
#if !SANITIZED
	UNIT_TEST(the_reserve_is_used_when_memory_runs_out_and_refilled_later),
#endif
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(mem, NULL, NULL, tests);
