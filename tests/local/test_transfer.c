/* Records of transfers keep all their fields, and tokens of list pages lead back to them. */
#include "store/local/archive/transfer.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

#define SAME(a, b) CU_ASSERT_TRUE(slice_eq((a), (b)))

static const struct transfer whole = {
	.id = SLICE_INIT("01600000000000-00000004"),
	.table = SLICE_INIT("Notes"),
	.uuid = SLICE_INIT("d9531f91-f692-44bd-9f7f-8408fe7471c3"),
	.token = SLICE_INIT("once"),
	.place = {SLICE_INIT("acme"), SLICE_INIT("123456789012"), SLICE_INIT("2020/nov")},
	.status = TRANSFER_FAILED,
	.started_ms = 1600000000000,
	.ended_ms = 1600000000007,
	.items = 300,
	.bytes = 70000,
	.failure_code = SLICE_INIT("S3AccessDenied"),
	.failure = SLICE_INIT("no"),
	.typed = true,
	.time_ms = 1599999999999,
};

static struct slice
record(void)
{
	struct buf b;

	buf_init(&b, &c.arena);
	transfer_encode(&b, TRANSFER_EXPORT, &whole);
	return buf_view(&b);
}

static void
a_record_keeps_everything(void)
{
	struct transfer got;

	CU_ASSERT_EQUAL_FATAL(transfer_decode(&c, TRANSFER_EXPORT, whole.id, record(), &got), 0);
	SAME(got.id, whole.id);
	SAME(got.table, whole.table);
	SAME(got.uuid, whole.uuid);
	SAME(got.token, whole.token);
	SAME(got.place.bucket, whole.place.bucket);
	SAME(got.place.owner, whole.place.owner);
	SAME(got.place.prefix, whole.place.prefix);
	CU_ASSERT_EQUAL(got.status, whole.status);
	CU_ASSERT_EQUAL(got.started_ms, whole.started_ms);
	CU_ASSERT_EQUAL(got.ended_ms, whole.ended_ms);
	CU_ASSERT_EQUAL(got.items, whole.items);
	CU_ASSERT_EQUAL(got.bytes, whole.bytes);
	SAME(got.failure_code, whole.failure_code);
	SAME(got.failure, whole.failure);
	CU_ASSERT_EQUAL(got.typed, whole.typed);
	CU_ASSERT_EQUAL(got.time_ms, whole.time_ms);
}

static void
a_record_of_an_import_keeps_everything(void)
{
	struct slice headers[] = {SLICE("P"), SLICE("Q")};
	struct index ix = {.name = SLICE("I"), .global = true, .key.pk[0] = {SLICE("G"), VALUE_N}};
	struct schema s = {.table = SLICE("Notes"),
			   .key.pk[0] = {SLICE("P"), VALUE_S},
			   .index = &ix,
			   .n_index = 1};
	struct transfer import = whole;
	struct transfer got;
	struct buf b;

	import.processed = 1000;
	import.errors = 700;
	import.source = (struct import_source){IMPORT_CSV, true, ';', headers, 2};
	import.schema = &s;
	buf_init(&b, &c.arena);
	transfer_encode(&b, TRANSFER_IMPORT, &import);
	CU_ASSERT_EQUAL_FATAL(transfer_decode(&c, TRANSFER_IMPORT, whole.id, buf_view(&b), &got),
			      0);
	SAME(got.failure, whole.failure);
	CU_ASSERT_EQUAL(got.processed, 1000);
	CU_ASSERT_EQUAL(got.errors, 700);
	CU_ASSERT_EQUAL(got.source.format, IMPORT_CSV);
	CU_ASSERT_TRUE(got.source.gzip);
	CU_ASSERT_EQUAL(got.source.delimiter, ';');
	CU_ASSERT_EQUAL_FATAL(got.source.n_headers, 2);
	SAME(got.source.headers[1], headers[1]);
	SAME(got.schema->table, s.table);
	CU_ASSERT_EQUAL(got.schema->n_index, 1);
	for (size_t n = 0; n < b.len; n++) {
		CU_ASSERT_EQUAL(
			transfer_decode(&c, TRANSFER_IMPORT, whole.id, slice_of(b.at, n), &got),
			-ERR_CORRUPT);
	}
}

