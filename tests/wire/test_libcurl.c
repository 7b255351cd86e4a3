/* Loading libcurl: the library is present, is another one, or is missing. */
#include "store/wire/client/libcurl.h"

#include "tests/support/unit_call.h"

UNIT_CALL(call);

static void
its_functions_are_found(void)
{
	struct libcurl lib;

	CU_ASSERT_EQUAL_FATAL(libcurl_load(&call, LIBCURL_NAME, &lib), 0);
	CU_ASSERT_STRING_EQUAL(lib.easy_strerror(CURLE_OK), "No error");
}

static void
without_it_the_message_says_what_is_missing(void)
{
	struct libcurl lib;

	CU_ASSERT_EQUAL(libcurl_load(&call, "libnothing.so.1", &lib), -ERR_NOT_SUPPORTED);
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "libcurl is needed"));
	CU_ASSERT_PTR_NOT_NULL(strstr(call.error.message, "libnothing.so.1"));
}

static void
another_library_lacks_its_functions(void)
{
	struct libcurl lib;

	CU_ASSERT_EQUAL(libcurl_load(&call, "libc.so.6", &lib), -ERR_NOT_SUPPORTED);
	CU_ASSERT_STRING_EQUAL(call.error.message, "libc.so.6 has no function curl_global_init");
}

static CU_TestInfo tests[] = {
	UNIT_TEST(its_functions_are_found),
	UNIT_TEST(without_it_the_message_says_what_is_missing),
	UNIT_TEST(another_library_lacks_its_functions),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(libcurl, setup, teardown, tests);
