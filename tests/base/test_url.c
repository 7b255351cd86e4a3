#include "store/base/url.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
nobody_sees_user_and_password(void)
{
	static const char *const urls[][2] = {
		{"http://host:8000", "http://host:8000"},
		{"https://me:secret@host:8000/x", "https://host:8000/x"},
		{"http://me@host", "http://host"},
		{"ftp://me:p@ss/w@rd@host", "ftp://host"},
		{"http://me:secret@", "http://"},
		{"a@b", "a@b"},
		{"a@b://c", "a@b://c"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(urls) / sizeof(urls[0]); i++) {
		CU_ASSERT_STRING_EQUAL(url_shown(&c.arena, urls[i][0]), urls[i][1]);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(nobody_sees_user_and_password),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(url, setup, teardown, tests);
