#include <stdio.h>

#include "store/model/item_json.h"

#include "tests/support/unit.h"

enum { CALL_BUDGET = 1 << 20 };

static struct call c;

static void
setup(void)
{
	call_open(&c, 0, CALL_BUDGET);
}

static void
teardown(void)
{
	call_close(&c);
}

enum reader { MOUNT, WIRE };

static int
read_item(const char *text, enum reader reader, struct item *out)
{
	const struct json *json = NULL;

	teardown();
	setup();
	int r = json_parse(&c, slice_from(text), JSON_STRICT, &json);

	if (r < 0) {
		return r;
	}
	return reader == WIRE ? item_from_typed_json(&c, json, out) : item_from_json(&c, json, out);
}

/* What an item's text becomes in @form, or the failure's message. */
static const char *
render(const char *text, enum reader reader, enum item_form form)
{
	struct item it;
	struct buf out;

	if (read_item(text, reader, &it) < 0) {
		return c.error.message;
	}
	buf_init(&out, &c.arena);
	item_put_json(&out, &it, form);
	if (form == ITEM_PLAIN) {
		CU_ASSERT_EQUAL(item_json_length(&it), out.len);
	}
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
writes_and_reads_both_forms(void)
{
	static const struct {
		int line;
		const char *text; /* in the mount's form */
		const char *plain;
		const char *typed;
	} rows[] = {
		{__LINE__, "{}", "{}", "{}"},
		{__LINE__, "{\"a\":\"x\"}", "{\"a\":\"x\"}", "{\"a\":{\"S\":\"x\"}}"},
		{__LINE__, "{\"a\":1.50}", "{\"a\":1.5}", "{\"a\":{\"N\":\"1.5\"}}"},
		{__LINE__, "{\"a\":true,\"b\":false,\"c\":null}",
		 "{\"a\":true,\"b\":false,\"c\":null}",
		 "{\"a\":{\"BOOL\":true},\"b\":{\"BOOL\":false},\"c\":{\"NULL\":true}}"},
		{__LINE__, "{\"a\":[],\"b\":{}}", "{\"a\":[],\"b\":{}}",
		 "{\"a\":{\"L\":[]},\"b\":{\"M\":{}}}"},
		{__LINE__, "{\"a\":[1,[\"x\",null]]}", "{\"a\":[1,[\"x\",null]]}",
		 "{\"a\":{\"L\":[{\"N\":\"1\"},{\"L\":[{\"S\":\"x\"},{\"NULL\":true}]}]}}"},
		{__LINE__, "{\"a\":{\"b\":{\"c\":1}}}", "{\"a\":{\"b\":{\"c\":1}}}",
		 "{\"a\":{\"M\":{\"b\":{\"M\":{\"c\":{\"N\":\"1\"}}}}}}"},
		{__LINE__, "{\"a\":{\"B\":\"aGk=\"}}", "{\"a\":{\"B\":\"aGk=\"}}",
		 "{\"a\":{\"B\":\"aGk=\"}}"},
		{__LINE__, "{\"a\":{\"SS\":[\"x\",\"\"]}}", "{\"a\":{\"SS\":[\"x\",\"\"]}}",
		 "{\"a\":{\"SS\":[\"x\",\"\"]}}"},
		{__LINE__, "{\"a\":{\"NS\":[1,\"2.0\",-3e2]}}", "{\"a\":{\"NS\":[1,2,-300]}}",
		 "{\"a\":{\"NS\":[\"1\",\"2\",\"-300\"]}}"},
		{__LINE__, "{\"a\":{\"BS\":[\"aGk=\",\"\"]}}", "{\"a\":{\"BS\":[\"aGk=\",\"\"]}}",
		 "{\"a\":{\"BS\":[\"aGk=\",\"\"]}}"},
		{__LINE__, "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":1}}", "{\"a\":1,\"b\":1}",
		 "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":\"1\"}}"},
		{__LINE__, "{\"a\":{\"S\":\"x\"},\"b\":{\"BOOL\":true},\"c\":{\"NULL\":true}}",
		 "{\"a\":\"x\",\"b\":true,\"c\":null}",
		 "{\"a\":{\"S\":\"x\"},\"b\":{\"BOOL\":true},\"c\":{\"NULL\":true}}"},
		{__LINE__, "{\"a\":{\"L\":[1,{\"S\":\"x\"}]},\"b\":{\"M\":{\"c\":1}}}",
		 "{\"a\":[1,\"x\"],\"b\":{\"c\":1}}",
		 "{\"a\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]},"
		 "\"b\":{\"M\":{\"c\":{\"N\":\"1\"}}}}"},
		/* A map of the look of a typed value is written typed throughout. */
		{__LINE__, "{\"a\":{\"M\":{\"S\":\"x\"}}}", "{\"a\":{\"M\":{\"S\":{\"S\":\"x\"}}}}",
		 "{\"a\":{\"M\":{\"S\":{\"S\":\"x\"}}}}"},
		{__LINE__, "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":[1,{\"N\":2}]}}}}}",
		 "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}}}}}",
		 "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}}}}}"},
		/* Neither a type's name nor alone. */
		{__LINE__, "{\"a\":{\"X\":1},\"b\":{\"S\":1,\"N\":2},\"c\":{\"s\":\"x\"}}",
		 "{\"a\":{\"X\":1},\"b\":{\"S\":1,\"N\":2},\"c\":{\"s\":\"x\"}}",
		 "{\"a\":{\"M\":{\"X\":{\"N\":\"1\"}}},"
		 "\"b\":{\"M\":{\"S\":{\"N\":\"1\"},\"N\":{\"N\":\"2\"}}},"
		 "\"c\":{\"M\":{\"s\":{\"S\":\"x\"}}}}"},
		/* The item itself is always a map. */
		{__LINE__, "{\"S\":\"x\"}", "{\"S\":\"x\"}", "{\"S\":{\"S\":\"x\"}}"},
		{__LINE__, "{\"a\\n\\\"\":\"\\u0001\\\\\\/\\u00e9\\ud83d\\ude00\"}",
		 "{\"a\\n\\\"\":\"\\u0001\\\\/\xc3\xa9\xf0\x9f\x98\x80\"}",
		 "{\"a\\n\\\"\":{\"S\":\"\\u0001\\\\/\xc3\xa9\xf0\x9f\x98\x80\"}}"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(render(rows[i].text, MOUNT, ITEM_PLAIN), rows[i].plain, rows[i].line);
		check(render(rows[i].plain, MOUNT, ITEM_PLAIN), rows[i].plain, rows[i].line);
		check(render(rows[i].text, MOUNT, ITEM_TYPED), rows[i].typed, rows[i].line);
		check(render(rows[i].typed, MOUNT, ITEM_PLAIN), rows[i].plain, rows[i].line);
		check(render(rows[i].typed, WIRE, ITEM_TYPED), rows[i].typed, rows[i].line);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_and_reads_both_forms),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(item_json, setup, teardown, tests);
