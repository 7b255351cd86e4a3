#include "tools/system/lines.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Read all items of @l; return their bytes. */
static uint64_t
read_all(struct lines *l)
{
	struct item it;
	int r = 0;

	while (r == 0) {
		r = lines_next(&c, l, &it);
	}
	CU_ASSERT_EQUAL(r, LINES_END);
	return l->bytes;
}

static void
knows_how_much_of_a_file_is_left(void)
{
	FILE *f = tmpfile();
	struct lines l;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	(void)fputs("first\n{\"a\":1}\n\n{\"a\":\n2}", f);
	(void)fseek(f, 6, SEEK_SET);
	lines_init(&l, f);
	CU_ASSERT_EQUAL(l.total, 17);
	CU_ASSERT_EQUAL(l.bytes, 0);
	CU_ASSERT_EQUAL(read_all(&l), 17);
	lines_init(&l, f);
	CU_ASSERT_EQUAL(l.total, 0);
	(void)fclose(f);
}

static void
does_not_know_the_length_of_a_pipe(void)
{
	int ends[2];
	struct lines l;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	FILE *f = fdopen(ends[0], "r");

	CU_ASSERT_EQUAL(write(ends[1], "{\"a\":1}\n", 8), 8);
	(void)close(ends[1]);
	lines_init(&l, f);
	CU_ASSERT_EQUAL(l.total, 0);
	CU_ASSERT_EQUAL(read_all(&l), 8);
	(void)fclose(f);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(knows_how_much_of_a_file_is_left),
	UNIT_TEST(does_not_know_the_length_of_a_pipe),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(lines, setup, teardown, tests);
