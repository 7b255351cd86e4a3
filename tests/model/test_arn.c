#include "store/model/arn.h"

#include "tests/support/unit.h"

static const struct {
	const char *text;
	const char *resource;
	const char *table;
} rows[] = {
	{"Music", "", "Music"},
	{"arnold", "", "arnold"},
	{"arn:aws:dynamodb:us-east-1:000000000000:table/"
	 "Music",
	 "table/Music", "Music"},
	{"arn:aws-cn:dynamodb:cn-north-1:123456789012:table/a.b-c_D", "table/a.b-c_D", "a.b-c_D"},
	{"arn:aws:dynamodb:us-east-1:000000000000:table/"
	 "Music/index/ByYear",
	 "table/Music/index/ByYear", "Music/index/ByYear"},
	{"arn:aws:dynamodb:us-east-1:000000000000:table/"
	 "",
	 "table/", ""},
	{"arn:aws:dynamodb:::table/x:y", "table/x:y", "x:y"},
	{"arn:aws:dynamodb:r:a:tables/x", "tables/x", ""},
	{"arn:aws:s3:r:a:table/x", "", ""},
	{"arn::dynamodb:r:a:table/x", "", ""},
	{"arn:aws:dynamodb:r:table/x", "", ""},
	{"arn:aws:dynamodb:r:a", "", ""},
	{"arn:", "", ""},
	{"", "", ""},
};

static void
an_arn_is_parsed(void)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		struct slice text = slice_from(rows[i].text);

		CU_ASSERT_TRUE(slice_eq(arn_resource(text), slice_from(rows[i].resource)));
		CU_ASSERT_TRUE(slice_eq(arn_table(text), slice_from(rows[i].table)));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(an_arn_is_parsed),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(arn, NULL, NULL, tests);
