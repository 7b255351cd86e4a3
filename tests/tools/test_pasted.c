#include "tools/cli/commands.h"
#include "tools/cli/pasted.h"
#include "tools/cmd/cmd.h"

#include "tests/support/unit.h"

static struct buf out;

static void
setup(void)
{
	commands_use(cmd_groups);
	buf_init(&out, NULL);
}

static void
teardown(void)
{
	buf_release(&out);
}

static bool
gives(const char *message, const char *store, const char *expected)
{
	buf_clear(&out);
	pasted_put(&out, slice_from(message), store);
	return slice_is(buf_view(&out), expected);
}

static void
inserts_the_store_into_command_lines(void)
{
	CU_ASSERT_TRUE(gives("try: itemctl tables", "./db", "try: itemctl -s ./db tables"));
	CU_ASSERT_TRUE(gives("try: itemctl -s x tables", "./db", "try: itemctl -s x tables"));
	CU_ASSERT_TRUE(gives("a\nitemctl tables\n\nitemctl get t 1\n", "./db",
			     "a\nitemctl -s ./db tables\n\nitemctl -s ./db get t 1\n"));
}

static void
looks_for_a_port_only_in_the_same_command_line(void)
{
	CU_ASSERT_TRUE(
		gives("itemctl query t --port 8000", "http://h:1", "itemctl query t --port 8000"));
	CU_ASSERT_TRUE(gives("itemctl tables\nor with --port 8000 elsewhere", "http://h:1",
			     "itemctl -s http://h:1 tables\nor with --port 8000 elsewhere"));
	CU_ASSERT_TRUE(gives("itemctl tables && itemctl serve ./db --port 8000", "http://h:1",
			     "itemctl -s http://h:1 tables && itemctl serve ./db --port 8000"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(inserts_the_store_into_command_lines),
	UNIT_TEST(looks_for_a_port_only_in_the_same_command_line),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(pasted, setup, teardown, tests);
