/* Tests of the reader of configuration files. */
#include "store/base/text/ini.h"

#include "tests/support/unit_call.h"

UNIT_CALL(call);

static struct ini
read_text(const char *text)
{
	char path[] = "/tmp/itemfs-ini-XXXXXX";
	struct ini out;
	FILE *f = fdopen(mkstemp(path), "w");

	(void)fputs(text, f);
	(void)fclose(f);
	CU_ASSERT_EQUAL(ini_read(&call, path, NULL, &out), 0);
	(void)unlink(path);
	return out;
}

static bool
says(const struct ini *p, const char *section, const char *group, const char *key,
     const char *value)
{
	return slice_is(ini_value(p, slice_from(section), group, key), value);
}

static void
sections_have_keys(void)
{
	struct ini p = read_text("stray = 1\n[default]\r\nregion=eu-north-1\r\n"
				 "# region = no\n; region = no\nnot a setting\n= no key\n"
				 "  [ profile dev ]  \n  region = a = b  \nregion2 =\n[empty]");

	CU_ASSERT_TRUE(says(&p, "default", "", "region", "eu-north-1"));
	CU_ASSERT_TRUE(says(&p, "profile dev", "", "region", "a = b"));
	CU_ASSERT_TRUE(says(&p, "", "", "stray", "1"));
	CU_ASSERT_TRUE(says(&p, "default", "", "", ""));
	CU_ASSERT_TRUE(says(&p, "none", "", "region", ""));
	CU_ASSERT_TRUE(ini_has(&p, SLICE("empty")));
	CU_ASSERT_FALSE(ini_has(&p, SLICE("dev")));
}

static void
the_last_value_of_a_key_counts(void)
{
	struct ini p = read_text("[a]\nx = 1\n[b]\nx = 2\n[a]\nx = 3\n");

	CU_ASSERT_TRUE(says(&p, "a", "", "x", "3"));
	CU_ASSERT_TRUE(says(&p, "b", "", "x", "2"));
}

static void
indented_lines_belong_to_a_group(void)
{
	struct ini p = read_text("[services local]\ns3 =\n  endpoint_url = http://s3\n"
				 "dynamodb =\n\n  # here\n  other =\n  endpoint_url = http://d\n"
				 "endpoint_url = http://all\n  region = x\n"
				 "[next]\n  endpoint_url = http://next\n");

	CU_ASSERT_TRUE(says(&p, "services local", "s3", "endpoint_url", "http://s3"));
	CU_ASSERT_TRUE(says(&p, "services local", "dynamodb", "endpoint_url", "http://d"));
	CU_ASSERT_TRUE(says(&p, "services local", "", "endpoint_url", "http://all"));
	CU_ASSERT_TRUE(says(&p, "services local", "", "region", "x"));
	CU_ASSERT_TRUE(says(&p, "next", "", "endpoint_url", "http://next"));
}

static void
a_file_that_cannot_be_read_is_an_error(void)
{
	struct ini p;

	CU_ASSERT_EQUAL(ini_read(&call, "/nonexistent/config", NULL, &p), -ERR_IO);
	CU_ASSERT_STRING_EQUAL(call.error.message,
			       "cannot read /nonexistent/config: No such file or directory");
	call.error = (struct error){0};
	CU_ASSERT_EQUAL(ini_read(&call, "/", NULL, &p), -ERR_IO);
	call.error = (struct error){0};
	CU_ASSERT_EQUAL(ini_read(&call, "/dev/zero", NULL, &p), -ERR_IO);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "too large"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(sections_have_keys),
	UNIT_TEST(the_last_value_of_a_key_counts),
	UNIT_TEST(indented_lines_belong_to_a_group),
	UNIT_TEST(a_file_that_cannot_be_read_is_an_error),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(ini, setup, teardown, tests);
