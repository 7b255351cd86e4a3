#include "store/base/text/cells.h"
#include "store/model/csv.h"
#include "store/model/item_json.h"

#include "tests/support/unit_call.h"

UNIT_CALL(c);

static int
read_item(const char *header, const char *record, const struct schema *s, struct buf *json)
{
	struct csv_columns columns;
	struct item it;

	int r = csv_header(&c, slice_from(header), '\0', false, &columns);
	if (r == 0 && s != NULL) {
		csv_adopt(&columns, s, false);
	}
	if (r == 0) {
		r = csv_item(&c, &columns, slice_from(record), &it);
	}
	buf_init(json, &c.arena);
	if (r == 0) {
		item_put_json(json, &it, ITEM_TYPED);
	}
	return r;
}

static void
reads_cells_by_the_types_of_the_header(void)
{
	static const struct {
		const char *header;
		const char *record;
		const char *json;
	} cases[] = {
		{"a,b\n", "1,x\n", "{\"a\":{\"S\":\"1\"},\"b\":{\"S\":\"x\"}}"},
		{"a:N,b:B\r\n", "1.50,aGk=\r\n", "{\"a\":{\"N\":\"1.5\"},\"b\":{\"B\":\"aGk=\"}}"},
		{"a:JSON", "\"[1,\"\"x\"\"]\"", "{\"a\":{\"L\":[{\"N\":\"1\"},{\"S\":\"x\"}]}}"},
		{"a:S,b", ",\"\"", "{\"b\":{\"S\":\"\"}}"},
		{"a,b,c", "x", "{\"a\":{\"S\":\"x\"}}"},
		{"a", "\"x,\ny\"", "{\"a\":{\"S\":\"x,\\ny\"}}"},
		{"a:b,c:S:N", "x,1", "{\"a:b\":{\"S\":\"x\"},\"c:S\":{\"N\":\"1\"}}"},
		{"\"a\rb\"\r\n", "\"x\ry\"\r\n", "{\"a\\rb\":{\"S\":\"x\\ry\"}}"},
		{"a;b:N\n", "x,y;1\n", "{\"a\":{\"S\":\"x,y\"},\"b\":{\"N\":\"1\"}}"},
		{"a\tb;c", "x;y\t\"1\t2\"", "{\"a\":{\"S\":\"x;y\"},\"b;c\":{\"S\":\"1\\t2\"}}"},
		{"a|b:N\n", "x,y;\t|1\n", "{\"a\":{\"S\":\"x,y;\\t\"},\"b\":{\"N\":\"1\"}}"},
		{"\"a\n,b\";\"c\"\",\"", "x,y;1",
		 "{\"a\\n,b\":{\"S\":\"x,y\"},\"c\\\",\":{\"S\":\"1\"}}"},
		{"a\",b", "x\",y", "{\"a\\\"\":{\"S\":\"x\\\"\"},\"b\":{\"S\":\"y\"}}"},
		{"\"a;b\"", "x;y", "{\"a;b\":{\"S\":\"x;y\"}}"},
		{"a:BOOL:S,BOOL", "true,x", "{\"a:BOOL\":{\"S\":\"true\"},\"BOOL\":{\"S\":\"x\"}}"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf json;

		CU_ASSERT_EQUAL(read_item(cases[i].header, cases[i].record, NULL, &json), 0);
		CU_ASSERT_TRUE(slice_is(buf_view(&json), cases[i].json));
	}
}

static void
types_key_columns_by_the_schema(void)
{
	struct index ix = {.name = SLICE("G"), .key.pk = {{SLICE("g"), VALUE_N}}};
	struct schema s = {.key = {.pk = {{SLICE("a"), VALUE_N}}, .sk = {{SLICE("b"), VALUE_B}}},
			   .index = &ix,
			   .n_index = 1};
	struct buf json;

	CU_ASSERT_EQUAL(read_item("a,b,g,x", "1,aGk=,2,3", &s, &json), 0);
	CU_ASSERT_TRUE(slice_is(buf_view(&json), "{\"a\":{\"N\":\"1\"},\"b\":{\"B\":\"aGk=\"},"
						 "\"g\":{\"N\":\"2\"},\"x\":{\"S\":\"3\"}}"));
}

static void
refuses(void)
{
	static const struct {
		const char *header;
		const char *record;
	} cases[] = {
		{"a,,b", "x"},         {"a,a", "x"},         {"", "x"},      {"a", "x,y"},
		{"a", "\"x"},          {"a", "\"x\"y"},      {"a:N", "one"}, {"a:B", "aGk"},
		{"a", "\xff"},         {"a:JSON", "{\"x\""}, {":N", "1"},    {"a,b\r1,2\r", "1"},
		{"\"a\"\r\"1\"", "1"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct buf json;

		call_close(&c);
		CU_ASSERT_TRUE(read_item(cases[i].header, cases[i].record, NULL, &json) < 0);
	}
}

static void
refuses_unknown_types_of_columns(void)
{
	static const char *const headers[] = {"a:BOOL", "a:NULL", "a:L",  "a:M",
					      "a:SS",   "a:NS",   "a:BS", "b,\"a:SS\""};

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		struct buf json;

		call_close(&c);
		CU_ASSERT_TRUE(read_item(headers[i], "1", NULL, &json) < 0);
		CU_ASSERT_PTR_NOT_NULL(strstr(c.error.message, "use :JSON"));
	}
}

/* Check that a written item is read back as the same item. */
static void
round_trips(void)
{
	struct csv_column at[] = {
		{.name = SLICE("plain"), .kind = CSV_TEXT},
		{.name = SLICE("odd,\"name\":N"), .kind = CSV_TEXT},
		{.name = SLICE("n"), .kind = CSV_NUMBER},
		{.name = SLICE("b"), .kind = CSV_BINARY},
		{.name = SLICE("j"), .kind = CSV_JSON},
		{.name = SLICE("t:SS"), .kind = CSV_TEXT},
	};
	struct csv_columns columns = {.at = at, .n = 6};
	struct attr attrs[] = {
		{SLICE_INIT("plain"), {.type = VALUE_S, .text = SLICE_INIT("a,\"b\"\r\n c ")}},
		{SLICE_INIT("odd,\"name\":N"), {.type = VALUE_S, .text = SLICE_INIT("")}},
		{SLICE_INIT("n"), {.type = VALUE_N, .text = SLICE_INIT("-0.5")}},
		{SLICE_INIT("b"), {.type = VALUE_B, .text = SLICE_INIT("\0\xff,")}},
		{SLICE_INIT("j"), {.type = VALUE_BOOL, .truth = true}},
		{SLICE_INIT("t:SS"), {.type = VALUE_S, .text = SLICE_INIT("x")}},
	};

	for (size_t skip = 0; skip <= 6; skip++) {
		struct csv_columns back;
		struct item it = {attrs, 6 - skip};
		struct item read;
		struct buf header;
		struct buf record;

		buf_init(&header, &c.arena);
		buf_init(&record, &c.arena);
		csv_put_header(&header, &columns);
		csv_put_item(&record, &columns, &it);
		CU_ASSERT_EQUAL(cells_record(buf_view(&header), ',', false), header.len);
		CU_ASSERT_EQUAL(cells_record(buf_view(&record), ',', false), record.len);
		CU_ASSERT_EQUAL_FATAL(csv_header(&c, buf_view(&header), '\0', false, &back), 0);
		CU_ASSERT_EQUAL_FATAL(csv_item(&c, &back, buf_view(&record), &read), 0);
		CU_ASSERT_TRUE(item_eq(&it, &read));
	}
}

static void
collects_the_attributes_of_items_as_columns(void)
{
	static const char *const items[] = {
		"{\"PK\":\"a\",\"Total\":1}",
		"{\"PK\":\"b\",\"Tags\":[],\"Total\":2}",
		"{\"PK\":\"c\",\"Raw\":{\"B\":\"aGk=\"},\"Total\":\"three\"}",
	};
	struct csv_columns columns = {0};
	struct buf header;

	for (size_t i = 0; i < 3; i++) {
		const struct json *json;
		struct item it;

		CU_ASSERT_EQUAL_FATAL(json_parse(&c, slice_from(items[i]), JSON_STRICT, &json), 0);
		CU_ASSERT_EQUAL_FATAL(item_from_json(&c, json, &it), 0);
		CU_ASSERT_TRUE(csv_note(&columns, &c.arena, &it));
		CU_ASSERT_FALSE(csv_note(&columns, &c.arena, &it));
	}
	buf_init(&header, &c.arena);
	csv_put_header(&header, &columns);
	CU_ASSERT_TRUE(slice_is(buf_view(&header), "PK,Total:JSON,Tags:JSON,Raw:B\n"));
}

static void
guesses_types_if_requested(void)
{
	static const struct {
		const char *cell;
		const char *json;
	} cases[] = {
		{"1", "{\"a\":{\"N\":\"1\"}}"},
		{"-0.50", "{\"a\":{\"N\":\"-0.5\"}}"},
		{"0", "{\"a\":{\"N\":\"0\"}}"},
		{"true", "{\"a\":{\"BOOL\":true}}"},
		{"false", "{\"a\":{\"BOOL\":false}}"},
		{"\"1\"", "{\"a\":{\"S\":\"1\"}}"},
		{"007", "{\"a\":{\"S\":\"007\"}}"},
		{"+1", "{\"a\":{\"S\":\"+1\"}}"},
		{"1.", "{\"a\":{\"S\":\"1.\"}}"},
		{"-", "{\"a\":{\"S\":\"-\"}}"},
		{"1.2.3", "{\"a\":{\"S\":\"1.2.3\"}}"},
		{"1e5", "{\"a\":{\"S\":\"1e5\"}}"},
		{"12345678901234567890123456789012345678",
		 "{\"a\":{\"N\":\"12345678901234567890123456789012345678\"}}"},
		{"123456789012345678901234567890123456789",
		 "{\"a\":{\"S\":\"123456789012345678901234567890123456789\"}}"},
		{"True", "{\"a\":{\"S\":\"True\"}}"},
		{"2020-01-01", "{\"a\":{\"S\":\"2020-01-01\"}}"},
	};
	const struct schema s = {.key = {.pk = {{SLICE("k"), VALUE_S}}}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct csv_columns columns;
		struct buf json;
		struct item it;

		buf_init(&json, &c.arena);
		CU_ASSERT_EQUAL(csv_header(&c, SLICE("a"), '\0', false, &columns), 0);
		csv_adopt(&columns, &s, true);
		CU_ASSERT_EQUAL(csv_item(&c, &columns, slice_from(cases[i].cell), &it), 0);
		CU_ASSERT_EQUAL(c.error.code, 0);
		item_put_json(&json, &it, ITEM_TYPED);
		CU_ASSERT_TRUE(slice_is(buf_view(&json), cases[i].json));
	}
}

/* As ImportTable reads CSV: names have no types, and each record has a cell for each column. */
static void
exact_columns_take_names_and_records_as_they_are(void)
{
	static const char *const headers[] = {"a,a", "a,", "a,b\"", "a,\xff"};
	static const struct {
		const char *record;
		int r;
		const char *json;
	} cases[] = {
		{"1,x", 0, "{\"id\":{\"N\":\"1\"},\"b:N\":{\"S\":\"x\"}}"},
		{"1,", 0, "{\"id\":{\"N\":\"1\"}}"},
		{"1", CSV_NO_ITEM, NULL},
		{"1,x,y", CSV_NO_ITEM, NULL},
		{"one,x", CSV_NO_ITEM, NULL},
		{"1,\"x\"y", -ERR_VALIDATION, NULL},
		{"1,x\"y", -ERR_VALIDATION, NULL},
	};
	struct schema s = {.key.pk[0] = {SLICE("id"), VALUE_N}};
	struct csv_columns columns;

	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++) {
		CU_ASSERT_EQUAL(csv_header(&c, slice_from(headers[i]), ',', true, &columns),
				-ERR_VALIDATION);
		c.error = (struct error){0};
	}
	CU_ASSERT_EQUAL_FATAL(csv_header(&c, SLICE("id,b:N"), ',', true, &columns), 0);
	csv_adopt(&columns, &s, false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct item it = {0};
		struct buf json;

		CU_ASSERT_EQUAL(csv_item(&c, &columns, slice_from(cases[i].record), &it),
				cases[i].r);
		c.error = (struct error){0};
		buf_init(&json, &c.arena);
		item_put_json(&json, &it, ITEM_TYPED);
		CU_ASSERT_TRUE(cases[i].json == NULL || slice_is(buf_view(&json), cases[i].json));
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(reads_cells_by_the_types_of_the_header),
	UNIT_TEST(types_key_columns_by_the_schema),
	UNIT_TEST(guesses_types_if_requested),
	UNIT_TEST(refuses),
	UNIT_TEST(refuses_unknown_types_of_columns),
	UNIT_TEST(round_trips),
	UNIT_TEST(collects_the_attributes_of_items_as_columns),
	UNIT_TEST(exact_columns_take_names_and_records_as_they_are),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(csv, setup, teardown, tests);
