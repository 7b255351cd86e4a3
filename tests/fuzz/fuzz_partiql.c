/*
 * partiql - fuzzes statements
 *
 * Input: a statement.  It gets as many parameters as it has question marks, of each type in turn, and is translated
 * for a table.  The position of a refusal must be inside the text.
 */
#include "store/partiql/translate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARAMETERS = 16 };

static const struct schema schema = {
	.table = SLICE_INIT("tab"),
	.key = {.pk = {{SLICE_INIT("p"), VALUE_S}}, .sk = {{SLICE_INIT("s"), VALUE_N}}},
};

static size_t
parameters(struct slice text, struct value *out)
{
	static struct value members[] = {{.type = VALUE_S, .text = SLICE_INIT("m")}};
	const struct value kinds[] = {
		value_string(SLICE("x")),
		{.type = VALUE_N, .text = SLICE("1")},
		{.type = VALUE_BOOL, .truth = true},
		{.type = VALUE_SS, .list = {members, 1}},
	};
	size_t n = 0;

	for (size_t i = 0; i < text.len && n < PARAMETERS; i++) {
		if (text.at[i] == '?') {
			out[n] = kinds[n % 4];
			n++;
		}
	}
	return n;
}

static int
translate(struct call *c, const struct statement *st)
{
	struct selection s;
	struct transact_action a;
	int r;

	if (st->kind != STATEMENT_SELECT) {
		r = translate_action(c, &schema, st, RETURN_NONE, &a);
		assert(r != 0 || a.item.n > 0);
		return r;
	}
	r = translate_select(c, &schema, NULL, st, &s);
	for (size_t i = 0; r == 0 && i < s.runs.n; i++) {
		const struct keycond *k = &s.runs.at[i];

		assert(k->equal.n == 1 && k->equal.at[0]->type == VALUE_S);
		assert((k->op == KEYCOND_NONE) == (k->a == NULL));
		assert(k->a == NULL || k->a->type == VALUE_N);
		assert((k->op == KEYCOND_BETWEEN) == (k->b != NULL));
	}
	return r;
}

/* Make the item that all conditions and updates are applied to. */
static void
use(struct call *c, const struct statement *st)
{
	struct attr a[] = {{SLICE("a"), {.type = VALUE_N, .text = SLICE("1")}}};
	struct item it = {a, 1};
	struct placeholders ph = {.trees = &st->trees};
	struct expr_scope *s = expr_scope_open(c, &ph);
	struct expr_update *u = NULL;
	struct expr *e = NULL;
	struct item updated;

	if (expr_condition(c, s, EXPR_CONDITION, st->text, &e) == 0) {
		(void)expr_eval(c, e, &it);
	}
	if (expr_update(c, s, st->text, &u) == 0 && u != NULL &&
	    expr_update_apply(c, u, &it, &updated) == 0) {
		assert(item_check(c, &updated) == 0);
	}
	assert(translate_answer(c, st, &it).n <= 1);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct slice text = slice_of((const char *)data, size);
	struct value values[PARAMETERS];
	struct statement st;
	struct call c;
	size_t n = parameters(text, values);

	call_open(&c, 0, 1U << 20);
	int r = statement_parse(&c, text, values, n, &st);

	if (r == 0) {
		r = translate(&c, &st);
		assert(r >= 0 || c.error.code == ERR_VALIDATION);
	}
	assert(r >= 0 || c.error.place <= size + 1);
	c.error = (struct error){0};
	if (r == 0) {
		use(&c, &st);
	}
	call_close(&c);
	return 0;
}
