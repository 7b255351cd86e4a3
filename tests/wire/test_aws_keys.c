/* The key of a client: looked up once, renewed by one thread, and kept while the next one is not available. */
#include <time.h>

#include "store/base/core/clock.h"
#include "store/wire/client/aws_keys.h"

#include "tests/support/unit.h"
#include "tests/support/wait_again.h"
#include "tests/wire/wire_test.h"

enum { HOUR_S = 3600, THREADS = 8 };

static struct call c;
static const char *folder;
static char config[200];
static struct aws_keys *keys;

static const char *
variable(const char *name)
{
	return strcmp(name, "AWS_CONFIG_FILE") == 0 ? config : NULL;
}

static const char *
path(const char *name)
{
	static char text[200];

	(void)snprintf(text, sizeof(text), "%s/%s", folder, name);
	return text;
}

static void
put(const char *name, const char *text)
{
	FILE *f = fopen(path(name), "we");

	(void)fputs(text, f);
	(void)fclose(f);
}

/*
 * Each run of the script appends an x to "runs" and prints the key of that number, valid for an hour.  It waits for
 * the file "go", and fails without the file "good".
 */
static void
setup(void)
{
	time_t end = (time_t)(clock_now_ms() / 1000) + HOUR_S;
	char text[1000];
	char when[32];
	struct tm tm;

	call_open(&c, clock_now_ms(), 64 << 20);
	folder = wire_folder();
	(void)snprintf(config, sizeof(config), "%s/config", folder);
	(void)strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&end, &tm));
	(void)snprintf(
		text, sizeof(text),
		"cd %s; printf x >>runs; while [ ! -e go ]; do sleep 0.01; done; [ -e good ] || exit 1\n"
		"n=$(wc -c <runs)\n"
		"echo '{\"Version\":1,\"AccessKeyId\":\"K'$n'\",\"SecretAccessKey\":\"S\",\"Expiration\":\"%s\"}'\n",
		folder, when);
	put("run", text);
	put("go", "");
	put("good", "");
	(void)snprintf(text, sizeof(text), "[default]\ncredential_process = sh %s/run\n", folder);
	put("config", text);
	keys = aws_keys_new(variable, "eu-north-1", false);
}

static void
teardown(void)
{
	aws_keys_free(keys);
	wire_folder_remove(folder);
	call_close(&c);
}

static bool
key_is(const char *id)
{
	struct aws_key key;

	c.error = (struct error){0};
	int r = aws_keys_get(keys, &c, &key);

	return r == 0 && slice_is(key.credential.id, id);
}

/* From now on, the time is @seconds later. */
static void
later(int seconds)
{
	CU_ASSERT_TRUE(aws_keys_correct(keys, clock_now_ms() + (uint64_t)seconds * 1000));
}

static long
runs(void)
{
	FILE *f = fopen(path("runs"), "re");
	long n = 0;

	if (f != NULL) {
		(void)fseek(f, 0, SEEK_END);
		n = ftell(f);
		(void)fclose(f);
	}
	return n;
}

static void *
get_one(void *out)
{
	struct call own;
	struct aws_key key;

	call_open(&own, clock_now_ms(), 1 << 20);
	int r = aws_keys_get(keys, &own, &key);

	*(int *)out = r < 0 ? r : atoi(key.credential.id.at + 1);
	call_close(&own);
	return NULL;
}

static void
one_thread_looks_for_all(void)
{
	pthread_t thread[THREADS];
	int got[THREADS];

	for (int i = 0; i < THREADS; i++) {
		(void)pthread_create(&thread[i], NULL, get_one, &got[i]);
	}
	for (int i = 0; i < THREADS; i++) {
		(void)pthread_join(thread[i], NULL);
		CU_ASSERT_EQUAL(got[i], 1);
	}
	CU_ASSERT_EQUAL(runs(), 1);
}

static void
a_key_is_renewed_before_it_ends(void)
{
	CU_ASSERT_TRUE(key_is("K1"));
	CU_ASSERT_TRUE(key_is("K1"));
	later(HOUR_S - 400);
	CU_ASSERT_TRUE(key_is("K1"));
	later(HOUR_S - 100);
	CU_ASSERT_TRUE(key_is("K2"));
}

static void
a_key_is_kept_while_the_next_one_is_not_available(void)
{
	CU_ASSERT_TRUE(key_is("K1"));
	(void)unlink(path("good"));
	later(HOUR_S - 100);
	CU_ASSERT_TRUE(key_is("K1"));
	CU_ASSERT_EQUAL(runs(), 2);
	CU_ASSERT_TRUE(key_is("K1"));
	CU_ASSERT_EQUAL(runs(), 2);
	later(HOUR_S + 400);
	CU_ASSERT_FALSE(key_is("K1"));
	CU_ASSERT_EQUAL(c.error.code, ERR_NO_SIGNATURE);
	CU_ASSERT_EQUAL(runs(), 3);
	put("good", "");
	CU_ASSERT_TRUE(key_is("K4"));
}

static void
other_threads_go_on_while_one_renews(void)
{
	unsigned tries = 0;
	pthread_t thread;
	int got = 0;

	CU_ASSERT_TRUE(key_is("K1"));
	(void)unlink(path("go"));
	later(HOUR_S - 100);
	(void)pthread_create(&thread, NULL, get_one, &got);
	while (runs() < 2 && wait_again(&tries)) {
	}
	CU_ASSERT_TRUE(key_is("K1"));
	put("go", "");
	(void)pthread_join(thread, NULL);
	CU_ASSERT_EQUAL(got, 2);
	CU_ASSERT_TRUE(key_is("K2"));
}

static void
a_small_clock_difference_is_ignored(void)
{
	CU_ASSERT_FALSE(aws_keys_correct(keys, clock_now_ms() + 200 * 1000));
	CU_ASSERT_EQUAL(aws_keys_ahead_ms(keys), 0);
	CU_ASSERT_TRUE(aws_keys_correct(keys, clock_now_ms() - 300 * 1000));
	CU_ASSERT_TRUE(aws_keys_ahead_ms(keys) < 0);
}

static void
times_are_read_with_their_zone(void)
{
	static const struct {
		const char *text;
		uint64_t ms; /* 0: invalid */
	} rows[] = {
		{"2026-01-31T12:00:00Z", 1769860800000},
		{"2026-01-31T12:00:00.123Z", 1769860800000},
		{"2026-01-31T13:00:00+01:00", 1769860800000},
		{"2026-01-31T07:30:00-0430", 1769860800000},
		{"2026-01-31T12:00:00", 1769860800000},
		{"2026-01-31 12:00:00Z", 0},
		{"2026-1-31T12:00:00Z", 0},
		{"2026-01-31T12:00:00Zz", 0},
		{"2026-13-01T12:00:00Z", 0},
		{"2026-01-31T12:00:00+1", 0},
		{"1969-01-31T12:00:00Z", 0},
		{"", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t ms = 0;
		bool is = aws_key_time(slice_from(rows[i].text), &ms);

		CU_ASSERT_EQUAL(is, rows[i].ms != 0);
		CU_ASSERT_TRUE(!is || ms == rows[i].ms);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(one_thread_looks_for_all),
	UNIT_TEST(a_key_is_renewed_before_it_ends),
	UNIT_TEST(a_key_is_kept_while_the_next_one_is_not_available),
	UNIT_TEST(other_threads_go_on_while_one_renews),
	UNIT_TEST(a_small_clock_difference_is_ignored),
	UNIT_TEST(times_are_read_with_their_zone),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(aws_keys, setup, teardown, tests);
