/* Encoding of streams: FORMAT.md section "Streams". */
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"

#include "tests/support/items.h"
#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static const uint64_t label = 1432155070252;

static void
expect_hex(struct buf *got, const char *want)
{
	struct buf hex;

	buf_init(&hex, &c.arena);
	for (size_t i = 0; i < got->len; i++) {
		buf_fmt(&hex, "%02x", (unsigned char)got->at[i]);
	}
	if (!slice_is(buf_view(&hex), want)) {
		printf("%.*s instead of %s\n", SLICE_ARG(buf_view(&hex)), want);
		CU_FAIL("bytes differ from FORMAT.md");
	}
	buf_clear(got);
}

static struct slice
body_of(const char *json)
{
	struct item it = item_of(&c, json);
	struct buf body;

	buf_init(&body, &c.arena);
	record_body_encode(&body, &it);
	return buf_view(&body);
}

static struct stream_entry
entry(void)
{
	return (struct stream_entry){
		.time_ms = label + 747,
		.had_old = true,
		.has_new = true,
		.keys = body_of("{\"PK\":\"ADA\"}"),
		.new_image = body_of("{\"PK\":\"ADA\",\"n\":2}"),
	};
}

static const struct stream_state state = {
	.id = 7,
	.view = STREAM_NEW_IMAGE,
	.ended_seq = 258,
	.ended_ms = label,
	.trimmed = 9,
	.pk = SLICE_INIT("PK"),
	.sk = SLICE_INIT("SK"),
};

static void
bytes_are_as_format_md_says(void)
{
	struct stream_entry e = entry();
	const uint64_t seq = 258;
	struct buf b;

	buf_init(&b, &c.arena);
	buf_slice(&b, stream_key(b.arena, SLICE("tab"), &label));
	expect_hex(&b, "73"
		       "746162"
		       "00"
		       "0000014d73181f2c");
	buf_slice(&b, stream_record_key(b.arena, 7, &seq));
	expect_hex(&b, "72"
		       "0000000000000007"
		       "0000000000000102");
	stream_encode(&b, &state);
	expect_hex(&b, "0000000000000007"
		       "02"
		       "0000000000000102"
		       "0000014d73181f2c"
		       "0000000000000009"
		       "02504b"
		       "02534b");
	stream_entry_encode(&b, &e);
	expect_hex(&b, "0000014d73182217"
		       "03"
		       "09"
		       "0102504b0003414441"
		       "0e"
		       "0202504b0003414441016e010132"
		       "00");
}

static void
keys_are_decoded(void)
{
	struct slice table;
	uint64_t n = 0;
	struct buf b;

	buf_init(&b, &c.arena);
	buf_slice(&b, stream_key(b.arena, SLICE("a.b-c_d"), &label));
	CU_ASSERT_EQUAL(stream_parse_key(&c, buf_view(&b), &table, &n), 0);
	CU_ASSERT_TRUE(slice_is(table, "a.b-c_d"));
	CU_ASSERT_EQUAL(n, label);
	for (size_t i = 0; i < b.len; i++) {
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(stream_parse_key(&c, slice_of(b.at, i), &table, &n), -ERR_CORRUPT);
	}
	buf_clear(&b);
	buf_slice(&b, stream_record_key(b.arena, 7, &label));
	CU_ASSERT_EQUAL(stream_record_seq(&c, buf_view(&b), &n), 0);
	CU_ASSERT_EQUAL(n, label);
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(stream_record_seq(&c, slice_of(b.at, b.len - 1), &n), -ERR_CORRUPT);
}

static void
streams_are_decoded_or_refused(void)
{
	struct stream_state got;
	struct buf b;

	buf_init(&b, &c.arena);
	stream_encode(&b, &state);
	CU_ASSERT_EQUAL_FATAL(stream_decode(&c, buf_view(&b), &got), 0);
	CU_ASSERT_EQUAL(got.id, state.id);
	CU_ASSERT_EQUAL(got.view, state.view);
	CU_ASSERT_EQUAL(got.ended_seq, state.ended_seq);
	CU_ASSERT_EQUAL(got.ended_ms, state.ended_ms);
	CU_ASSERT_EQUAL(got.trimmed, state.trimmed);
	CU_ASSERT_TRUE(slice_is(got.pk, "PK") && slice_is(got.sk, "SK"));
	for (size_t i = 0; i < b.len; i++) {
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(stream_decode(&c, slice_of(b.at, i), &got), -ERR_CORRUPT);
	}
	b.at[8] = STREAM_NONE;
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(stream_decode(&c, buf_view(&b), &got), -ERR_CORRUPT);
	b.at[8] = STREAM_NEW_AND_OLD_IMAGES + 1;
	CU_ASSERT_EQUAL(stream_decode(&c, buf_view(&b), &got), -ERR_CORRUPT);
}

static void
records_are_decoded_or_refused(void)
{
	struct stream_entry e = entry();
	struct stream_entry got;
	struct buf b;

	e.service = true;
	e.old_image = SLICE("old");
	buf_init(&b, &c.arena);
	stream_entry_encode(&b, &e);
	CU_ASSERT_EQUAL_FATAL(stream_entry_decode(&c, buf_view(&b), &got), 0);
	CU_ASSERT_EQUAL(got.time_ms, e.time_ms);
	CU_ASSERT_TRUE(got.had_old && got.has_new && got.service);
	CU_ASSERT_TRUE(slice_eq(got.keys, e.keys));
	CU_ASSERT_TRUE(slice_eq(got.new_image, e.new_image));
	CU_ASSERT_TRUE(slice_eq(got.old_image, e.old_image));
	for (size_t i = 0; i < b.len; i++) {
		c.error = (struct error){0};
		CU_ASSERT_EQUAL(stream_entry_decode(&c, slice_of(b.at, i), &got), -ERR_CORRUPT);
	}
	/* A record without an image before and after is invalid. */
	b.at[8] = 4;
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(stream_entry_decode(&c, buf_view(&b), &got), -ERR_CORRUPT);
	b.at[8] = 8;
	CU_ASSERT_EQUAL(stream_entry_decode(&c, buf_view(&b), &got), -ERR_CORRUPT);
}

static void
records_are_kept_for_24_hours(void)
{
	const uint64_t day = 86400000;

	CU_ASSERT_FALSE(stream_old(1000, 1000 + day - 1));
	CU_ASSERT_TRUE(stream_old(1000, 1000 + day));
	/* The clock was set back: the record is taken as one of today. */
	CU_ASSERT_FALSE(stream_old(2 * day, 1000));
	CU_ASSERT_FALSE(stream_gone(&(struct stream_state){.ended_seq = 0}, 5 * day));
	CU_ASSERT_TRUE(
		stream_gone(&(struct stream_state){.ended_seq = 1, .ended_ms = 1000}, 1000 + day));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(bytes_are_as_format_md_says),    UNIT_TEST(keys_are_decoded),
	UNIT_TEST(streams_are_decoded_or_refused), UNIT_TEST(records_are_decoded_or_refused),
	UNIT_TEST(records_are_kept_for_24_hours),  CU_TEST_INFO_NULL,
};

UNIT_SUITE(stream_state, setup, teardown, tests);
