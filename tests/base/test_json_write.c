#include "store/base/text/json.h"

#include "tests/support/unit.h"

static struct buf b;

static void
setup(void)
{
	buf_init(&b, NULL);
}

static void
teardown(void)
{
	buf_release(&b);
}

static void
escapes_only_what_json_requires(void)
{
	static const struct {
		struct slice s;
		const char *json;
	} rows[] = {
		{SLICE_INIT(""), "\"\""},
		{SLICE_INIT("plain"), "\"plain\""},
		{SLICE_INIT("a/b'c<d>&\x7f"), "\"a/b'c<d>&\x7f\""},
		{SLICE_INIT("\"\\"), "\"\\\"\\\\\""},
		{SLICE_INIT("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\""},
		{SLICE_INIT("\0\x01\x1f"), "\"\\u0000\\u0001\\u001f\""},
		{SLICE_INIT("\xc3\xa9\xf0\x9f\x98\x80"), "\"\xc3\xa9\xf0\x9f\x98\x80\""},
		{SLICE_INIT("eight.. \"nine\" and more"), "\"eight.. \\\"nine\\\" and more\""},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_clear(&b);
		json_put_string(&b, rows[i].s);
		CU_ASSERT_TRUE(slice_is(buf_view(&b), rows[i].json));
		CU_ASSERT_EQUAL(json_string_length(rows[i].s), b.len);
	}
}

/* Put every byte value at every position of a string of plain bytes that is up to three blocks long. */
static void
escapes_every_byte_at_every_position(void)
{
	enum { MAX = 40 };

	for (size_t len = 1; len <= MAX; len++) {
		for (size_t at = 0; at < len; at++) {
			for (int byte = 0; byte < 256; byte++) {
				char text[MAX];
				bool special = byte < 0x20 || byte == '"' || byte == '\\';

				memset(text, 'x', len);
				text[at] = (char)byte;
				buf_clear(&b);
				json_put_string(&b, slice_of(text, len));
				if (special != (b.len > len + 2) ||
				    memcmp(b.at + 1, text, special ? at : len) != 0 ||
				    (special && b.at[at + 1] != '\\') || b.at[b.len - 1] != '"' ||
				    json_string_length(slice_of(text, len)) != b.len) {
					CU_FAIL("wrong output for a byte");
				}
			}
		}
	}
}

static void
never_writes_past_the_end_of_the_buffer(void)
{
	/* If the buffer grew exactly, ASan would show an overrun; here the text that follows shows it. */
	for (size_t len = 0; len < 300; len++) {
		char text[300];

		memset(text, len % 3 == 0 ? '\x01' : 'x', sizeof(text));
		buf_release(&b);
		setup();
		json_put_string(&b, slice_of(text, len));
		CU_ASSERT_EQUAL(b.len, 2 + len * (len % 3 == 0 ? 6 : 1));
		CU_ASSERT_TRUE(b.len <= b.cap);
	}
}

static void
put_document(int indent)
{
	struct json_writer w;

	json_writer_init(&w, &b, indent);
	json_open(&w, '{');
	json_name(&w, "a");
	json_string(&w, SLICE("x\n"));
	json_name(&w, "b");
	json_open(&w, '[');
	json_uint(&w, UINT64_MAX);
	json_bool(&w, true);
	json_bool(&w, false);
	json_raw(&w, SLICE("null"));
	json_open(&w, '{');
	json_close(&w);
	json_open(&w, '[');
	json_close(&w);
	json_close(&w);
	json_name_slice(&w, SLICE("\""));
	json_open(&w, '{');
	json_name(&w, "c");
	json_raw(&w, SLICE("1.5"));
	json_close(&w);
	json_close(&w);
	CU_ASSERT_EQUAL(w.depth, 0);
}

static const char compact[] = "{\"a\":\"x\\n\",\"b\":[18446744073709551615,true,false,null,{},[]],"
			      "\"\\\"\":{\"c\":1.5}}";

static const char indented[] = "{\n"
			       "  \"a\": \"x\\n\",\n"
			       "  \"b\": [\n"
			       "    18446744073709551615,\n"
			       "    true,\n"
			       "    false,\n"
			       "    null,\n"
			       "    {},\n"
			       "    []\n"
			       "  ],\n"
			       "  \"\\\"\": {\n"
			       "    \"c\": 1.5\n"
			       "  }\n"
			       "}";

static void
the_writer_keeps_commas_and_brackets(void)
{
	put_document(0);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), compact));
}

static void
the_writer_indents(void)
{
	put_document(2);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), indented));
}

static void
the_writer_accepts_single_values(void)
{
	struct json_writer w;

	json_writer_init(&w, &b, 2);
	json_string(&w, SLICE("x"));
	CU_ASSERT_TRUE(slice_is(buf_view(&b), "\"x\""));
}

static void
indenting_compact_text_gives_the_output_of_the_writer(void)
{
	json_put_indented(&b, slice_from(compact), 2);
	CU_ASSERT_TRUE(slice_is(buf_view(&b), indented));
	buf_clear(&b);
	json_put_indented(&b, SLICE("[{\"a{[,:\\\"\":\"}],:\\\\\"},[[]],\"\"]"), 1);
	CU_ASSERT_TRUE(slice_is(buf_view(&b),
				"[\n {\n  \"a{[,:\\\"\": \"}],:\\\\\"\n },\n [\n  []\n "
				"],\n \"\"\n]"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(escapes_only_what_json_requires),
	UNIT_TEST(escapes_every_byte_at_every_position),
	UNIT_TEST(never_writes_past_the_end_of_the_buffer),
	UNIT_TEST(the_writer_keeps_commas_and_brackets),
	UNIT_TEST(the_writer_indents),
	UNIT_TEST(the_writer_accepts_single_values),
	UNIT_TEST(indenting_compact_text_gives_the_output_of_the_writer),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(json_write, setup, teardown, tests);
