#include "store/base/text/json.h"

#include "tests/support/unit.h"

enum { CALL_BUDGET = 1 << 20, MUTANTS = 20000, LONG_STRING = 400 * 1024 };

/* Feed @text, @piece bytes more each time. */
static enum json_state
feed(struct slice text, size_t piece, char reason[static 256])
{
	struct json_check *k = json_check_new();
	enum json_state s = json_check_text(k, SLICE(""));

	for (size_t n = 0; n < text.len;) {
		n = text.len - n < piece ? text.len : n + piece;
		s = json_check_text(k, slice_of(text.at, n));
	}
	(void)snprintf(reason, 256, "%s", json_check_reason(k));
	json_check_free(k);
	return s;
}

static void
check_reason(struct slice text, const char *end)
{
	char reason[256];

	CU_ASSERT_EQUAL(feed(text, 1, reason), JSON_BROKEN);
	CU_ASSERT_TRUE(slice_ends(slice_from(reason), slice_from(end)));
}

static enum json_state
state_of(struct slice text)
{
	char reason[256];

	return feed(text, text.len + 1, reason);
}

static const char whole[] =
	" {\"a\\n\\u00e9\\ud83d\\ude00\":[1,-2.5e+10,0.5,0e1,\"\",{}],\n\"\xc3\xa9\xe2\x82\xac\xf0"
	"\x9f\x98\x80\":{\"b\":true,\"c\":[false,null,[]]}} \n";

static void
every_prefix_of_an_object_is_open(void)
{
	size_t end = sizeof(whole) - 1 - 2; /* after the last bracket */

	for (size_t n = 0; n < sizeof(whole); n++) {
		CU_ASSERT_EQUAL(state_of(slice_of(whole, n)), n < end ? JSON_OPEN : JSON_WHOLE);
	}
}

static void
the_verdict_does_not_depend_on_the_pieces(void)
{
	char reason[256];

	for (size_t piece = 1; piece < sizeof(whole); piece++) {
		CU_ASSERT_EQUAL(feed(slice_from(whole), piece, reason), JSON_WHOLE);
		CU_ASSERT_STRING_EQUAL(reason, "");
	}
}

/* Some editors save such texts. */
static void
an_object_may_begin_with_a_byte_order_mark(void)
{
	static const char marked[] = "\xef\xbb\xbf {\"a\":1}";
	char reason[256];

	for (size_t piece = 1; piece < sizeof(marked); piece++) {
		CU_ASSERT_EQUAL(feed(slice_from(marked), piece, reason), JSON_WHOLE);
	}
	CU_ASSERT_EQUAL(state_of(SLICE("\xef\xbb")), JSON_OPEN);
	CU_ASSERT_EQUAL(state_of(SLICE("\xef{")), JSON_BROKEN);
	CU_ASSERT_EQUAL(state_of(SLICE("\xef\xbb {")), JSON_BROKEN);
	CU_ASSERT_EQUAL(state_of(SLICE("\xef \xbb\xbf{")), JSON_BROKEN);
	CU_ASSERT_EQUAL(feed(SLICE("\xef\xbb\xbfx"), 1, reason), JSON_BROKEN);
	CU_ASSERT_PTR_NOT_NULL(strstr(reason, "line 1, column 1: "));
	CU_ASSERT_EQUAL(state_of(SLICE(" \xef\xbb\xbf{}")), JSON_BROKEN);
	CU_ASSERT_EQUAL(state_of(SLICE("\xef\xbb\xbf\xef\xbb\xbf{}")), JSON_BROKEN);
	CU_ASSERT_EQUAL(state_of(SLICE("{\xef\xbb\xbf}")), JSON_BROKEN);
}

