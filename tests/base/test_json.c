#include "store/base/text/json.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { MANY = 5000, LONG_STRING = 400 * 1024 };

static const struct json *
parse(struct slice text, int flags)
{
	const struct json *json = NULL;

	teardown();
	setup();
	int r = json_parse(&c, text, flags, &json);

	CU_ASSERT_EQUAL(r, -(int)c.error.code);
	return r < 0 ? NULL : json;
}

/* Write a tree as text, for comparison. */
static void
put_tree(struct json_writer *w, const struct json *json)
{
	static const char *const words[] = {"null", "false", "true"};

	switch (json->type) {
	case JSON_NULL:
	case JSON_FALSE:
	case JSON_TRUE:
		json_raw(w, slice_from(words[json->type]));
		return;
	case JSON_NUMBER:
		json_raw(w, json->text);
		return;
	case JSON_STRING:
		json_string(w, json->text);
		return;
	case JSON_ARRAY:
	case JSON_OBJECT:
		break;
	}
	size_t n = 0;

	json_open(w, json->type == JSON_OBJECT ? '{' : '[');
	json_each (child, json) {
		if (json->type == JSON_OBJECT) {
			json_name_slice(w, child->name);
		}
		put_tree(w, child);
		n++;
	}
	json_close(w);
	CU_ASSERT_EQUAL(n, json->n);
}

static const char *
tree_or_error(struct slice text, int flags)
{
	const struct json *json = parse(text, flags);
	struct json_writer w;
	struct buf out;

	if (json == NULL) {
		CU_ASSERT_EQUAL(c.error.code, ERR_SERIALIZATION);
		return c.error.message;
	}
	buf_init(&out, &c.arena);
	json_writer_init(&w, &out, 0);
	put_tree(&w, json);
	return slice_cstr(&c.arena, buf_view(&out));
}

static void
check(const char *got, const char *want, int line)
{
	if (strcmp(got, want) != 0) {
		printf("%s:%d: got %s\n", __FILE__, line, got);
	}
	CU_ASSERT_STRING_EQUAL(got, want);
}