/* Files are created and removed by these names, which no valid request could contain. */
static void
a_record_with_invalid_names_is_damage(void)
{
	static const struct slice ids[] = {SLICE_INIT("../../01600000000000-4"),
					   SLICE_INIT("01600000000000-4/x"), SLICE_INIT("x"),
					   SLICE_INIT("")};
	static const struct slice buckets[] = {SLICE_INIT(".."), SLICE_INIT("../etc"),
					       SLICE_INIT("/etc"), SLICE_INIT("")};
	static const struct slice prefixes[] = {SLICE_INIT("../x"), SLICE_INIT("a/../../b"),
						SLICE_INIT("/etc"), SLICE_INIT("a//b")};
	struct transfer got;

	for (size_t i = 0; i < 4; i++) {
		struct transfer forged[2] = {whole, whole};

		CU_ASSERT_EQUAL(transfer_decode(&c, TRANSFER_EXPORT, ids[i], record(), &got),
				-ERR_CORRUPT);
		forged[0].place.bucket = buckets[i];
		forged[1].place.prefix = prefixes[i];
		for (size_t j = 0; j < 2; j++) {
			struct buf b;

			buf_init(&b, &c.arena);
			transfer_encode(&b, TRANSFER_EXPORT, &forged[j]);
			CU_ASSERT_EQUAL(
				transfer_decode(&c, TRANSFER_EXPORT, whole.id, buf_view(&b), &got),
				-ERR_CORRUPT);
		}
	}
}

static void
a_truncated_or_too_long_record_is_damage(void)
{
	struct slice all = record();
	struct transfer got;

	for (size_t n = 0; n < all.len; n++) {
		CU_ASSERT_EQUAL(
			transfer_decode(&c, TRANSFER_EXPORT, whole.id, slice_of(all.at, n), &got),
			-ERR_CORRUPT);
	}
	struct buf longer;

	buf_init(&longer, &c.arena);
	buf_slice(&longer, all);
	buf_char(&longer, 'x');
	CU_ASSERT_EQUAL(transfer_decode(&c, TRANSFER_EXPORT, whole.id, buf_view(&longer), &got),
			-ERR_CORRUPT);
}

static void
a_token_leads_only_to_its_own_transfer_and_kind(void)
{
	struct slice token = transfer_token_encode(&c, TRANSFER_EXPORT, whole.id);
	struct slice id;

	CU_ASSERT_EQUAL(token.len, 112);
	CU_ASSERT_EQUAL_FATAL(transfer_token_decode(&c, TRANSFER_EXPORT, token, &id), 0);
	SAME(id, whole.id);
	CU_ASSERT_EQUAL(transfer_token_decode(&c, (enum transfer_kind)'?', token, &id),
			-ERR_VALIDATION);
}

static void
invalid_tokens_are_refused(void)
{
	static const char zeros[] = "00000000000000000000000000000000000000000000000000000000"
				    "00000000000000000000000000000000000000000000000000000000";
	static const struct slice wrong[] = {
		SLICE_INIT("x"), SLICE_INIT("65"), SLICE_INIT(zeros),
		SLICE_INIT("6530G0000000000000000000000000000000000000000000000000000000"
			   "00000000000000000000000000000000000000000000000000000000")};
	struct slice id;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		CU_ASSERT_EQUAL(transfer_token_decode(&c, TRANSFER_EXPORT, wrong[i], &id),
				-ERR_VALIDATION);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_record_keeps_everything),
	UNIT_TEST(a_record_of_an_import_keeps_everything),
	UNIT_TEST(a_record_with_invalid_names_is_damage),
	UNIT_TEST(a_truncated_or_too_long_record_is_damage),
	UNIT_TEST(a_token_leads_only_to_its_own_transfer_and_kind),
	UNIT_TEST(invalid_tokens_are_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(transfer, setup, teardown, tests);
