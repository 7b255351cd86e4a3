#include "tools/load/split.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

struct sample {
	enum split_kind kind;
	const char *text;
	const char *records[5];
};

static const struct sample samples[] = {
	{SPLIT_LINES, "", {0}},
	{SPLIT_LINES, "a\nbc\n", {"a", "bc"}},
	{SPLIT_LINES, "a\n\nb", {"a", "b"}},
	{SPLIT_LINES, "{\"x\":\"]\"}", {"{\"x\":\"]\"}"}},
	{SPLIT_CSV, "a,b\n1,2\n", {"a,b", "1,2"}},
	{SPLIT_CSV, "\"a\nb\",c\nd", {"\"a\nb\",c", "d"}},
	{SPLIT_CSV, "\"a\"\"\n\",c\nd\n", {"\"a\"\"\n\",c", "d"}},
	{SPLIT_CSV, "5\" pipe,c\"\nd,\"\"\n\"\"", {"5\" pipe,c\"", "d,\"\"", "\"\""}},
	{SPLIT_CSV, "\"a\"b\"\nc\n\",\"", {"\"a\"b\"", "c", "\",\""}},
	{SPLIT_JSON, "", {0}},
	{SPLIT_JSON, " \n ", {0}},
	{SPLIT_JSON, "{}", {"{}"}},
	{SPLIT_JSON, "{\"a\":1}\n{\"b\":[{}]}\n", {"{\"a\":1}", "{\"b\":[{}]}"}},
	{SPLIT_JSON, "[]", {0}},
	{SPLIT_JSON, "[{\"a\":1}, {\"b\":\"}\\\"]\"}\n]\n", {"{\"a\":1}", "{\"b\":\"}\\\"]\"}"}},
	{SPLIT_JSON, "[\n {\n  \"a\": {\n  }\n }\n]", {"{\n  \"a\": {\n  }\n }"}},
	{SPLIT_JSON, "{\"Items\":[],\"Count\":0}", {0}},
	{SPLIT_JSON,
	 " {\n \"Items\" : [ {\"a\":{\"S\":\"]\"}},\n{\"a\":{\"N\":\"1\"}} ],\n\"Count\":2, \"ConsumedCapacity\":{\"y\":[]}}\n",
	 {"{\"a\":{\"S\":\"]\"}}", "{\"a\":{\"N\":\"1\"}}"}},
	{SPLIT_JSON, "{\"Count\":1,\"ScannedCount\":9,\"Items\":[{\"a\":1}]}", {"{\"a\":1}"}},
	{SPLIT_JSON,
	 "{\"Items\":[{\"a\":1}]}\n{\"Items\":[{\"b\":1}]}{\"pk\":1}",
	 {"{\"a\":1}", "{\"b\":1}", "{\"pk\":1}"}},
	{SPLIT_JSON,
	 "[{\"Items\":[{\"a\":1}]},{\"Items\":[]},\n{\"pk\":1}]",
	 {"{\"a\":1}", "{\"pk\":1}"}},
	{SPLIT_JSON, "{\"Responses\":{\"t\":[{\"a\":1}]},\"UnprocessedKeys\":{}}", {"{\"a\":1}"}},
	{SPLIT_JSON,
	 "{\"Responses\":[{\"Item\":{}},{ },{\"Item\":{}}]}",
	 {"{\"Item\":{}}", "{\"Item\":{}}"}},
	{SPLIT_JSON,
	 "{\"t\":[{\"PutRequest\":{\"Item\":{}}}]}",
	 {"{\"PutRequest\":{\"Item\":{}}}"}},
	{SPLIT_JSON,
	 "{\"ReturnConsumedCapacity\":\"NONE\",\"RequestItems\":{\"t\":[{\"PutRequest\":{}}]}}",
	 {"{\"PutRequest\":{}}"}},
	/* items, and other records */
	{SPLIT_JSON,
	 "{\"Items\":[{\"a\":1}],\"pk\":\"x\"}",
	 {"{\"Items\":[{\"a\":1}],\"pk\":\"x\"}"}},
	{SPLIT_JSON, "{\"Items\":[],\"other\":1}", {"{\"Items\":[],\"other\":1}"}},
	{SPLIT_JSON, "{\"Items\":[],\"Responses\":[]}", {"{\"Items\":[],\"Responses\":[]}"}},
	{SPLIT_JSON, "{\"Items\":[}", {"{\"Items\":[}"}},
	{SPLIT_JSON, "{\"Items\":{}}", {"{\"Items\":{}}"}},
	{SPLIT_JSON, "{\"Count\":2}", {"{\"Count\":2}"}},
	{SPLIT_JSON, "{\"t\":[]}", {"{\"t\":[]}"}},
	{SPLIT_LINES,
	 "{\"pk\":1}\n{\"Items\":[{\"a\":1},{\"b\":1}],\"Count\":2}\r\n{\"pk\":2}",
	 {"{\"pk\":1}", "{\"a\":1}", "{\"b\":1}", "{\"pk\":2}"}},
	{SPLIT_LINES, "{\"Items\":[{\"a\":1}]} x\n", {"{\"Items\":[{\"a\":1}]} x"}},
	{SPLIT_JSON, "{\"a\":", {"{\"a\":"}}, /* incomplete: left to the parser */
};