static void
reads_every_kind_of_value(void)
{
	static const struct {
		int line;
		const char *text;
		const char *tree;
	} rows[] = {
		{__LINE__, "{}", "{}"},
		{__LINE__, " \t\r\n{ } \n", "{}"},
		{__LINE__, "[]", "[]"},
		{__LINE__, "null", "null"},
		{__LINE__, "\"x\"", "\"x\""},
		{__LINE__, "[true,false,null]", "[true,false,null]"},
		{__LINE__, "{\"b\":1,\"a\":{\"c\":[{},[]]}}", "{\"b\":1,\"a\":{\"c\":[{},[]]}}"},
		/* Numbers keep their text. */
		{__LINE__, "[0,-0,1.50,1e5,1E+5,-2.5e-3]", "[0,-0,1.50,1e5,1E+5,-2.5e-3]"},
		{__LINE__, "12345678901234567890123456789012345678",
		 "12345678901234567890123456789012345678"},
		{__LINE__, "1e999999", "1e999999"},
		{__LINE__, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\\"\\\\/\\b\\f\\n\\r\\t\""},
		{__LINE__, "\"\\u0041\\u00e9\\u20AC\\ud83d\\uDE00\"",
		 "\"A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\""},
		{__LINE__, "\"\\\\ud800\"", "\"\\\\ud800\""},
		{__LINE__, "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\"",
		 "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\x7f\""},
		{__LINE__, "{\"\":1,\"\\n\":2}", "{\"\":1,\"\\n\":2}"},
		/* Two strings with escapes: the parser uses one buffer for both. */
		{__LINE__, "{\"a\\n\":\"b\\n\",\"c\\n\":\"d\\n\"}",
		 "{\"a\\n\":\"b\\n\",\"c\\n\":\"d\\n\"}"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(tree_or_error(slice_from(rows[i].text), JSON_STRICT), rows[i].tree,
		      rows[i].line);
	}
}

#define AT(line, column) "not JSON: line " #line ", column " #column ": "

static void
reports_where_and_why_text_is_not_json(void)
{
	static const struct {
		int line;
		struct slice text;
		const char *message;
	} rows[] = {
		{__LINE__, SLICE_INIT(""), AT(1, 1) "the text ends too early"},
		{__LINE__, SLICE_INIT(" \n "), AT(2, 2) "the text ends too early"},
		{__LINE__, SLICE_INIT("{"), AT(1, 2) "the text ends too early"},
		{__LINE__, SLICE_INIT("{\"a\":1"), AT(1, 7) "the text ends too early"},
		{__LINE__, SLICE_INIT("\"abc"), AT(1, 5) "the text ends too early"},
		{__LINE__, SLICE_INIT("\"\xe2\x82"), AT(1, 3) "the text ends too early"},
		{__LINE__, SLICE_INIT("\"\\"), AT(1, 3) "the text ends too early"},
		{__LINE__, SLICE_INIT("\"\\ud83d\\u"), AT(1, 10) "the text ends too early"},
		{__LINE__, SLICE_INIT("1e+"), AT(1, 4) "the text ends too early"},
		{__LINE__, SLICE_INIT("nul"), AT(1, 4) "the text ends too early"},
		{__LINE__, SLICE_INIT("-"), AT(1, 2) "the text ends too early"},
		{__LINE__, SLICE_INIT("1."), AT(1, 3) "the text ends too early"},
		{__LINE__, SLICE_INIT("]"), AT(1, 1) "expected a value, found \"]\""},
		{__LINE__, SLICE_INIT("[1,]"), AT(1, 4) "expected a value, found \"]\""},
		{__LINE__, SLICE_INIT("[1 2]"), AT(1, 4) "expected a comma or ], found \"2\""},
		{__LINE__, SLICE_INIT("{\"a\":1]"), AT(1, 7) "expected a comma or }, found \"]\""},
		{__LINE__, SLICE_INIT("{\"a\":1,}"),
		 AT(1, 8) "expected a name in quotes, found \"}\""},
		{__LINE__, SLICE_INIT("{a:1}"), AT(1, 2) "expected a name in quotes, found \"a\""},
		{__LINE__, SLICE_INIT("{\"a\" 1}"), AT(1, 6) "expected a colon, found \"1\""},
		{__LINE__, SLICE_INIT("{\n  \"a\": tru\n}"),
		 AT(2, 11) "expected a value, found the end of the line"},
		{__LINE__, SLICE_INIT("{\"\xc3\xa9\":x"), AT(1, 6) "expected a value, found \"x\""},
		{__LINE__, SLICE_INIT("/**/1"), AT(1, 1) "expected a value, found \"/\""},
		{__LINE__, SLICE_INIT("\xef\xbb\xbf{}"),
		 AT(1, 1) "expected a value, found byte 0xef"},
		{__LINE__, SLICE_INIT("NaN"), AT(1, 1) "expected a value, found \"N\""},
		{__LINE__, SLICE_INIT("+1"), AT(1, 1) "expected a value, found \"+\""},
		{__LINE__, SLICE_INIT(".5"), AT(1, 1) "expected a value, found \".\""},
		{__LINE__, SLICE_INIT("\0"), AT(1, 1) "expected a value, found byte 0x00"},
		{__LINE__, SLICE_INIT("-a"), AT(1, 2) "expected a digit, found \"a\""},
		{__LINE__, SLICE_INIT("1.e5"), AT(1, 3) "expected a digit, found \"e\""},
		{__LINE__, SLICE_INIT("1e+x"), AT(1, 4) "expected a digit, found \"x\""},
		{__LINE__, SLICE_INIT("01"), AT(1, 2) "text after the end"},
		{__LINE__, SLICE_INIT("{} x"), AT(1, 4) "text after the end"},
		{__LINE__, SLICE_INIT("{}{}"), AT(1, 3) "text after the end"},
		{__LINE__, SLICE_INIT("{} \"x"), AT(1, 4) "text after the end"},
		{__LINE__, SLICE_INIT("[]\"}"), AT(1, 3) "text after the end"},
		{__LINE__, SLICE_INIT("1 \""), AT(1, 3) "text after the end"},
		{__LINE__, SLICE_INIT("\"a\"\""), AT(1, 4) "text after the end"},
		{__LINE__, SLICE_INIT("{}-"), AT(1, 3) "text after the end"},
		{__LINE__, SLICE_INIT("1\0"), AT(1, 2) "text after the end"},
		{__LINE__, SLICE_INIT("\"a\nb\""),
		 AT(1, 3) "a control character in a string must be escaped"},
		{__LINE__, SLICE_INIT("\"a\0b\""),
		 AT(1, 3) "a control character in a string must be escaped"},
		{__LINE__, SLICE_INIT("\"\\x\""), AT(1, 3) "no such escape"},
		{__LINE__, SLICE_INIT("\"\\u12g4\""),
		 AT(1, 6) "expected four hex digits after \\u, found \"g\""},
		/* Text that lenient parsers accept. */
		{__LINE__, SLICE_INIT("{\v}"),
		 AT(1, 2) "expected a name in quotes, found byte 0x0b"},
		{__LINE__, SLICE_INIT("{}\f"), AT(1, 3) "text after the end"},
		{__LINE__, SLICE_INIT("\"\xc0\x80\""), AT(1, 2) "not UTF-8"},
		{__LINE__, SLICE_INIT("\"\xed\xa0\x80\""), AT(1, 2) "not UTF-8"},
		{__LINE__, SLICE_INIT("\"\xf4\x90\x80\x80\""), AT(1, 2) "not UTF-8"},
		{__LINE__, SLICE_INIT("\"\xff\""), AT(1, 2) "not UTF-8"},
		{__LINE__, SLICE_INIT("\"\\ud800\""), AT(1, 8) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("\"\\ud800x\""), AT(1, 8) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("\"\\udc00\""), AT(1, 7) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("\"\\ud800\\n\""), AT(1, 9) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("\"\\ud800\\u0041\""), AT(1, 13) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("\"\\ud800\\ud800\""), AT(1, 13) "half a surrogate pair"},
		{__LINE__, SLICE_INIT("{\"\\udfff\":1}"), AT(1, 8) "half a surrogate pair"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(tree_or_error(rows[i].text, JSON_STRICT), rows[i].message, rows[i].line);
		check(tree_or_error(rows[i].text, JSON_LAST_WINS), rows[i].message, rows[i].line);
	}
}

static void
refuses_duplicate_names_or_keeps_the_last(void)
{
	static const struct {
		int line;
		const char *text;
		const char *message;
		const char *last;
	} rows[] = {
		{__LINE__, "{\"a\":1,\n\"b\":2,\"a\":3}", AT(2, 7) "duplicate name \"a\"",
		 "{\"b\":2,\"a\":3}"},
		{__LINE__, "{\"a\":1,\"a\":2,\"a\":3}", AT(1, 8) "duplicate name \"a\"",
		 "{\"a\":3}"},
		{__LINE__, "{\"\":1,\"\":2}", AT(1, 7) "duplicate name \"\"", "{\"\":2}"},
		{__LINE__, "[{\"a\":1},{\"a\":{\"b\":1,\"c\":2,\"b\":3}}]",
		 AT(1, 28) "duplicate name \"b\"", "[{\"a\":1},{\"a\":{\"c\":2,\"b\":3}}]"},
		/* The same name, written with escapes. */
		{__LINE__, "{\"\\u0061\":1,\"a\":2}", AT(1, 13) "duplicate name \"a\"",
		 "{\"a\":2}"},
		/* The first fault of several is reported. */
		{__LINE__, "{\"a\":1,\"a\":2}\xff", AT(1, 8) "duplicate name \"a\"",
		 AT(1, 14) "text after the end"},
		{__LINE__, "{\"a\":1,\"a\":2,\xff}",
		 AT(1, 14) "expected a name in quotes, found byte 0xff",
		 AT(1, 14) "expected a name in quotes, found byte 0xff"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(tree_or_error(slice_from(rows[i].text), JSON_STRICT), rows[i].message,
		      rows[i].line);
		check(tree_or_error(slice_from(rows[i].text), JSON_LAST_WINS), rows[i].last,
		      rows[i].line);
	}
	/* A name without a position of its own, with a line feed that the message must escape. */
	check(tree_or_error(SLICE("{\"a\":1,\"\\n\":2,\"\\n\":3}"), JSON_STRICT),
	      AT(1, 22) "duplicate name \"\\n\"", __LINE__);
}

/* {"n0":0,"n1":1,...}, with the name @again repeated at the end unless @again is MANY */
static struct slice
many_members(struct buf *b, unsigned again)
{
	for (unsigned i = 0; i < MANY; i++) {
		buf_fmt(b, "%s\"n%u\":%u", i == 0 ? "{" : ",", i, i);
	}
	if (again < MANY) {
		buf_fmt(b, ",\"n%u\":-1", again);
	}
	buf_char(b, '}');
	return buf_view(b);
}

static void
finds_a_duplicate_among_many_names(void)
{
	struct buf b;

	buf_init(&b, NULL);
	const struct json *json = parse(many_members(&b, MANY), JSON_STRICT);

	CU_ASSERT_TRUE(json != NULL && json->n == MANY);
	buf_clear(&b);
	json = parse(many_members(&b, 777), JSON_STRICT);
	CU_ASSERT_PTR_NULL(json);
	CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "duplicate name \"n777\""));
	json = parse(buf_view(&b), JSON_LAST_WINS);
	CU_ASSERT_TRUE(json != NULL && json->n == MANY);
	const struct json *again = json_get(json, "n777");

	CU_ASSERT_TRUE(again != NULL && slice_is(again->text, "-1") && again->next == NULL);
	buf_release(&b);
}

static const char *
nested(size_t depth, const char *open, const char *close)
{
	struct buf b;

	buf_init(&b, NULL);
	for (size_t i = 0; i < depth; i++) {
		buf_str(&b, open);
	}
	buf_str(&b, "1");
	for (size_t i = 0; i < depth; i++) {
		buf_str(&b, close);
	}
	const char *message = parse(buf_view(&b), JSON_STRICT) == NULL ? c.error.message : "";

	buf_release(&b);
	return message;
}

static void
bounds_the_depth(void)
{
	CU_ASSERT_STRING_EQUAL(nested(JSON_DEPTH_MAX, "[", "]"), "");
	CU_ASSERT_STRING_EQUAL(nested(JSON_DEPTH_MAX + 1, "[", "]"),
			       AT(1, 513) "nested too deeply");
	CU_ASSERT_STRING_EQUAL(nested(JSON_DEPTH_MAX, "{\"a\":", "}"), "");
	CU_ASSERT_STRING_EQUAL(nested(JSON_DEPTH_MAX + 1, "{\"a\":", "}"),
			       AT(1, 2561) "nested too deeply");
	CU_ASSERT_STRING_EQUAL(nested(100000, "[", "]"), AT(1, 513) "nested too deeply");
}

static void
borrows_strings_without_escapes_from_the_text(void)
{
	static const char text[] = "{\"name\":\"value\",\"n\":12}";
	const struct json *json = parse(slice_from(text), JSON_STRICT);
	const struct json *name = json_get(json, "name");
	const struct json *n = json_get(json, "n");

	CU_ASSERT_TRUE(name != NULL && name->text.at == strstr(text, "value"));
	CU_ASSERT_TRUE(name != NULL && name->name.at == strstr(text, "name"));
	CU_ASSERT_TRUE(n != NULL && n->text.at == strstr(text, "12"));
	json = parse(slice_of(strstr(text, "12"), 2), JSON_STRICT);
	CU_ASSERT_TRUE(json != NULL && json->text.at == strstr(text, "12") && json->text.len == 2);
}

static void
finds_members_only_in_objects(void)
{
	const struct json *json = parse(SLICE("{\"a\":{\"b\":[1]},\"ab\":2}"), JSON_STRICT);
	const struct json *array = json_get(json_get(json, "a"), "b");

	CU_ASSERT_TRUE(array != NULL && array->type == JSON_ARRAY);
	CU_ASSERT_PTR_NULL(json_get(json, "b"));
	CU_ASSERT_PTR_NULL(json_get(json, ""));
	CU_ASSERT_PTR_NULL(json_get(array, "b"));
	CU_ASSERT_PTR_NULL(json_get(NULL, "b"));
}

static void
reads_long_strings_with_and_without_escapes(void)
{
	struct buf plain;
	struct buf quoted;

	buf_init(&plain, NULL);
	buf_init(&quoted, NULL);
	for (unsigned i = 0; plain.len < LONG_STRING; i++) {
		buf_fmt(&plain, "%u\n\xc3\xa9", i);
	}
	json_put_string(&quoted, buf_view(&plain));
	const struct json *json = parse(buf_view(&quoted), JSON_STRICT);

	CU_ASSERT_TRUE(json != NULL && slice_eq(json->text, buf_view(&plain)));
	buf_clear(&quoted);
	buf_char(&quoted, '"');
	memset(buf_room(&quoted, LONG_STRING), 'x', LONG_STRING);
	quoted.len += LONG_STRING;
	buf_char(&quoted, '"');
	json = parse(buf_view(&quoted), JSON_STRICT);
	CU_ASSERT_TRUE(json != NULL && json->text.len == LONG_STRING);
	buf_release(&plain);
	buf_release(&quoted);
}

/* Strings are scanned eight bytes at a time: put each special character at each offset, near the end and far from it. */
static void
reads_special_characters_at_each_offset(void)
{
	static const struct {
		const char *spelled;
		const char *meant; /* NULL: refused */
	} rows[] = {
		{"\\n", "\n"},
		{"\\u00e9", "\xc3\xa9"},
		{"\\ud83d\\ude00", "\xf0\x9f\x98\x80"},
		{"\xc3\xa9", "\xc3\xa9"},
		{"\xe2\x82\xac", "\xe2\x82\xac"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
		{"\x7f", "\x7f"},
		{"!#[]", "!#[]"},
		{"\x1f", NULL},
		{"\xe2\x82", NULL},
		{"\x80", NULL},
		{"\"", NULL},
	};
	enum { OFFSETS = 17, TAILS = 10 };
	static const char filler[OFFSETS + 1] = "abcdefghijklmnopq";

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]) * OFFSETS * TAILS; i++) {
		const char *spelled = rows[i / OFFSETS / TAILS].spelled;
		const char *meant = rows[i / OFFSETS / TAILS].meant;
		int before = (int)(i % OFFSETS);
		int after = (int)(i / OFFSETS % TAILS);
		char text[64];
		char want[64];

		(void)snprintf(text, sizeof(text), "\"%.*s%s%.*s\"", before, filler, spelled, after,
			       filler);
		(void)snprintf(want, sizeof(want), "%.*s%s%.*s", before, filler,
			       meant == NULL ? "" : meant, after, filler);
		const struct json *json = parse(slice_from(text), JSON_STRICT);

		CU_ASSERT_EQUAL(json == NULL, meant == NULL);
		CU_ASSERT_TRUE(json == NULL || slice_is(json->text, want));
	}
}

