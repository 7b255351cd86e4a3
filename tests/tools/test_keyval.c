#include "tools/session/keyval.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const struct key_schema composite = {.pk = {{SLICE_INIT("PK"), VALUE_S}},
					    .sk = {{SLICE_INIT("SK"), VALUE_N}}};
static const struct key_schema simple = {.pk = {{SLICE_INIT("PK"), VALUE_S}}};

static void
makes_keys_of_one_and_two_values(void)
{
	struct slice sk = SLICE("12");
	struct item key;

	CU_ASSERT_EQUAL(keyval_key(&c, &composite, SLICE("a"), &sk, &key), 0);
	CU_ASSERT_EQUAL_FATAL(key.n, 2);
	CU_ASSERT_TRUE(slice_is(key.at[1].name, "SK"));
	CU_ASSERT_EQUAL(key.at[1].value.type, VALUE_N);
	CU_ASSERT_EQUAL(keyval_key(&c, &simple, SLICE("a"), NULL, &key), 0);
	CU_ASSERT_EQUAL(key.n, 1);
}

static void
refuses_missing_and_superfluous_values(void)
{
	struct slice sk = SLICE("12");
	struct item key;

	CU_ASSERT_EQUAL(keyval_key(&c, &composite, SLICE("a"), NULL, &key), -ERR_USAGE);
	call_close(&c);
	CU_ASSERT_EQUAL(keyval_key(&c, &simple, SLICE("a"), &sk, &key), -ERR_USAGE);
}

static void
picks_keys_out_of_items(void)
{
	struct attr attrs[] = {
		{SLICE_INIT("x"), {.type = VALUE_NULL}},
		{SLICE_INIT("SK"), {.type = VALUE_N, .text = SLICE_INIT("5")}},
		{SLICE_INIT("PK"), {.type = VALUE_S, .text = SLICE_INIT("a")}},
	};
	struct item it = {attrs, 3};
	struct item key;

	CU_ASSERT_EQUAL(keyval_pick(&c, &composite, &it, &key), 0);
	CU_ASSERT_EQUAL_FATAL(key.n, 2);
	CU_ASSERT_TRUE(slice_is(key.at[0].value.text, "a"));
	CU_ASSERT_TRUE(slice_is(key.at[1].value.text, "5"));
	it.n = 2;
	CU_ASSERT_EQUAL(keyval_pick(&c, &composite, &it, &key), -ERR_USAGE);
	call_close(&c);
	attrs[1].value.type = VALUE_S;
	it.n = 3;
	CU_ASSERT_EQUAL(keyval_pick(&c, &composite, &it, &key), -ERR_USAGE);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(makes_keys_of_one_and_two_values),
	UNIT_TEST(refuses_missing_and_superfluous_values),
	UNIT_TEST(picks_keys_out_of_items),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(keyval, setup, teardown, tests);
