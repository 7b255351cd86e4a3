#include "store/model/item_json.h"

#include "tests/support/items.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

enum { CALL_BUDGET = 1 << 24, RANDOM_ITEMS = 3000 };

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

/* Return an item's text in @form, or the message of the failure. */
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
		{__LINE__, "{\"a\":{\"SS\":[\"x\",\"\"]}}", "{\"a\":{\"SS\":[\"\",\"x\"]}}",
		 "{\"a\":{\"SS\":[\"\",\"x\"]}}"},
		{__LINE__, "{\"a\":{\"NS\":[1,\"2.0\",-3e2]}}", "{\"a\":{\"NS\":[-300,1,2]}}",
		 "{\"a\":{\"NS\":[\"-300\",\"1\",\"2\"]}}"},
		{__LINE__, "{\"a\":{\"BS\":[\"aGk=\",\"\"]}}", "{\"a\":{\"BS\":[\"\",\"aGk=\"]}}",
		 "{\"a\":{\"BS\":[\"\",\"aGk=\"]}}"},
		{__LINE__, "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":1}}", "{\"a\":1,\"b\":1}",
		 "{\"a\":{\"N\":\"1\"},\"b\":{\"N\":\"1\"}}"},
		{__LINE__, "{\"a\":{\"S\":\"x\"},\"b\":{\"BOOL\":true},\"c\":{\"NULL\":true}}",
		 "{\"a\":\"x\",\"b\":true,\"c\":null}",
		 "{\"a\":{\"S\":\"x\"},\"b\":{\"BOOL\":true},\"c\":{\"NULL\":true}}"},
		{__LINE__, "{\"a\":{\"L\":[1,{\"S\":\"x\"}]},\"b\":{\"M\":{\"c\":1}}}",
		 "{\"a\":[1,\"x\"],\"b\":{\"c\":1}}",
		 "{\"a\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]},"
		 "\"b\":{\"M\":{\"c\":{\"N\":\"1\"}}}}"},
		/* A map that looks like a typed value is written entirely typed. */
		{__LINE__, "{\"a\":{\"M\":{\"S\":\"x\"}}}", "{\"a\":{\"M\":{\"S\":{\"S\":\"x\"}}}}",
		 "{\"a\":{\"M\":{\"S\":{\"S\":\"x\"}}}}"},
		{__LINE__, "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":[1,{\"N\":2}]}}}}}",
		 "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}}}}}",
		 "{\"a\":{\"M\":{\"L\":{\"M\":{\"NS\":{\"L\":[{\"N\":\"1\"},{\"N\":\"2\"}]}}}}}}"},
		/* Not the name of a type, or not the only member. */
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

#define INVALID "One or more parameter values were invalid: "

static void
refuses_bad_values_in_the_mounts_form(void)
{
	static const struct {
		int line;
		const char *text;
		const char *message;
	} rows[] = {
		{__LINE__, "[]", "an item is a JSON object"},
		{__LINE__, "null", "an item is a JSON object"},
		{__LINE__, "{\"a\":{\"S\":5}}", "{\"S\": ...} needs a string"},
		{__LINE__, "{\"a\":{\"S\":null}}", "{\"S\": ...} needs a string"},
		{__LINE__, "{\"a\":{\"N\":true}}", "{\"N\": ...} needs a number"},
		{__LINE__, "{\"a\":{\"N\":\"abc\"}}",
		 "The parameter cannot be converted to a numeric value: abc"},
		{__LINE__, "{\"a\":{\"N\":\"\"}}",
		 "The parameter cannot be converted to a numeric value: "},
		{__LINE__, "{\"a\":1e126}",
		 "Number overflow. Attempting to store a number with "
		 "magnitude larger than supported range"},
		{__LINE__, "{\"a\":[1e-131]}",
		 "Number underflow. Attempting to store a number with magnitude smaller than "
		 "supported range"},
		{__LINE__, "{\"a\":{\"b\":123456789012345678901234567890123456789}}",
		 "Attempting to store more than 38 significant digits in a Number"},
		{__LINE__, "{\"a\":{\"B\":5}}", "{\"B\": ...} needs a string in base64"},
		{__LINE__, "{\"a\":{\"B\":\"x\"}}", "Invalid base64: x"},
		{__LINE__, "{\"a\":{\"BOOL\":\"true\"}}", "{\"BOOL\": ...} needs true or false"},
		{__LINE__, "{\"a\":{\"NULL\":false}}",
		 INVALID "Null attribute value types must have the value of true"},
		{__LINE__, "{\"a\":{\"NULL\":null}}", "{\"NULL\": ...} needs true"},
		{__LINE__, "{\"a\":{\"L\":{}}}", "{\"L\": ...} needs an array"},
		{__LINE__, "{\"a\":{\"M\":[]}}", "{\"M\": ...} needs an object"},
		{__LINE__, "{\"a\":{\"SS\":\"x\"}}", "{\"SS\": ...} needs an array of strings"},
		{__LINE__, "{\"a\":{\"SS\":[\"x\",1]}}", "{\"SS\": ...} needs an array of strings"},
		{__LINE__, "{\"a\":{\"NS\":[true]}}", "{\"NS\": ...} needs an array of numbers"},
		{__LINE__, "{\"a\":{\"NS\":[\"x\"]}}",
		 "The parameter cannot be converted to a numeric value: x"},
		{__LINE__, "{\"a\":{\"BS\":[\"!\"]}}", "Invalid base64: !"},
		{__LINE__, "{\"a\":{\"BS\":[1]}}",
		 "{\"BS\": ...} needs an array of strings in base64"},
		{__LINE__, "{\"a\":{\"SS\":[]}}", INVALID "An string set  may not be empty"},
		{__LINE__, "{\"a\":{\"NS\":[]}}", INVALID "An number set  may not be empty"},
		{__LINE__, "{\"a\":{\"BS\":[]}}", INVALID "Binary sets should not be empty"},
		{__LINE__, "{\"a\":{\"SS\":[\"a\",\"a\"]}}",
		 INVALID "Input collection [\"a\", \"a\"] contains duplicates."},
		/* Numbers are equal regardless of their spelling. */
		{__LINE__, "{\"a\":{\"NS\":[1,\"1.0\"]}}",
		 INVALID "Input collection contains duplicates."},
		{__LINE__, "{\"a\":{\"BS\":[\"Yg==\",\"Yg==\"]}}",
		 INVALID "Input collection [\"Yg==\",\"Yg==\"]of type BS contains duplicates."},
		{__LINE__, "{\"a\":[{\"b\":{\"S\":{}}}]}", "{\"S\": ...} needs a string"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(render(rows[i].text, MOUNT, ITEM_PLAIN), rows[i].message, rows[i].line);
		CU_ASSERT_EQUAL(c.error.code, ERR_VALIDATION);
	}
}

static void
refuses_bad_values_on_the_wire(void)
{
	static const struct {
		int line;
		const char *text;
		enum err code;
		const char *message;
	} rows[] = {
		{__LINE__, "[]", ERR_SERIALIZATION, "Unexpected field type"},
		{__LINE__, "{\"a\":\"x\"}", ERR_SERIALIZATION, "Unexpected value type in payload"},
		{__LINE__, "{\"a\":[]}", ERR_SERIALIZATION, "Unexpected value type in payload"},
		{__LINE__, "{\"a\":{}}", ERR_VALIDATION,
		 "Supplied AttributeValue is empty, must contain exactly one of the supported "
		 "datatypes"},
		{__LINE__, "{\"a\":{\"X\":\"x\"}}", ERR_VALIDATION,
		 "Supplied AttributeValue is empty, must contain exactly one of the supported "
		 "datatypes"},
		{__LINE__, "{\"a\":{\"S\":null}}", ERR_VALIDATION,
		 "Supplied AttributeValue is empty, must contain exactly one of the supported "
		 "datatypes"},
		{__LINE__, "{\"a\":{\"S\":\"x\",\"N\":\"1\"}}", ERR_VALIDATION,
		 "Supplied AttributeValue has more than one datatypes set, must contain exactly "
		 "one of the supported datatypes"},
		{__LINE__, "{\"a\":{\"S\":5}}", ERR_SERIALIZATION,
		 "NUMBER_VALUE cannot be converted to String"},
		{__LINE__, "{\"a\":{\"N\":5}}", ERR_SERIALIZATION,
		 "NUMBER_VALUE cannot be converted to String"},
		{__LINE__, "{\"a\":{\"S\":true}}", ERR_SERIALIZATION,
		 "TRUE_VALUE cannot be converted to String"},
		{__LINE__, "{\"a\":{\"BOOL\":\"x\"}}", ERR_SERIALIZATION,
		 "STRING_VALUE cannot be converted to Boolean"},
		{__LINE__, "{\"a\":{\"BOOL\":\"TRUE\"}}", ERR_NONE, "{\"a\":true}"},
		{__LINE__, "{\"a\":{\"BOOL\":\"no\"}}", ERR_NONE, "{\"a\":false}"},
		{__LINE__, "{\"a\":{\"NULL\":\"yes\"}}", ERR_NONE, "{\"a\":null}"},
		{__LINE__, "{\"a\":{\"NULL\":\"no\"}}", ERR_VALIDATION,
		 INVALID "Null attribute value types must have the value of true"},
		{__LINE__, "{\"a\":{\"S\":{}}}", ERR_SERIALIZATION,
		 "Start of structure or map found where not expected"},
		{__LINE__, "{\"a\":{\"L\":\"x\"}}", ERR_SERIALIZATION, "Unexpected field type"},
		{__LINE__, "{\"a\":{\"M\":[]}}", ERR_SERIALIZATION, "Unexpected field type"},
		{__LINE__, "{\"a\":{\"SS\":\"x\"}}", ERR_SERIALIZATION, "Unexpected field type"},
		{__LINE__, "{\"a\":{\"NS\":[1]}}", ERR_SERIALIZATION,
		 "NUMBER_VALUE cannot be converted to String"},
		{__LINE__, "{\"a\":{\"L\":[1]}}", ERR_SERIALIZATION,
		 "Unexpected value type in payload"},
		{__LINE__, "{\"a\":{\"B\":\"x\"}}", ERR_SERIALIZATION, "Invalid base64: x"},
		{__LINE__, "{\"a\":{\"N\":\"abc\"}}", ERR_VALIDATION,
		 "The parameter cannot be converted to a numeric value: abc"},
		{__LINE__, "{\"a\":{\"NULL\":false}}", ERR_VALIDATION,
		 INVALID "Null attribute value types must have the value of true"},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		check(render(rows[i].text, WIRE, ITEM_PLAIN), rows[i].message, rows[i].line);
		CU_ASSERT_EQUAL(c.error.code, rows[i].code);
	}
	/* Unknown types, and null, count as absent. */
	check(render("{\"a\":{\"S\":\"x\",\"N\":null,\"Y\":{}}}", WIRE, ITEM_PLAIN),
	      "{\"a\":\"x\"}", __LINE__);
}

static const char *
nested(size_t levels, enum reader reader)
{
	struct buf b;

	buf_init(&b, NULL);
	buf_str(&b, "{\"a\":");
	for (size_t i = 0; i < levels; i++) {
		buf_str(&b, reader == WIRE ? "{\"M\":{\"n\":" : "{\"n\":");
	}
	buf_str(&b, "{\"S\":\"x\"}");
	for (size_t i = 0; i < levels; i++) {
		buf_str(&b, reader == WIRE ? "}}" : "}");
	}
	buf_str(&b, "}");
	buf_char(&b, '\0');
	struct item it;
	const char *message = read_item(b.at, reader, &it) < 0 ? c.error.message : "";

	buf_release(&b);
	return message;
}

static void
nests_at_most_32_levels(void)
{
	static const struct slice want =
		SLICE_INIT("Nesting Levels have exceeded supported limits");

	CU_ASSERT_STRING_EQUAL(nested(31, MOUNT), "");
	CU_ASSERT_STRING_EQUAL(nested(31, WIRE), "");
	CU_ASSERT_TRUE(slice_starts(slice_from(nested(32, MOUNT)), want));
	CU_ASSERT_TRUE(slice_starts(slice_from(nested(32, WIRE)), want));
}

/* Write a random item in @form and read it back. */
static void
check_round_trip(const struct item *it, enum item_form form, enum reader reader, bool pretty)
{
	struct item back = {0};
	struct buf text;
	struct buf again;

	buf_init(&text, NULL);
	buf_init(&again, NULL);
	if (pretty) {
		item_put_pretty(&text, it, form);
	} else {
		item_put_json(&text, it, form);
		if (form == ITEM_PLAIN) {
			CU_ASSERT_EQUAL(item_json_length(it), text.len);
		}
	}
	const struct json *json = NULL;
	struct call other;

	call_open(&other, 0, CALL_BUDGET);
	int r = json_parse(&other, buf_view(&text), JSON_STRICT, &json);

	if (r == 0) {
		r = reader == WIRE ? item_from_typed_json(&other, json, &back)
				   : item_from_json(&other, json, &back);
	}
	if (r < 0 || !item_eq(it, &back)) {
		printf("%s: %.*s\n", r < 0 ? other.error.message : "differs",
		       SLICE_ARG(buf_view(&text)));
		CU_FAIL("an item changed in a round trip through text");
	} else if (!pretty) {
		/* The bytes are the same again: attributes keep their order. */
		item_put_json(&again, &back, form);
		CU_ASSERT_TRUE(slice_eq(buf_view(&again), buf_view(&text)));
	}
	call_close(&other);
	buf_release(&text);
	buf_release(&again);
}

static void
every_item_survives_both_forms(void)
{
	unsigned seed = 7;

	for (int i = 0; i < RANDOM_ITEMS; i++) {
		teardown();
		setup();
		struct item it = random_item(&c.arena, &seed, 6, 4);

		check_round_trip(&it, ITEM_PLAIN, MOUNT, false);
		check_round_trip(&it, ITEM_PLAIN, MOUNT, true);
		check_round_trip(&it, ITEM_TYPED, MOUNT, false);
		check_round_trip(&it, ITEM_TYPED, WIRE, false);
		check_round_trip(&it, ITEM_TYPED, WIRE, true);
	}
}

static void
the_pretty_form_is_indented_by_two(void)
{
	struct item it = item_of(&c, "{\"a\":[1,{\"SS\":[\"x\"]}],\"b\":{},\"c\":{\"d\":\"y\"}}");
	struct buf out;

	buf_init(&out, &c.arena);
	item_put_pretty(&out, &it, ITEM_PLAIN);
	check(slice_cstr(&c.arena, buf_view(&out)),
	      "{\n"
	      "  \"a\": [\n"
	      "    1,\n"
	      "    {\n"
	      "      \"SS\": [\n"
	      "        \"x\"\n"
	      "      ]\n"
	      "    }\n"
	      "  ],\n"
	      "  \"b\": {},\n"
	      "  \"c\": {\n"
	      "    \"d\": \"y\"\n"
	      "  }\n"
	      "}",
	      __LINE__);
}

static void
single_values_have_both_forms(void)
{
	const struct json *json = NULL;
	struct value v;
	struct buf out;
	int r = json_parse(&c, SLICE("{\"NS\":[\"1\"]}"), JSON_STRICT, &json);

	CU_ASSERT_EQUAL(r, 0);
	r = value_from_typed_json(&c, json, &v);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(v.type, VALUE_NS);
	buf_init(&out, &c.arena);
	value_put_json(&out, &v, ITEM_PLAIN);
	value_put_json(&out, &v, ITEM_TYPED);
	check(slice_cstr(&c.arena, buf_view(&out)), "{\"NS\":[1]}{\"NS\":[\"1\"]}", __LINE__);
	r = value_from_typed_json(&c, json->child, &v);
	CU_ASSERT_EQUAL(r, -ERR_SERIALIZATION);
	r = value_from_json(&c, json->child, &v);
	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(v.type, VALUE_L);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(writes_and_reads_both_forms),    UNIT_TEST(refuses_bad_values_in_the_mounts_form),
	UNIT_TEST(refuses_bad_values_on_the_wire), UNIT_TEST(nests_at_most_32_levels),
	UNIT_TEST(every_item_survives_both_forms), UNIT_TEST(the_pretty_form_is_indented_by_two),
	UNIT_TEST(single_values_have_both_forms),  CU_TEST_INFO_NULL,
};

UNIT_SUITE(item_json, setup, teardown, tests);
