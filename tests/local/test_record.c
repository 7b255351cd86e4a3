#include "store/local/records/record.h"
#include "store/model/item_json.h"
#include "store/op/op.h"

#include "tests/support/rng.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

static struct item
parse(const char *text)
{
	const struct json *json = NULL;
	struct item it = {0};
	int r = json_parse(&c, slice_from(text), JSON_STRICT, &json);

	if (r == 0) {
		r = item_from_json(&c, json, &it);
	}
	CU_ASSERT_EQUAL_FATAL(r, 0);
	return it;
}

static struct slice
encode(const struct item *it, uint64_t rendered, uint64_t mtime)
{
	struct buf b;

	buf_init(&b, &c.arena);
	record_encode(&b, &(struct record_head){.rendered_bytes = rendered, .mtime_ns = mtime}, it);
	return buf_view(&b);
}

static void
records_are_as_format_md_says(void)
{
	static const struct {
		const char *item;
		const char *hex;
	} cases[] = {
		{"{\"PK\":\"ADA\",\"Total\":42.5}", "1a"
						    "17c9e2a3b4c5d600"
						    "02"
						    "02504b"
						    "00"
						    "03414441"
						    "05546f74616c"
						    "01"
						    "0434322e35"},
		{"{\"a\":[true,null,{\"B\":\"AP8=\"}],\"b\":{\"c\":{\"NS\":[1,-2]}}}",
		 "1a"
		 "17c9e2a3b4c5d600"
		 "02"
		 "0161"
		 "05"
		 "03"
		 "03"
		 "01"
		 "04"
		 "02"
		 "02"
		 "00ff"
		 "0162"
		 "06"
		 "01"
		 "0163"
		 "08"
		 "02"
		 "02"
		 "2d32"
		 "01"
		 "31"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct item it = parse(cases[i].item);
		struct slice record = encode(&it, 26, UINT64_C(0x17c9e2a3b4c5d600));
		struct buf hex;

		buf_init(&hex, &c.arena);
		for (size_t n = 0; n < record.len; n++) {
			buf_fmt(&hex, "%02x", (unsigned char)record.at[n]);
		}
		if (!slice_is(buf_view(&hex), cases[i].hex)) {
			printf("case %zu: %.*s\n", i, SLICE_ARG(buf_view(&hex)));
			CU_FAIL("a record differs from FORMAT.md");
		}
	}
}

static void
every_item_comes_back_in_its_order(void)
{
	struct rng d = {1};

	for (int i = 0; i < 5000; i++) {
		struct item it = rng_item(&d, &c.arena, 8);
		struct slice record = encode(&it, (uint64_t)i * 1000, UINT64_MAX - (uint64_t)i);
		struct record_head head;
		struct item back;
		int r = record_decode(&c, record, &head, &back);

		CU_ASSERT_EQUAL_FATAL(r, 0);
		CU_ASSERT_EQUAL(head.rendered_bytes, (uint64_t)i * 1000);
		CU_ASSERT_EQUAL(head.mtime_ns, UINT64_MAX - (uint64_t)i);
		CU_ASSERT_TRUE(item_eq(&it, &back));
		CU_ASSERT_TRUE(slice_eq(encode(&back, head.rendered_bytes, head.mtime_ns), record));
	}
}

static void
sizes_agree_with_and_without_decoding(void)
{
	struct rng d = {2};

	for (int i = 0; i < 5000; i++) {
		struct item it = rng_item(&d, &c.arena, 8);
		struct slice record = encode(&it, 1, 1);
		struct item back;
		size_t decoded = 0;
		size_t measured = 0;
		int r = record_decode_sized(&c, record, NULL, &back, &decoded);

		CU_ASSERT_EQUAL(r, 0);
		r = record_measure(&c, record, &measured);
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(decoded, item_size(&it));
		CU_ASSERT_EQUAL(measured, item_size(&it));
	}
}

static void
the_text_of_a_record_is_that_of_its_item(void)
{
	struct rng d = {4};

	for (int i = 0; i < 2000; i++) {
		struct item it = rng_item(&d, &c.arena, i % 9);
		enum item_form form = i % 2 == 0 ? ITEM_TYPED : ITEM_PLAIN;
		struct buf want, text;
		size_t bytes = 0;

		buf_init(&want, &c.arena);
		buf_init(&text, &c.arena);
		item_put_json(&want, &it, form);

		int r = record_put_json(&c, encode(&it, 1, 1), form, &text, &bytes);

		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_TRUE(slice_eq(buf_view(&text), buf_view(&want)));
		CU_ASSERT_EQUAL(bytes, item_size(&it));
	}
}

static void
measuring_allocates_nothing(void)
{
	struct rng d = {3};

	for (int i = 0; i < 100; i++) {
		struct item it = rng_item(&d, &c.arena, 8);
		struct slice record = encode(&it, 1, 1);
		size_t used = c.arena.used;
		size_t bytes;
		struct record_head head;
		int r = record_measure(&c, record, &bytes);

		CU_ASSERT_EQUAL(r, 0);
		r = record_head(&c, record, &head);
		CU_ASSERT_EQUAL(r, 0);
		CU_ASSERT_EQUAL(c.arena.used, used);
	}
}

static void
one_attribute_is_found_without_the_others(void)
{
	struct rng d = {6};

	for (int i = 0; i < 1000; i++) {
		struct item it = rng_item(&d, &c.arena, 5);
		struct slice record = encode(&it, 300, 1);
		size_t used = c.arena.used;
		struct value v;

		for (size_t n = 0; n < it.n; n++) {
			const struct value *want = &it.at[n].value;
			int r = record_find(&c, record, it.at[n].name, &v);

			CU_ASSERT_EQUAL(r, 0);
			CU_ASSERT_EQUAL(v.type, want->type);
			CU_ASSERT_TRUE(!value_is_ordered(v.type) || value_eq(&v, want));
		}
		int r = record_find(&c, record, SLICE("none"), &v);

		CU_ASSERT_EQUAL(r, RECORD_NONE);
		CU_ASSERT_EQUAL(c.arena.used, used);
	}
}

/* Decoding and measuring must agree on any bytes; memory stays proportional to their number. */
static int
probe(struct slice bytes)
{
	struct call own;
	struct item it;
	struct value v;
	struct buf text;
	size_t measured;

	call_open(&own, 0, 1 << 20);

	int r = record_decode(&own, bytes, NULL, &it);

	CU_ASSERT_TRUE(own.arena.used <= 64 * bytes.len + 1024);
	call_close(&own);
	call_open(&own, 0, 1 << 20);
	CU_ASSERT_EQUAL(record_measure(&own, bytes, &measured), r);
	call_close(&own);
	call_open(&own, 0, 1 << 20);
	buf_init(&text, &own.arena);
	CU_ASSERT_EQUAL(record_put_json(&own, bytes, ITEM_TYPED, &text, &measured), r);
	call_close(&own);
	call_open(&own, 0, 1 << 20);
	int found = record_find(&own, bytes, SLICE("none"), &v);

	CU_ASSERT_TRUE(found == RECORD_NONE || (found == -ERR_CORRUPT && r < 0));
	call_close(&own);
	if (r < 0) {
		CU_ASSERT_EQUAL(r, -ERR_CORRUPT);
	}
	return r;
}

static void
every_truncated_record_is_refused(void)
{
	struct rng d = {4};

	for (int i = 0; i < 100; i++) {
		struct item it = rng_item(&d, &c.arena, 4);
		struct slice record = encode(&it, 300, 1);

		for (size_t n = 0; n < record.len; n++) {
			CU_ASSERT_EQUAL(probe(slice_of(record.at, n)), -ERR_CORRUPT);
		}
		CU_ASSERT_EQUAL(probe(record), 0);

		char *more = arena_new(&c.arena, char, record.len + 1);

		memcpy(more, record.at, record.len);
		CU_ASSERT_EQUAL(probe(slice_of(more, record.len + 1)), -ERR_CORRUPT);
	}
}

static void
any_damage_is_survived(void)
{
	struct rng d = {5};

	for (int i = 0; i < 20000; i++) {
		struct item it = rng_item(&d, &c.arena, 4);
		struct slice record = encode(&it, 300, 1);
		struct slice copy = slice_copy(&c.arena, record);
		char *at = (char *)copy.at;

		for (uint32_t n = rng_roll(&d, 3) + 1; n > 0; n--) {
			at[rng_roll(&d, (uint32_t)copy.len)] = (char)rng_roll(&d, 256);
		}
		(void)probe(copy);
	}
}

static void
counts_beyond_the_record_allocate_nothing(void)
{
	static const struct slice bad[] = {
		/* 2^63 attributes */
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"),
		/* one attribute that is a list of 2^31 elements */
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x05\x80\x80\x80\x80\x08"),
		/* a string longer than the rest of the record */
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x00\x05"
			   "abcd"),
		/* overlong varint, BOOL 2, type 10, an invalid number */
		SLICE_INIT("\x81\x00\0\0\0\0\0\0\0\1\x00"),
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x03\x02"),
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x0a"),
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x01\x02"
			   "1e"),
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x01\x01-"),
		SLICE_INIT("\x01\0\0\0\0\0\0\0\1\x01\x01"
			   "a\x01\x00"),
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		CU_ASSERT_EQUAL(probe(bad[i]), -ERR_CORRUPT);
	}
}

