/* Shard iterators: the store accepts its own for a while, and nothing else. */
#include "store/local/tables/stream_place.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const struct stream_place place = {
	.stream = 0x0102030405060708,
	.made_ms = 1000,
	.seq = UINT64_MAX,
	.horizon = true,
};

static int
read_at(uint64_t now_ms, struct slice iterator, struct slice *arn, struct stream_place *out)
{
	c.error = (struct error){0};
	c.now_ms = now_ms;
	return stream_place_read(&c, iterator, arn, out);
}

static void
an_iterator_is_decoded_as_it_was_encoded(void)
{
	struct slice it = stream_place_write(&c, SLICE("arn"), &place);
	struct stream_place got;
	struct slice arn;

	CU_ASSERT_EQUAL_FATAL(read_at(1000, it, &arn, &got), 0);
	CU_ASSERT_TRUE(slice_is(arn, "arn"));
	CU_ASSERT_EQUAL(got.stream, place.stream);
	CU_ASSERT_EQUAL(got.made_ms, place.made_ms);
	CU_ASSERT_EQUAL(got.seq, place.seq);
	CU_ASSERT_TRUE(got.horizon);
	/* The clock may have been set back. */
	CU_ASSERT_EQUAL(read_at(0, it, &arn, &got), 0);
	CU_ASSERT_EQUAL(read_at(1000 + 15 * 60 * 1000, it, &arn, &got), -ERR_EXPIRED_ITERATOR);
}

static void
modified_or_truncated_iterators_are_refused(void)
{
	struct slice it = stream_place_write(&c, SLICE("arn"), &place);
	struct stream_place got;
	struct slice arn;

	for (size_t i = 0; i < it.len; i++) {
		char *copy = (char *)slice_copy(&c.arena, it).at;

		copy[i] = copy[i] == 'B' ? 'C' : 'B';
		CU_ASSERT_EQUAL(read_at(1000, slice_of(copy, it.len), &arn, &got), -ERR_VALIDATION);
		CU_ASSERT_STRING_EQUAL(c.error.message, "Invalid ShardIterator");
		CU_ASSERT_EQUAL(read_at(1000, slice_of(it.at, i), &arn, &got), -ERR_VALIDATION);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_iterator_is_decoded_as_it_was_encoded),
	UNIT_TEST(modified_or_truncated_iterators_are_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_place, setup, teardown, tests);