/* The last byte of each text breaks it; no earlier byte does. */
static void
breaks_at_the_first_impossible_byte(void)
{
	static const struct {
		struct slice text;
		const char *reason;
	} rows[] = {
		{SLICE_INIT("["), "line 1, column 1: expected {, found \"[\""},
		{SLICE_INIT("\n\n 1"), "line 3, column 2: expected {, found \"1\""},
		{SLICE_INIT("x"), "line 1, column 1: expected {, found \"x\""},
		{SLICE_INIT("{,"), "line 1, column 2: expected a name in quotes, found \",\""},
		{SLICE_INIT("{1"), "line 1, column 2: expected a name in quotes, found \"1\""},
		{SLICE_INIT("{\"a\":1,}"),
		 "line 1, column 8: expected a name in quotes, found \"}\""},
		{SLICE_INIT("{\"a\"}"), "line 1, column 5: expected a colon, found \"}\""},
		{SLICE_INIT("{\"a\":}"), "line 1, column 6: expected a value, found \"}\""},
		{SLICE_INIT("{\"a\":tx"), "line 1, column 7: expected a value, found \"x\""},
		{SLICE_INIT("{\"a\":[,"), "line 1, column 7: expected a value, found \",\""},
		{SLICE_INIT("{\"a\":[1,]"), "line 1, column 9: expected a value, found \"]\""},
		{SLICE_INIT("{\"a\":1 2"), "line 1, column 8: expected a comma or }, found \"2\""},
		{SLICE_INIT("{\"a\":1]"), "line 1, column 7: expected a comma or }, found \"]\""},
		{SLICE_INIT("{\"a\":[1}"), "line 1, column 8: expected a comma or ], found \"}\""},
		{SLICE_INIT("{\"a\":01"), "line 1, column 7: expected a comma or }, found \"1\""},
		{SLICE_INIT("{\"a\":1.2."), "line 1, column 9: expected a comma or }, found \".\""},
		{SLICE_INIT("{\"a\":1e5e"), "line 1, column 9: expected a comma or }, found \"e\""},
		{SLICE_INIT("{\"a\":--"), "line 1, column 7: expected a digit, found \"-\""},
		{SLICE_INIT("{\"a\":1.e"), "line 1, column 8: expected a digit, found \"e\""},
		{SLICE_INIT("{\"a\":1e."), "line 1, column 8: expected a digit, found \".\""},
		{SLICE_INIT("{\"a\":1e+-"), "line 1, column 9: expected a digit, found \"-\""},
		{SLICE_INIT("{\"\t"), "line 1, column 3: a control character in a string"},
		{SLICE_INIT("{\"\\'"), "line 1, column 4: no such escape"},
		{SLICE_INIT("{\"\\\0"), "line 1, column 4: no such escape"},
		{SLICE_INIT("{\"\\u00x"),
		 "line 1, column 7: expected four hex digits after \\u, found \"x\""},
		{SLICE_INIT("{\"\\udc00"), "line 1, column 8: half a surrogate pair"},
		{SLICE_INIT("{\"\\ud800\""), "line 1, column 9: half a surrogate pair"},
		{SLICE_INIT("{\"\\ud800\\n"), "line 1, column 10: half a surrogate pair"},
		{SLICE_INIT("{\"\\ud800\\ud800"), "line 1, column 14: half a surrogate pair"},
		{SLICE_INIT("{\"\x80"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xc1"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xe0\x9f"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xed\xa0"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xf0\x8f"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xf4\x90"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xf5"), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{\"\xe2\x82\""), "line 1, column 3: not UTF-8"},
		{SLICE_INIT("{}{"), "line 1, column 3: text after the end"},
		{SLICE_INIT("{\"a\":1}\n,"), "line 2, column 1: text after the end"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct slice before = slice_of(rows[i].text.at, rows[i].text.len - 1);
		char reason[256];

		CU_ASSERT_NOT_EQUAL(state_of(before), JSON_BROKEN);
		CU_ASSERT_EQUAL(feed(rows[i].text, 1, reason), JSON_BROKEN);
		if (strstr(reason, rows[i].reason) == NULL) {
			printf("%.*s: %s\n", SLICE_ARG(rows[i].text), reason);
		}
		CU_ASSERT_PTR_NOT_NULL(strstr(reason, rows[i].reason));
	}
}

static void
finds_the_line_of_the_error(void)
{
	const char *rest = NULL;

	CU_ASSERT_EQUAL(json_fault_line("not JSON: line 12, column 2: why", &rest), 12);
	CU_ASSERT_STRING_EQUAL(rest, "column 2: why");
	CU_ASSERT_EQUAL(json_fault_line("not UTF-8", &rest), 0);
}

static void
a_broken_text_stays_broken_for_the_same_reason(void)
{
	struct json_check *k = json_check_new();

	CU_ASSERT_EQUAL(json_check_text(k, SLICE("{]")), JSON_BROKEN);
	CU_ASSERT_EQUAL(json_check_text(k, SLICE("{]}")), JSON_BROKEN);
	CU_ASSERT_STRING_EQUAL(
		json_check_reason(k),
		"not JSON: line 1, column 2: expected a name in quotes, found \"]\"");
	json_check_free(k);
	json_check_free(NULL);
}

static void
bounds_the_depth(void)
{
	char text[JSON_DEPTH_MAX + sizeof("{\"a\":")] = "{\"a\":";
	size_t len = strlen(text);

	memset(text + len, '[', JSON_DEPTH_MAX);
	CU_ASSERT_EQUAL(state_of(slice_of(text, len + JSON_DEPTH_MAX - 1)), JSON_OPEN);
	check_reason(slice_of(text, len + JSON_DEPTH_MAX), "column 517: nested too deeply");
}

/* 80 billion steps if the check were quadratic. */
static void
takes_a_long_string_byte_by_byte(void)
{
	struct json_check *k = json_check_new();
	struct buf text;

	buf_init(&text, NULL);
	buf_str(&text, "{\"a\":\"");
	while (text.len < LONG_STRING && json_check_text(k, buf_view(&text)) == JSON_OPEN) {
		buf_char(&text, 'x');
	}
	CU_ASSERT_EQUAL(text.len, LONG_STRING);
	buf_str(&text, "\"}");
	CU_ASSERT_EQUAL(json_check_text(k, buf_view(&text)), JSON_WHOLE);
	buf_release(&text);
	json_check_free(k);
}

/* The check of a growing text and json_parse() must agree on mutated texts; these have no duplicate names. */
static void
agrees_with_json_parse(void)
{
	static const char bytes[] = "{}[]\",:\\u0dD89eE+-.tn \n\x80\xc3\xed\xa0\xf4\x01x";
	unsigned seed = 1;
	unsigned good = 0;

	for (int i = 0; i < MUTANTS; i++) {
		char text[sizeof(whole)];
		size_t len = sizeof(whole) - 1;
		const struct json *json = NULL;
		struct call c;

		memcpy(text, whole, sizeof(whole));
		for (int n = rand_r(&seed) % 3; n >= 0; n--) {
			text[(size_t)rand_r(&seed) % len] =
				bytes[(size_t)rand_r(&seed) % (sizeof(bytes) - 1)];
		}
		call_open(&c, 0, CALL_BUDGET);
		int r = json_parse(&c, slice_of(text, len), JSON_LAST_WINS, &json);
		bool parsed = r == 0 && json->type == JSON_OBJECT;
		char reason[256];
		bool checked = feed(slice_of(text, len), 1, reason) == JSON_WHOLE;

		if (parsed != checked) {
			printf("%.*s\n%s\n", (int)len, text, r < 0 ? c.error.message : "parsed");
		}
		CU_ASSERT_EQUAL(parsed, checked);
		good += parsed;
		call_close(&c);
	}
	CU_ASSERT_TRUE(good > 0 && good < MUTANTS);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(every_prefix_of_an_object_is_open),
	UNIT_TEST(the_verdict_does_not_depend_on_the_pieces),
	UNIT_TEST(an_object_may_begin_with_a_byte_order_mark),
	UNIT_TEST(breaks_at_the_first_impossible_byte),
	UNIT_TEST(finds_the_line_of_the_error),
	UNIT_TEST(a_broken_text_stays_broken_for_the_same_reason),
	UNIT_TEST(bounds_the_depth),
	UNIT_TEST(takes_a_long_string_byte_by_byte),
	UNIT_TEST(agrees_with_json_parse),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(json_check, NULL, NULL, tests);
