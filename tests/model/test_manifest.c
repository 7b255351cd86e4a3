#include "store/model/manifest.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
a_written_manifest_can_be_read(void)
{
	struct manifest_file f = {.key = SLICE("p/AWSDynamoDB/1/data/x.json.gz"),
				  .items = 7,
				  .md5 = {0xd4, 0x1d, 0x8c, 0xd9, 0x8f, 0x00, 0xb2, 0x04, 0xe9,
					  0x80, 0x09, 0x98, 0xec, 0xf8, 0x42, 0x7e}};
	struct manifest_file back;
	uint64_t items;
	struct manifest m = {
		.table = SLICE("t"), .id = SLICE("1"), .files = SLICE("k"), .items = 7};
	struct buf text;

	buf_init(&text, &c.arena);
	manifest_put_file(&text, &f);
	CU_ASSERT_TRUE(slice_is(buf_view(&text),
				"{\"itemCount\":7,\"md5Checksum\":\"1B2M2Y8AsgTpgAmY7PhCfg==\","
				"\"etag\":\"d41d8cd98f00b204e9800998ecf8427e\","
				"\"dataFileS3Key\":\"p/AWSDynamoDB/1/data/x.json.gz\"}\n"));
	CU_ASSERT_EQUAL(manifest_read_file(&c, buf_view(&text), &back), 0);
	CU_ASSERT_TRUE(slice_eq(back.key, f.key));
	CU_ASSERT_EQUAL(memcmp(back.md5, f.md5, sizeof(f.md5)), 0);
	CU_ASSERT_EQUAL(back.items, 7);
	buf_clear(&text);
	manifest_put_summary(&text, &m);
	CU_ASSERT_EQUAL(manifest_check_summary(&c, buf_view(&text), false, &items), 0);
	CU_ASSERT_EQUAL(items, m.items);
}

static void
an_invalid_manifest_is_refused(void)
{
	static const char *const lines[] = {
		"{}",
		"[]",
		"x",
		"",
		"{\"dataFileS3Key\":\"a\"}",
		"{\"dataFileS3Key\":1,\"md5Checksum\":\"1B2M2Y8AsgTpgAmY7PhCfg==\"}",
		"{\"dataFileS3Key\":\"a\",\"md5Checksum\":\"1B2M\"}",
		"{\"dataFileS3Key\":\"a\",\"md5Checksum\":\"?\"}",
		"{\"dataFileS3Key\":\"a\",\"md5Checksum\":\"1B2M2Y8AsgTpgAmY7PhCfg==\"}",
	};
	static const char *const summaries[] = {
		"{}",
		"7",
		"",
		"{\"outputFormat\":\"ION\"}",
		"{\"outputFormat\":\"DYNAMODB_JSON\"}",
		"{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":\"7\"}",
		"{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":-7}",
		"{\"outputFormat\":\"DYNAMODB_JSON\",\"exportType\":\"INCREMENTAL_EXPORT\",\"itemCount\":7}",
		"{\"outputFormat\":\"DYNAMODB_JSON\",\"exportType\":\"OTHER\",\"itemCount\":7}",
	};
	struct manifest_file f;
	uint64_t items;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		CU_ASSERT_TRUE(manifest_read_file(&c, slice_from(lines[i]), &f) < 0);
		c.error = (struct error){0};
	}
	for (size_t i = 0; i < sizeof(summaries) / sizeof(summaries[0]); i++) {
		CU_ASSERT_TRUE(manifest_check_summary(&c, slice_from(summaries[i]), false, &items) <
			       0);
		c.error = (struct error){0};
	}
}

static void
an_incremental_export_is_not_a_full_table(void)
{
	const struct slice full = SLICE("{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":7}");
	const struct slice part = SLICE("{\"outputFormat\":\"DYNAMODB_JSON\",\"itemCount\":8,"
					"\"exportType\":\"INCREMENTAL_EXPORT\"}");
	uint64_t items = 0;

	CU_ASSERT_TRUE(manifest_check_summary(&c, full, true, &items) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "without --apply"));
	c.error = (struct error){0};
	CU_ASSERT_TRUE(manifest_check_summary(&c, part, false, &items) < 0);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "import --apply"));
	c.error = (struct error){0};
	CU_ASSERT_EQUAL(manifest_check_summary(&c, part, true, &items), 0);
	CU_ASSERT_EQUAL(items, 8);
}

static void
a_manifest_is_checked_against_its_md5_file(void)
{
	CU_ASSERT_EQUAL(manifest_check_md5(&c, SLICE(""), SLICE("1B2M2Y8AsgTpgAmY7PhCfg==\n")), 0);
	CU_ASSERT_TRUE(manifest_check_md5(&c, SLICE("x"), SLICE("1B2M2Y8AsgTpgAmY7PhCfg==")) < 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_written_manifest_can_be_read),
	UNIT_TEST(an_invalid_manifest_is_refused),
	UNIT_TEST(an_incremental_export_is_not_a_full_table),
	UNIT_TEST(a_manifest_is_checked_against_its_md5_file),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(manifest, setup, teardown, tests);
