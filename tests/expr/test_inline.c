#include "store/expr/inline.h"
#include "store/model/item_json.h"

#include "tests/support/unit.h"

static struct call c;

static void
setup(void)
{
	call_open(&c, 0, 1 << 20);
}

static void
teardown(void)
{
	call_close(&c);
}

static void
rewrites_literals_and_names(void)
{
	static const struct {
		const char *user;
		const char *text;
		const char *values; /* in order, as plain JSON */
	} cases[] = {
		{"Status = \"OPEN\" AND Total > 100", "#i0 = :i1 AND #i2 > :i3",
		 "{\":i1\":\"OPEN\",\":i3\":100}"},
		{"a.b[3].name = 'it''s'", "#i0.#i1[3].#i2 = :i3", "{\":i3\":\"it's\"}"},
		{"#a = :v", "#a = :v", "{}"},
		{"a = a", "#i0 = #i0", "{}"},
		{"attribute_not_exists(PK)", "attribute_not_exists(#i0)", "{}"},
		{"size (a) >= -1.50", "size (#i0) >= :i1", "{\":i1\":-1.5}"},
		{"t = true or f = false AND NOT n = null",
		 "#i0 = :i1 or #i2 = :i3 AND NOT #i4 = :i5",
		 "{\":i1\":true,\":i3\":false,\":i5\":null}"},
		{"a BETWEEN 1 AND 1e3", "#i0 BETWEEN :i1 AND :i2", "{\":i1\":1,\":i2\":1000}"},
		{"a IN (\"x\\n\", \"\\u00e4\")", "#i0 IN (:i1, :i2)",
		 "{\":i1\":\"x\\n\",\":i2\":\"ä\"}"},
		{"Add = 1", "#i0 = :i1", "{\":i1\":1}"},
		{"SET a = a - 1, b = b+2 REMOVE d", "SET #i0 = #i0 - :i1, #i2 = #i2+:i3 REMOVE #i4",
		 "{\":i1\":1,\":i3\":2}"},
		{"m.and.in, größe", "#i0.#i1.#i2, #i3", "{}"},
		{"", "", "{}"},
		{"a ?? b", "#i0 ?? #i1", "{}"},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct inline_request r = {0};
		struct inline_text out;
		struct buf values;

		CU_ASSERT_EQUAL(inline_expression(&c, &r, slice_from(cases[i].user), &out), 0);
		CU_ASSERT_TRUE(slice_is(out.text, cases[i].text));
		buf_init(&values, &c.arena);
		item_put_json(&values, &r.ph.values, ITEM_PLAIN);
		CU_ASSERT_TRUE(slice_is(buf_view(&values), cases[i].values));
		CU_ASSERT_EQUAL(r.ph.names_given, r.ph.n_names > 0);
		CU_ASSERT_EQUAL(r.ph.values_given, r.ph.values.n > 0);
	}
}

static void
maps_every_byte_back(void)
{
	struct slice user = SLICE("Status  = \"OPEN\" AND x");
	struct inline_request r = {0};
	struct inline_text out;

	CU_ASSERT_EQUAL_FATAL(inline_expression(&c, &r, user, &out), 0);
	CU_ASSERT_TRUE(slice_is(out.text, "#i0  = :i1 AND #i2"));
	CU_ASSERT_EQUAL(out.offset[0], 0);
	CU_ASSERT_EQUAL(out.offset[2], 0);
	CU_ASSERT_EQUAL(out.offset[5], 8);
	CU_ASSERT_EQUAL(out.offset[7], 10);
	CU_ASSERT_EQUAL(out.offset[11], 17);
	CU_ASSERT_EQUAL(out.offset[15], 21);
	CU_ASSERT_EQUAL(out.offset[out.text.len], user.len);
	for (size_t i = 1; i <= out.text.len; i++) {
		CU_ASSERT_TRUE(out.offset[i] >= out.offset[i - 1]);
	}
}

static void
shares_placeholders_and_keeps_the_users(void)
{
	struct name_alias names[] = {{SLICE("#i0"), SLICE("x")}};
	struct attr values[] = {{SLICE_INIT(":i1"), {.type = VALUE_NULL}}};
	struct inline_request r = {.ph = {.names = names,
					  .n_names = 1,
					  .values = {values, 1},
					  .names_given = true,
					  .values_given = true}};
	struct inline_text out;

	CU_ASSERT_EQUAL_FATAL(inline_expression(&c, &r, SLICE("a = 1"), &out), 0);
	CU_ASSERT_TRUE(slice_is(out.text, "#i1 = :i2"));
	CU_ASSERT_EQUAL_FATAL(inline_expression(&c, &r, SLICE("a, b"), &out), 0);
	CU_ASSERT_TRUE(slice_is(out.text, "#i1, #i3"));
	CU_ASSERT_EQUAL(r.ph.n_names, 3);
	CU_ASSERT_EQUAL(r.ph.values.n, 2);
	CU_ASSERT_TRUE(slice_is(r.ph.names[0].name, "x"));
	CU_ASSERT_EQUAL(r.ph.values.at[0].value.type, VALUE_NULL);
}

static void
survives_very_long_expressions(void)
{
	struct inline_request r = {0};
	struct inline_text out;
	struct buf b;

	buf_init(&b, &c.arena);
	for (int i = 0; i < 500; i++) {
		buf_fmt(&b, "%sname%d=%d", i == 0 ? "" : " OR ", i, i);
	}
	CU_ASSERT_EQUAL_FATAL(inline_expression(&c, &r, buf_view(&b), &out), 0);
	CU_ASSERT_EQUAL(r.ph.n_names, 500);
	CU_ASSERT_EQUAL(r.ph.values.n, 500);
	CU_ASSERT_TRUE(slice_is(r.ph.names[499].name, "name499"));
}

static void
refuses_with_the_place(void)
{
	static const struct {
		const char *user;
		size_t place;
	} cases[] = {
		{"a = \"x", 5},   {"a = 'x''", 5},   {"a = \"\\q\"", 5}, {"a > 1x", 5},
		{"a > 1.2.3", 5}, {"aa > 1e999", 6}, {"a = \"\\", 5},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct inline_request r = {0};
		struct inline_text out;

		call_close(&c);
		CU_ASSERT_EQUAL(inline_expression(&c, &r, slice_from(cases[i].user), &out),
				-ERR_VALIDATION);
		CU_ASSERT_EQUAL(c.error.place, cases[i].place);
	}
}

static CU_TestInfo tests[] = {
	UNIT_TEST(rewrites_literals_and_names),
	UNIT_TEST(maps_every_byte_back),
	UNIT_TEST(shares_placeholders_and_keeps_the_users),
	UNIT_TEST(survives_very_long_expressions),
	UNIT_TEST(refuses_with_the_place),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(inline, setup, teardown, tests);
