/* Tests of whole statements: the operation that each becomes, or its refusal. */
#include "store/model/item_json.h"

#include "tests/expr/cases.h"
#include "tests/partiql/render.h"
#include "tests/support/unit_call.h"

UNIT_CALL(c);

/* Key p (S), s (N); indexes R: p, r (S); G: g (S), s. */
static struct index indexes[] = {
	{.name = SLICE_INIT("R"),
	 .id = 1,
	 .key = {.pk = {{SLICE_INIT("p"), VALUE_S}}, .sk = {{SLICE_INIT("r"), VALUE_S}}}},
	{.name = SLICE_INIT("G"),
	 .global = true,
	 .id = 2,
	 .key = {.pk = {{SLICE_INIT("g"), VALUE_S}}, .sk = {{SLICE_INIT("s"), VALUE_N}}}},
};
static const struct schema schema = {
	.table = SLICE_INIT("tab"),
	.key = {.pk = {{SLICE_INIT("p"), VALUE_S}}, .sk = {{SLICE_INIT("s"), VALUE_N}}},
	.index = indexes,
	.n_index = 2,
};

/* Parse the second line of a case: "-" or the typed parameters. */
static struct values
parameters(struct call *call, struct slice line)
{
	const struct json *json;
	struct values out = {0};

	if (line.at == NULL) {
		return out;
	}
	CU_ASSERT_EQUAL_FATAL(json_parse(call, line, JSON_STRICT, &json), 0);
	out.at = arena_new(&call->arena, struct value, json->n);
	json_each (child, json) {
		int r = value_from_typed_json(call, child, &out.at[out.n++]);

		CU_ASSERT_EQUAL_FATAL(r, 0);
	}
	return out;
}

static int
translate(struct call *call, const struct statement *st, struct buf *got)
{
	struct selection selection;
	struct transact_action action;
	int r;

	if (st->kind == STATEMENT_SELECT) {
		r = translate_select(call, &schema, schema_index(&schema, st->index), st,
				     &selection);
		if (r == 0) {
			render_selection(got, &selection, st);
		}
		return r;
	}
	r = translate_action(call, &schema, st, RETURN_NONE, &action);
	if (r == 0) {
		render_write(got, &action);
	}
	return r;
}

static void
run(struct call *call, const struct test_case *t, struct buf *got)
{
	struct values p = parameters(call, t->item);
	struct statement st;
	int r = statement_parse(call, t->expression, p.at, p.n, &st);

	if (r == 0) {
		r = translate(call, &st, got);
	}
	if (r == TRANSLATE_NOT_ONE) {
		buf_str(got, "not one");
	} else if (r < 0) {
		cases_refused(call, got);
	}
}

static void
statements_become_operations(void)
{
	cases_run("partiql/statement.test", run);
}

static void
invalid_statements_are_refused(void)
{
	cases_run("partiql/refused.test", run);
}

static int
parse(const char *text, struct statement *out)
{
	return statement_parse(&c, slice_from(text), NULL, 0, out);
}

/* Translate a SELECT of one item, for a transaction or a batch. */
static void
a_single_item_is_read_only_by_its_key(void)
{
	static const struct {
		const char *text;
		int r;
	} cases[] = {
		{"SELECT a FROM tab WHERE p='x' AND s=1", 0},
		{"SELECT a FROM tab WHERE (s=1) AND ('x'=p)", 0},
		{"SELECT a FROM tab WHERE p='x'", TRANSLATE_NOT_ONE},
		{"SELECT a FROM tab WHERE p='x' AND s=1 AND a=1", TRANSLATE_NOT_ONE},
		{"SELECT a FROM tab WHERE p='x' AND s IN (1)", 0},
		{"SELECT a FROM tab WHERE p='x' AND s IN (1, 2)", TRANSLATE_NOT_ONE},
		{"SELECT a FROM tab WHERE p='x' AND p='x' AND s=1", 0},
		{"SELECT a FROM tab WHERE p='x' AND p='y' AND s=1", TRANSLATE_NOT_ONE},
		{"SELECT a FROM tab.G WHERE p='x' AND s=1", TRANSLATE_NOT_ONE},
		{"SELECT a FROM tab WHERE p='x' AND s='1'", -ERR_VALIDATION},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct transact_get get;
		struct statement st;

		call_clear(&c);
		int parsed = parse(cases[i].text, &st);

		CU_ASSERT_EQUAL_FATAL(parsed, 0);
		int r = translate_get(&c, &schema, &st, &get);

		CU_ASSERT_EQUAL(r, cases[i].r);
		CU_ASSERT_TRUE(r != 0 || get.key.n == 2);
	}
}

static void
listed_parts_are_extracted_from_an_item(void)
{
	const struct json *json;
	struct statement st;
	struct item it;
	struct buf got;
	int r = parse("SELECT b, m.x[1].y, m.x[0], gone, m.x1 FROM tab", &st);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = json_parse(&c, SLICE("{\"a\":1,\"m\":{\"x\":[5,{\"y\":6}]},\"b\":null}"), JSON_STRICT,
		       &json);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	r = item_from_json(&c, json, &it);
	CU_ASSERT_EQUAL_FATAL(r, 0);
	it = translate_answer(&c, &st, &it);
	buf_init(&got, &c.arena);
	item_put_json(&got, &it, ITEM_PLAIN);
	CU_ASSERT_TRUE(slice_is(buf_view(&got), "{\"b\":null,\"y\":6,\"x[0]\":5}"));
}

static CU_TestInfo tests[] = {
	UNIT_TEST(statements_become_operations),
	UNIT_TEST(invalid_statements_are_refused),
	UNIT_TEST(a_single_item_is_read_only_by_its_key),
	UNIT_TEST(listed_parts_are_extracted_from_an_item),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(translate, setup, teardown, tests);