/* Each nested list claims to have as many elements as bytes are left. */
static void
nested_counts_do_not_multiply_memory(void)
{
	enum { BYTES = 100000, LEVELS = 60 };
	struct buf b;

	buf_init(&b, &c.arena);
	record_encode(&b, &(struct record_head){0}, &(struct item){0});
	b.at[b.len - 1] = 1;
	buf_put(&b,
		"\x01"
		"a\x05",
		3);
	for (int i = 0; i < LEVELS; i++) {
		buf_varint(&b, BYTES);
		buf_char(&b, VALUE_L);
	}
	memset(buf_room(&b, BYTES), VALUE_NULL, BYTES);
	b.len += BYTES;
	CU_ASSERT_EQUAL(probe(buf_view(&b)), -ERR_CORRUPT);
}

static void
nesting_beyond_any_item_is_refused(void)
{
	for (size_t levels = 1; levels < 200; levels += 9) {
		struct buf b;

		buf_init(&b, &c.arena);
		record_encode(&b, &(struct record_head){0}, &(struct item){0});
		b.at[b.len - 1] = 1;
		buf_put(&b,
			"\x01"
			"a",
			2);
		for (size_t i = 0; i < levels; i++) {
			buf_put(&b, "\x05\x01", 2);
		}
		buf_char(&b, VALUE_NULL);
		CU_ASSERT_EQUAL(probe(buf_view(&b)), levels <= 64 ? 0 : -ERR_CORRUPT);
	}
}

