/*
 * expr - fuzzes expressions
 *
 * Input: a byte that selects the kind, the expression up to a line end, then an item as JSON.  The position of a
 * refusal must be inside the text; the offsets of inline must not decrease.
 */
#include "store/expr/expr.h"
#include "store/expr/inline.h"
#include "store/model/item_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Define placeholders that any input may use. */
static void
placeholders(struct placeholders *ph, struct name_alias *names, struct attr *values)
{
	names[0] = (struct name_alias){SLICE("#a"), SLICE("a")};
	names[1] = (struct name_alias){SLICE("#b"), SLICE("x.y")};
	values[0] = (struct attr){SLICE(":s"), value_string(SLICE("b"))};
	values[1] = (struct attr){SLICE(":n"), {.type = VALUE_N, .text = SLICE("10.5")}};
	values[2] = (struct attr){SLICE(":t"), {.type = VALUE_BOOL, .truth = true}};
	*ph = (struct placeholders){names, 2, {values, 3}, true, true, NULL};
}

static void
run_condition(struct call *c, struct expr_scope *s, struct slice text, const struct item *it)
{
	const struct slice *names;
	struct expr *e;

	if (expr_condition(c, s, EXPR_FILTER, text, &e) == 0) {
		(void)expr_eval(c, e, it);
		(void)expr_attributes(e, &names);
	} else {
		assert(c->error.code == ERR_VALIDATION && c->error.place <= text.len + 1);
	}
}

static void
run_projection(struct call *c, struct expr_scope *s, struct slice text, const struct item *it)
{
	struct expr_projection *p;

	if (expr_projection(c, s, text, &p) == 0) {
		assert(expr_project(c, p, it).n <= it->n);
	} else {
		assert(c->error.code == ERR_VALIDATION && c->error.place <= text.len + 1);
	}
}

static void
run_update(struct call *c, struct expr_scope *s, struct slice text, const struct item *it)
{
	struct expr_update *u;
	struct item updated;

	if (expr_update(c, s, text, &u) < 0) {
		assert(c->error.code == ERR_VALIDATION && c->error.place <= text.len + 1);
		return;
	}
	if (expr_update_apply(c, u, it, &updated) == 0) {
		const struct expr_projection *touched = expr_update_touched(u);

		assert(expr_project(c, touched, &updated).n <= updated.n);
		assert(item_check(c, &updated) == 0);
	}
	c->error = (struct error){0};
}

static void
run_key_condition(struct call *c, struct expr_scope *s, struct slice text)
{
	struct schema schema = {.key = {{{SLICE("a"), VALUE_S}}, {{SLICE("b"), VALUE_N}}}};
	struct key_terms *terms;
	struct keycond k;

	if (expr_key_condition(c, s, text, &terms) == 0 &&
	    expr_key_condition_judge(c, terms) == 0 &&
	    expr_key_condition_match(c, terms, &schema, NULL, &k) == 0) {
		assert(k.equal.n == 1 && k.equal.at[0]->type == VALUE_S);
		assert((k.op == KEYCOND_NONE) == (k.a == NULL));
		assert((k.op == KEYCOND_BETWEEN) == (k.b != NULL));
	} else {
		assert(c->error.code == ERR_VALIDATION && c->error.place <= text.len + 1);
	}
}

static void
run_inline(struct call *c, struct slice text, const struct item *it)
{
	struct inline_request r = {0};
	struct inline_text t;

	if (inline_expression(c, &r, text, &t) < 0) {
		assert(c->error.place <= text.len + 1);
		return;
	}
	for (size_t i = 0; i < t.text.len; i++) {
		assert(t.offset[i] <= t.offset[i + 1]);
	}
	assert(t.offset[t.text.len] == text.len);
	run_condition(c, expr_scope_open(c, &r.ph), t.text, it);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct placeholders ph;
	struct name_alias names[2];
	struct attr values[3];
	struct item it = {NULL, 0};
	struct call c;

	if (size == 0) {
		return 0;
	}
	const char *text = (const char *)data + 1;
	const char *end = memchr(text, '\n', size - 1);
	size_t n = end == NULL ? size - 1 : (size_t)(end - text);
	const struct json *json;

	call_open(&c, 0, 1U << 20);
	if (n + 1 < size &&
	    (json_parse(&c, slice_of(text + n, size - 1 - n), JSON_STRICT, &json) < 0 ||
	     item_from_json(&c, json, &it) < 0 || item_check(&c, &it) < 0)) {
		it.n = 0; /* no store can have such an item */
		c.error = (struct error){0};
	}
	placeholders(&ph, names, values);
	struct expr_scope *s = expr_scope_open(&c, &ph);
	struct slice expression = slice_of(text, n);

	switch (data[0]) {
	case 'p':
		run_projection(&c, s, expression, &it);
		break;
	case 'k':
		run_key_condition(&c, s, expression);
		break;
	case 'u':
		run_update(&c, s, expression, &it);
		break;
	case 'i':
		run_inline(&c, expression, &it);
		break;
	default:
		run_condition(&c, s, expression, &it);
	}
	int closed = expr_scope_close(&c, s);

	assert(closed == 0 || closed == -ERR_VALIDATION);
	call_close(&c);
	return 0;
}
