#include "fs/core/memory_account.h"
#include "fs/file/buffer.h"

#include "tests/support/unit.h"

enum { MAX = ACCOUNT_BYTES_MAX };

static struct accounts all;

static void
setup(void)
{
	accounts_init(&all);
}

static void
teardown(void)
{
	CU_ASSERT_EQUAL(accounts_bytes(&all), 0);
	accounts_release(&all);
}

static struct usage
usage_of(uint32_t uid)
{
	return (struct usage){.account = account_of(&all, uid)};
}

static void
refuses_a_usage_beyond_the_limit_and_changes_nothing(void)
{
	struct usage one = usage_of(7), two = usage_of(7);

	CU_ASSERT_TRUE(usage_resize(&one, MAX - 10));
	CU_ASSERT_TRUE(usage_resize(&two, 10));
	CU_ASSERT_FALSE(usage_resize(&two, 11));
	CU_ASSERT_FALSE(usage_resize(&two, SIZE_MAX));
	CU_ASSERT_EQUAL(two.bytes, 10);
	CU_ASSERT_EQUAL(accounts_bytes(&all), MAX);
	CU_ASSERT_TRUE(usage_resize(&one, 5));
	CU_ASSERT_TRUE(usage_resize(&two, MAX - 5));
	usage_end(&one);
	usage_end(&two);
	usage_end(&two);
}

static void
users_have_separate_limits(void)
{
	struct usage one = usage_of(7), two = usage_of(8);

	CU_ASSERT_PTR_EQUAL(account_of(&all, 7), one.account);
	CU_ASSERT_TRUE(usage_resize(&one, MAX));
	CU_ASSERT_TRUE(usage_resize(&two, MAX));
	CU_ASSERT_FALSE(usage_resize(&two, MAX + 1));
	usage_end(&one);
	usage_end(&two);
}

static void
an_object_counts_its_largest_size(void)
{
	struct usage ch = usage_of(7);

	CU_ASSERT_TRUE(usage_raise(&ch, 100));
	CU_ASSERT_TRUE(usage_raise(&ch, 10));
	CU_ASSERT_EQUAL(ch.bytes, 100);
	/* A usage keeps its account until it ends. */
	usage_begin(&ch, account_of(&all, 8));
	CU_ASSERT_EQUAL(ch.account->uid, 7);
	usage_end(&ch);
	usage_begin(&ch, account_of(&all, 8));
	CU_ASSERT_EQUAL(ch.account->uid, 8);
}

static void
growth_that_cannot_be_refused_is_counted_too(void)
{
	struct usage one = usage_of(7), two = usage_of(7), nobody = {.account = NULL};

	usage_set(&one, MAX + 5);
	CU_ASSERT_EQUAL(accounts_bytes(&all), MAX + 5);
	CU_ASSERT_FALSE(usage_resize(&two, 1));
	two.spare = true;
	CU_ASSERT_TRUE(usage_resize(&two, ACCOUNT_SPARE - 5));
	CU_ASSERT_FALSE(usage_resize(&two, ACCOUNT_SPARE - 4));
	usage_end(&one);
	usage_end(&two);
	CU_ASSERT_TRUE(usage_resize(&nobody, SIZE_MAX));
	usage_end(&nobody);
}

static void
a_text_counts_at_its_greatest_length(void)
{
	struct buffer b;
	struct call c;

	call_open(&c, 0, SIZE_MAX);
	buffer_init(&b);
	CU_ASSERT_TRUE(buffer_reserve(&b, account_of(&all, 7), 1000));
	buffer_resize(&b, 1000);
	buffer_resize(&b, 1);
	CU_ASSERT_EQUAL(accounts_bytes(&all), 1000);
	CU_ASSERT_FALSE(buffer_reserve(&b, account_of(&all, 8), MAX + 1));
	CU_ASSERT_EQUAL(account_full(&c), -ERR_NO_SPACE);
	/* The same holds for a buffer that grew without a reservation. */
	buffer_load(&b, SLICE("{}"));
	buffer_store(&b, 1500, SLICE("x"));
	CU_ASSERT_EQUAL(accounts_bytes(&all), 1501);
	buffer_release(&b);
	CU_ASSERT_EQUAL(accounts_bytes(&all), 0);
	call_close(&c);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(refuses_a_usage_beyond_the_limit_and_changes_nothing),
	UNIT_TEST(users_have_separate_limits),
	UNIT_TEST(an_object_counts_its_largest_size),
	UNIT_TEST(growth_that_cannot_be_refused_is_counted_too),
	UNIT_TEST(a_text_counts_at_its_greatest_length),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(account, setup, teardown, tests);
