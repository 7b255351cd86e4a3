/* Credentials files in the format of the AWS tools. */
#include <sys/stat.h>

#include "store/wire/proto/credentials.h"

#include "tests/support/unit_call.h"
#include "tests/wire/wire_test.h"

UNIT_CALL(call);

static int
read_text_of_mode(const char *text, mode_t mode, struct credentials *out)
{
	const char *folder = wire_folder();
	char path[128];

	(void)snprintf(path, sizeof(path), "%s/credentials", folder);
	FILE *f = fopen(path, "we");

	(void)fputs(text, f);
	(void)fclose(f);
	CU_ASSERT_EQUAL(chmod(path, mode), 0);
	call.error = (struct error){0};
	int r = credentials_read(&call, path, out);

	wire_folder_remove(folder);
	return r;
}

static int
read_text(const char *text, struct credentials *out)
{
	return read_text_of_mode(text, 0600, out);
}

static void
profiles_have_their_keys(void)
{
	struct credentials known;
	int r = read_text("# mine\r\n"
			  "[default]\r\n"
			  "aws_access_key_id = AKIDONE\r\n"
			  "aws_secret_access_key=a/b+c=\r\n"
			  "\n"
			  "; a session\n"
			  "  [ dev ]\n"
			  "region = eu-north-1\n"
			  "aws_session_token=TOKEN==\n"
			  "aws_secret_access_key = two\n"
			  "aws_access_key_id = AKIDTWO",
			  &known);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(known.n, 2);
	const struct credential *one = credentials_of_profile(&known, SLICE("default"));
	const struct credential *two = credentials_of_id(&known, SLICE("AKIDTWO"));

	CU_ASSERT_PTR_NOT_NULL_FATAL(one);
	CU_ASSERT_PTR_NOT_NULL_FATAL(two);
	CU_ASSERT_TRUE(slice_is(one->id, "AKIDONE"));
	CU_ASSERT_TRUE(slice_is(one->secret, "a/b+c="));
	CU_ASSERT_EQUAL(one->token.len, 0);
	CU_ASSERT_TRUE(slice_is(two->profile, "dev"));
	CU_ASSERT_TRUE(slice_is(two->secret, "two"));
	CU_ASSERT_TRUE(slice_is(two->token, "TOKEN=="));
	CU_ASSERT_PTR_NULL(credentials_of_id(&known, SLICE("akidtwo")));
	CU_ASSERT_PTR_NULL(credentials_of_profile(&known, SLICE("")));
}

static void
a_profile_without_both_keys_is_skipped(void)
{
	struct credentials known;
	int r = read_text("[role]\nrole_arn = x\n[half]\naws_access_key_id = A\n"
			  "[whole]\naws_access_key_id = B\naws_secret_access_key = C\n"
			  "[other half]\naws_secret_access_key = D\n",
			  &known);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	CU_ASSERT_EQUAL_FATAL(known.n, 1);
	CU_ASSERT_TRUE(slice_is(known.all[0].profile, "whole"));
}

static void
a_file_without_keys_is_an_error(void)
{
	struct credentials known;

	CU_ASSERT_EQUAL(read_text("", &known), -ERR_VALIDATION);
	CU_ASSERT_EQUAL(
		read_text("[default]\naws_access_key_id =\naws_secret_access_key = x\n", &known),
		-ERR_VALIDATION);
	call.error = (struct error){0};
	int r = credentials_read(&call, "/nonexistent/credentials", &known);

	CU_ASSERT_EQUAL(r, -ERR_IO);
	call.error = (struct error){0};
	r = credentials_read(&call, "/", &known);
	CU_ASSERT_EQUAL(r, -ERR_IO);
}

static void
keys_that_others_can_read_are_refused(void)
{
	static const char text[] = "[a]\naws_access_key_id = B\naws_secret_access_key = C\n";
	static const mode_t wide[] = {0644, 0640, 0604, 0660, 0602, 0610};
	struct credentials known;

	for (size_t i = 0; i < sizeof(wide) / sizeof(wide[0]); i++) {
		CU_ASSERT_EQUAL(read_text_of_mode(text, wide[i], &known), -ERR_ACCESS);
		CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "chmod 600"));
	}
	CU_ASSERT_EQUAL(read_text_of_mode(text, 0600, &known), 0);
	CU_ASSERT_EQUAL(read_text_of_mode(text, 0400, &known), 0);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(profiles_have_their_keys),
	UNIT_TEST(a_profile_without_both_keys_is_skipped),
	UNIT_TEST(a_file_without_keys_is_an_error),
	UNIT_TEST(keys_that_others_can_read_are_refused),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(credentials, setup, teardown, tests);
