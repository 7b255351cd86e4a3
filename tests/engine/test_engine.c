#include "store/engine/engine.h"

#include "tests/support/unit_call.h"

static int
fake_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	(void)e;
	if (in->type == OP_GET_ITEM && slice_is(in->get_item.table, "t")) {
		out->get_item.found = true;
		return 0;
	}
	return call_fail(c, ERR_NO_TABLE, "no table for %s", op_name(in->type));
}

static const struct engine_ops fake_ops = {.execute = fake_execute};
static struct engine fake = {.ops = &fake_ops};
UNIT_CALL(c);

static void
a_typed_call_returns_the_typed_result(void)
{
	struct get_item_out out = {0};

	CU_ASSERT_EQUAL(
		engine_get_item(&fake, &c, &(struct get_item_in){.table = SLICE("t")}, &out), 0);
	CU_ASSERT_TRUE(out.found);
}

static void
a_failure_keeps_its_message(void)
{
	struct put_item_out out = {0};

	CU_ASSERT_EQUAL(engine_put_item(&fake, &c, &(struct put_item_in){0}, &out), -ERR_NO_TABLE);
	CU_ASSERT_STRING_EQUAL(c.error.message, "no table for PutItem");
}

static void
fail_test(void *arg, int r)
{
	(void)arg;
	(void)r;
	CU_FAIL("a refused request was completed");
}

static void
an_engine_may_refuse_to_submit(void)
{
	struct op_in in = {.type = OP_GET_ITEM};
	struct op_out out;

	CU_ASSERT_FALSE(engine_submit(&fake, &c, &in, &out, fail_test, NULL));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_typed_call_returns_the_typed_result),
	UNIT_TEST(a_failure_keeps_its_message),
	UNIT_TEST(an_engine_may_refuse_to_submit),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(engine, setup, teardown, tests);
