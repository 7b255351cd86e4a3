#include "tools/out/out_yaml.h"

#include "tests/support/unit.h"

static struct buf out;

static void
setup(void)
{
	buf_init(&out, NULL);
}

static void
teardown(void)
{
	buf_release(&out);
}

static void
prints_json_as_an_element_of_a_list(void)
{
	out_yaml(&out, SLICE("{\"a\":[1,2],\"b\":\"x\"}"), true);
	CU_ASSERT_TRUE(slice_is(buf_view(&out), "- a:\n    - 1\n    - 2\n  b: x\n"));
}

/* JSON is valid YAML, also after "- ". */
static void
prints_an_element_that_is_too_large_as_json(void)
{
	enum { VALUES = 1024 * 1024 };
	struct buf text = {0};

	buf_str(&text, "{\"a\":[1");
	for (size_t i = 0; i < VALUES; i++) {
		buf_str(&text, ",1");
	}
	buf_str(&text, "]}");
	out_yaml(&out, buf_view(&text), true);
	CU_ASSERT_EQUAL(out.len, 2 + text.len + 1);
	CU_ASSERT_TRUE(slice_starts(buf_view(&out), SLICE("- {\"a\":[1,1,")));
	buf_release(&text);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(prints_json_as_an_element_of_a_list),
	UNIT_TEST(prints_an_element_that_is_too_large_as_json),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(yaml, setup, teardown, tests);