static void
stops_at_the_memory_budget_of_the_call(void)
{
	struct call small;
	struct buf many;
	const struct json *json;

	call_open(&small, 0, 1 << 20);
	buf_init(&many, NULL);
	buf_char(&many, '[');
	for (int i = 0; i < 1 << 20; i++) {
		buf_str(&many, "1,");
	}
	buf_str(&many, "1]");
	int r = json_parse(&small, buf_view(&many), JSON_STRICT, &json);

	CU_ASSERT_EQUAL(r, -ERR_SERIALIZATION);
	CU_ASSERT_TRUE(small.arena.used < 2 << 20);
	call_close(&small);
	buf_release(&many);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_every_kind_of_value),
	UNIT_TEST(stops_at_the_memory_budget_of_the_call),
	UNIT_TEST(reports_where_and_why_text_is_not_json),
	UNIT_TEST(refuses_duplicate_names_or_keeps_the_last),
	UNIT_TEST(finds_a_duplicate_among_many_names),
	UNIT_TEST(bounds_the_depth),
	UNIT_TEST(borrows_strings_without_escapes_from_the_text),
	UNIT_TEST(finds_members_only_in_objects),
	UNIT_TEST(reads_long_strings_with_and_without_escapes),
	UNIT_TEST(reads_special_characters_at_each_offset),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(json, setup, teardown, tests);
