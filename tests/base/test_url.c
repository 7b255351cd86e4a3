#include "store/base/text/url.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static void
user_and_password_are_hidden(void)
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

static void
servers_not_on_loopback_are_remote(void)
{
	static const char *const near[] = {
		"http://127.0.0.1:8000",
		"https://127.9.8.7",
		"http://localhost:1",
		"http://LocalHost",
		"http://shop.localhost:80/",
		"http://me:secret@127.0.0.1:8000",
		"http://[::1]:8000",
		"http://[::ffff:127.0.0.1]",
		"store",
		"/srv/http://x",
		"127.0.0.1",
		"",
	};
	static const char *const far[] = {
		"dynamodb:",
		"dynamodb:eu-west-1",
		"https://dynamodb.eu-west-1.amazonaws.com",
		"http://10.0.0.1:8000",
		"http://0.0.0.0:8000",
		"http://[::]:8000",
		"http://[fe80::1]:8000",
		"http://[::ffff:10.0.0.1]",
		"http://127.0.0.1.example.com",
		"http://notlocalhost",
		"http://localhost.example.com:8000",
		"http://127.0.0.1@example.com",
		"http://127.0.0.1:p@ss@example.com",
		"http://a/b@127.0.0.1",
		"http://example.com/127.0.0.1",
		"http://example.com?localhost",
		"http://127.0.0.1\\.example.com",
		"http://",
		"http://:8000",
	};

	for (size_t i = 0; i < sizeof(near) / sizeof(near[0]); i++) {
		CU_ASSERT_FALSE(url_is_far(near[i]));
	}
	for (size_t i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		CU_ASSERT_TRUE(url_is_far(far[i]));
	}
}

static void
a_server_has_one_spelling(void)
{
	static const char *const servers[][2] = {
		{"http://Db.Example.com", "db.example.com:80"},
		{"HTTPS://db.example.com./", "db.example.com:443"},
		{"https://me:p@ss@db.example.com:443", "db.example.com:443"},
		{"http://db%2Eexample%2ecom:8000/", "db.example.com:8000"},
		{"http://db%2x.example.com:08000", "db%2x.example.com:8000"},
		{"http://db.example.com:", "db.example.com:80"},
		{"http://127.0.0.1:8000", "localhost:8000"},
		{"http://127.1:8000", "localhost:8000"},
		{"http://0x7f000001:8000", "localhost:8000"},
		{"http://[::1]:8000", "localhost:8000"},
		{"http://[0:0::0:1]", "localhost:80"},
		{"http://[::ffff:10.0.0.1]:1", "10.0.0.1:1"},
		{"http://127.0.0.2:8000", "127.0.0.2:8000"},
		{"http://[fe80:0::1]:8000", "fe80::1:8000"},
		{"ftp://db.example.com", ""},
		{"dynamodb:eu-west-1", ""},
		{"http://", ""},
		{"http://:8000", ""},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(servers) / sizeof(servers[0]); i++) {
		struct slice server = url_server(&c.arena, servers[i][0]);

		CU_ASSERT_TRUE(slice_is(server, servers[i][1]));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(a_server_has_one_spelling),
	UNIT_TEST(servers_not_on_loopback_are_remote),
	UNIT_TEST(user_and_password_are_hidden),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(url, setup, teardown, tests);
