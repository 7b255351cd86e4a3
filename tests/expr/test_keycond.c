#include "store/model/item_json.h"

#include "tests/expr/cases.h"
#include "tests/support/unit.h"

/* Parse the types: "S" or "S N" of PK and SK; "S+N B+S" of PK, PK1 and SK, SK1. */
static struct key_schema
key_of(struct slice types)
{
	static const char *const names[2][KEY_PART_MAX] = {{"PK", "PK1", "PK2", "PK3"},
							   {"SK", "SK1", "SK2", "SK3"}};
	struct key_schema key = {0};
	size_t part = 0;
	size_t n = 0;

	for (size_t i = 0; i < types.len; i += 2) {
		(part == 0 ? key.pk : key.sk)[n] =
			(struct key_attr){slice_from(names[part][n]),
					  value_type_from_name(slice_of(types.at + i, 1))};
		n++;
		if (i + 1 < types.len && types.at[i + 1] == ' ') {
			part++;
			n = 0;
		}
	}
	return key;
}

static void
put(struct buf *got, const char *before, const struct value *v)
{
	if (v != NULL) {
		buf_str(got, before);
		value_put_json(got, v, ITEM_PLAIN);
	}
}

static void
bind(struct call *c, const struct test_case *t, struct buf *got)
{
	static const char *const ops[] = {
		"", " = ", " < ", " <= ", " > ", " >= ", " BETWEEN ", " begins_with "};
	struct schema schema = {.key = key_of(t->item)};
	struct expr_scope *s = expr_scope_open(c, &t->ph);
	struct key_terms *terms;
	struct keycond k;
	int r = expr_key_condition(c, s, t->expression, &terms);

	if (r == 0) {
		r = expr_scope_close(c, s);
	}
	if (r == 0) {
		r = expr_key_condition_judge(c, terms);
	}
	if (r == 0) {
		r = expr_key_condition_match(c, terms, &schema, NULL, &k);
	}
	if (r < 0) {
		cases_refused(c, got);
		return;
	}
	for (size_t i = 0; i < k.equal.n; i++) {
		put(got, i == 0 ? "PK " : " = ", k.equal.at[i]);
	}
	if (k.op != KEYCOND_NONE) {
		buf_str(got, " SK");
	}
	put(got, ops[k.op], k.a);
	put(got, " AND ", k.b);
}

static void
key_conditions_match_dynamodb(void)
{
	cases_run("expr/keycond.test", bind);
}

static CU_TestInfo tests[] = {
	UNIT_TEST(key_conditions_match_dynamodb),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(keycond, NULL, NULL, tests);