enum { SAMPLES = sizeof(samples) / sizeof(samples[0]) };

static const struct schema table = {.table = SLICE_INIT("t"),
				    .key = {.pk = {{SLICE_INIT("pk"), VALUE_S}}}};

static struct splitter
splitter_of(enum split_kind kind)
{
	return (struct splitter){.kind = kind, .of = &table};
}

/* Feed the sample in pieces of @piece bytes, as a reader with small reads does. */
static void
check(const struct sample *s, size_t piece)
{
	struct splitter sp = splitter_of(s->kind);
	struct slice text = slice_from(s->text);
	size_t done = 0;
	size_t seen = 0;
	size_t n = 0;
	int r = 0;

	while (r != SPLIT_END) {
		struct slice record;
		size_t used = 0;

		r = split_next(&sp, &c, slice_of(text.at + done, seen - done), seen == text.len,
			       &record, &used);
		CU_ASSERT_TRUE_FATAL(r >= 0);
		if (r == 0) {
			CU_ASSERT_TRUE_FATAL(n < 5 && s->records[n] != NULL);
			CU_ASSERT_TRUE(slice_is(record, s->records[n]));
			n++;
		}
		done += used;
		if (r == SPLIT_MORE) {
			CU_ASSERT_TRUE_FATAL(seen < text.len);
			seen = text.len - seen < piece ? text.len : seen + piece;
		}
	}
	CU_ASSERT_TRUE(n == 5 || s->records[n] == NULL);
}

static void
splits_whole_files_into_records(void)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		check(&samples[i], 1000);
	}
}

static void
splits_into_the_same_records_whatever_the_reads(void)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		for (size_t piece = 1; piece < 8; piece++) {
			check(&samples[i], piece);
		}
	}
}

static void
refuses_input_other_than_lists_of_objects(void)
{
	static const char *const texts[] = {
		"1",     "\"a\"",   "[1]", "[{},,{}]", "[,{}]", "[{},]", "[{} {}]",
		"{},{}", "[{}] {}", "[{}", "[[{}]]",   "]",     "[{}]]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct splitter sp = splitter_of(SPLIT_JSON);
		struct slice rest = slice_from(texts[i]);
		int r = 0;

		call_close(&c);
		while (r == 0) {
			struct slice record;
			size_t used = 0;

			r = split_next(&sp, &c, rest, true, &record, &used);
			rest = slice_skip(rest, used);
		}
		CU_ASSERT_EQUAL(r, -ERR_SERIALIZATION);
	}
}

static void
refuses_incomplete_envelopes(void)
{
	static const char *const texts[][2] = {
		{"{\"Items\":[{\"a\":1}],\"Count\":2}", "Count is 2, but there are 1 items"},
		{"{\"Count\":1,\"Items\":[]}", "Count is 1, but there are 0 items"},
		{"{\"Items\":[],\"Items\":[]}", "\"Items\" is given twice"},
		{"{\"u\":[{\"PutRequest\":{}}]}", "this is for the table u, not for t"},
		{"{\"t\":[{\"PutRequest\":{}}],\"u\":[{\"DeleteRequest\":{}}]}",
		 "this is for the table u, not for t"},
		{"{\"RequestItems\":{\"u\":[{\"PutRequest\":{}}]}}",
		 "this is for the table u, not for t"},
		{"{\"Responses\":{\"t\":[],\"u\":[]}}", "this is for the table u, not for t"},
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct splitter sp = splitter_of(i % 2 == 0 ? SPLIT_JSON : SPLIT_LINES);
		struct slice record;
		size_t used = 0;

		call_close(&c);
		CU_ASSERT_EQUAL(split_next(&sp, &c, slice_from(texts[i][0]), true, &record, &used),
				-ERR_USAGE);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, texts[i][1]));
		CU_ASSERT_EQUAL(used, 0);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(splits_whole_files_into_records),
	UNIT_TEST(splits_into_the_same_records_whatever_the_reads),
	UNIT_TEST(refuses_input_other_than_lists_of_objects),
	UNIT_TEST(refuses_incomplete_envelopes),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(split, setup, teardown, tests);