static void
counts_come_back(void)
{
	static const uint64_t some[] = {0, 1, 127, 128, 1 << 20, UINT64_MAX};

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++) {
		struct record_counts n = {some[i], some[5 - i], {300}};
		struct record_counts n_back = {0};
		struct buf b;

		buf_init(&b, &c.arena);
		record_counts_encode(&b, &n);
		CU_ASSERT_EQUAL(record_counts_decode(&c, buf_view(&b), &n_back), 0);
		CU_ASSERT_EQUAL(memcmp(&n, &n_back, sizeof(n)), 0);
	}
}

static void
damaged_counts_are_refused(void)
{
	static const struct slice bad[] = {
		SLICE_INIT(""),
		SLICE_INIT("\x01\x02"),
		SLICE_INIT("\x01\x02\x80"),
		SLICE_INIT("\x01\x02\x03\x04"),
		SLICE_INIT("\x01\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct record_counts n;

		CU_ASSERT_EQUAL(record_counts_decode(&c, bad[i], &n), -ERR_CORRUPT);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(records_are_as_format_md_says),
	UNIT_TEST(every_item_comes_back_in_its_order),
	UNIT_TEST(sizes_agree_with_and_without_decoding),
	UNIT_TEST(the_text_of_a_record_is_that_of_its_item),
	UNIT_TEST(measuring_allocates_nothing),
	UNIT_TEST(one_attribute_is_found_without_the_others),
	UNIT_TEST(every_truncated_record_is_refused),
	UNIT_TEST(any_damage_is_survived),
	UNIT_TEST(counts_beyond_the_record_allocate_nothing),
	UNIT_TEST(nested_counts_do_not_multiply_memory),
	UNIT_TEST(nesting_beyond_any_item_is_refused),
	UNIT_TEST(counts_come_back),
	UNIT_TEST(damaged_counts_are_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(record, setup, teardown, tests);
