/* model_described - access patterns with "params", and "expect" as an object */
#include "tests/engine/model.h"
#include "tests/support/unit.h"

static struct model_answer
run_params(const struct model *m, struct call *c, struct slice op, const struct json *asked)
{
	return model_run(m, c, op,
			 model_request(m, op, json_get(asked, "index"), json_get(asked, "params")));
}

static const struct item *
find_like(const struct model_answer *a, const struct item *like)
{
	for (size_t i = 0; i < a->n; i++) {
		if (item_eq(&a->items[i], like)) {
			return &a->items[i];
		}
	}
	return NULL;
}

static void
check_items(const struct model *m, const struct model_answer *a, const struct json *items,
	    bool unordered)
{
	size_t i = 0;

	if (a->n != items->n) {
		model_complain(m, "%zu items, not %zu", a->n, items->n);
		return;
	}
	json_each (child, items) {
		struct item want = model_item(m->c, child);

		CU_PASS("an item was checked");
		if (unordered ? find_like(a, &want) == NULL : !item_eq(&a->items[i], &want)) {
			model_complain(m, "item %zu differs", i);
		}
		i++;
	}
}

/* Collect the values of one attribute in all items. */
static void
check_values(const struct model *m, const struct model_answer *a, struct slice name,
	     const struct json *values)
{
	size_t i = 0;

	if (a->n != values->n) {
		model_complain(m, "%zu items, not %zu", a->n, values->n);
		return;
	}
	json_each (child, values) {
		struct value want = model_value(m->c, child);
		const struct value *got = item_get(&a->items[i++], name);

		if (got == NULL || !value_eq(got, &want)) {
			model_complain(m, "item %zu differs", i - 1);
		}
	}
}

static struct slice
sort_name(const struct model *m, const struct json *index)
{
	const struct json *gsis = json_get(m->table, "gsis");
	const struct json *key = json_get(m->table, "key");

	if (model_text(index).len > 0) {
		json_each (gsi, gsis) {
			if (slice_eq(model_text(json_get(gsi, "name")), index->text)) {
				key = json_get(gsi, "key");
			}
		}
	}
	return model_text(json_get(json_get(key, "sort"), "name"));
}

static void
check_last(const struct model *m, const struct model_answer *a, const struct json *last)
{
	if (last->type == JSON_NULL) {
		CU_ASSERT_EQUAL(a->last.n, 0);
	} else {
		struct item want = model_item(m->c, last);

		CU_ASSERT_TRUE(item_eq(&a->last, &want));
	}
}

/* Check the answer itself. */
static void
check_answer(const struct model *m, const struct json *index, const struct model_answer *a,
	     const struct json *expect)
{
	const struct json *error = json_get(expect, "error");

	if (error != NULL) {
		model_check_error(m, a, error->text, json_get(expect, "reasons"), NULL);
		return;
	}
	if (a->status < 0) {
		model_complain(m, "%s", a->c->error.message);
		return;
	}
	json_each (e, expect) {
		if (slice_is(e->name, "items")) {
			check_items(m, a, e, model_is_unordered(expect));
		} else if (slice_is(e->name, "keys")) {
			model_check_keys(m, a, e, model_is_unordered(expect));
		} else if (slice_is(e->name, "sort_keys")) {
			check_values(m, a, sort_name(m, index), e);
		} else if (slice_is(e->name, "values")) {
			json_each (attr, e) {
				check_values(m, a, attr->name, attr);
			}
		} else if (slice_is(e->name, "count")) {
			CU_ASSERT_EQUAL(a->count, model_number(e));
		} else if (slice_is(e->name, "scanned_count")) {
			CU_ASSERT_EQUAL(a->scanned, model_number(e));
		} else if (slice_is(e->name, "last_evaluated_key")) {
			check_last(m, a, e);
		} else if (slice_is(e->name, "item") || slice_is(e->name, "attributes")) {
			struct item want =
				e->type == JSON_NULL ? (struct item){0} : model_item(m->c, e);

			CU_ASSERT_TRUE(a->n == (e->type != JSON_NULL) &&
				       (a->n == 0 || item_eq(a->items, &want)));
		}
	}
}

static struct model_answer
get(const struct model *m, struct call *c, const struct json *key)
{
	struct get_item_in in = {.table = model_text(json_get(m->table, "name")),
				 .key = model_item(m->c, key)};
	struct get_item_out out = {0};
	struct model_answer a = {.c = c};

	a.status = engine_get_item(m->t->engine, c, &in, &out);
	CU_ASSERT_EQUAL(a.status, 0);
	if (out.found) {
		struct item *it = arena_new(&c->arena, struct item, 1);

		*it = out.item;
		a.items = it;
		a.n = 1;
	}
	return a;
}

/* Read an item afterwards and compare it with "item", or with the attributes that it "has" or "lacks". */
static void
check_after(const struct model *m, const struct json *after)
{
	struct model_answer a = get(m, m->c, json_get(after, "key"));
	const struct json *has = json_get(after, "has");
	const struct json *lacks = json_get(after, "lacks");

	check_answer(m, NULL, &a, after);
	if (has != NULL) {
		json_each (attr, has) {
			struct value want = model_value(m->c, attr);
			const struct value *got = a.n == 0 ? NULL : item_get(a.items, attr->name);

			CU_ASSERT_TRUE(got != NULL && value_eq(got, &want));
		}
	}
	if (lacks != NULL) {
		json_each (name, lacks) {
			CU_ASSERT_TRUE(a.n == 1 && item_get(a.items, name->text) == NULL);
		}
	}
}

static void
check_count(const struct model *m, struct slice index, const struct json *want)
{
	struct scan_in in = {.read = {.table = model_text(json_get(m->table, "name")),
				      .index = index,
				      .select = SELECT_COUNT}};
	struct scan_out out = {0};
	int r = engine_scan(m->t->engine, m->c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.page.count, model_number(want));
}

static void
check_afterwards(const struct model *m, const struct json *expect)
{
	json_each (e, expect) {
		if (slice_is(e->name, "after")) {
			json_each (after, e) {
				check_after(m, after);
			}
		} else if (slice_is(e->name, "after_query")) {
			json_each (after, e) {
				struct model_answer a = run_params(m, m->c, SLICE("Query"), after);

				check_answer(m, json_get(after, "index"), &a, after);
			}
		} else if (slice_is(e->name, "table_count_after")) {
			check_count(m, SLICE(""), e);
		} else if (slice_is(e->name, "index_count_after")) {
			json_each (index, e) {
				check_count(m, index->name, index);
			}
		}
	}
}

/* Return @text with each "$item.NAME" replaced by that string attribute of the item. */
static struct slice
fill_in(struct arena *a, struct slice text, const struct item *it)
{
	for (size_t i = 0; i < it->n; i++) {
		struct buf mark;
		struct buf done;

		buf_init(&mark, a);
		buf_init(&done, a);
		buf_fmt(&mark, "$item.%.*s", SLICE_ARG(it->at[i].name));
		for (size_t n = 0; n < text.len;) {
			if (slice_starts(slice_skip(text, n), buf_view(&mark))) {
				buf_slice(&done, it->at[i].value.text);
				n += mark.len;
			} else {
				buf_char(&done, text.at[n++]);
			}
		}
		text = buf_view(&done);
	}
	return text;
}

static void
run_sequence(const struct model *m, const struct json *steps)
{
	struct model_answer answers[8];
	size_t n = 0;

	json_each (step, steps) {
		const struct json *each = json_get(step, "for_each_item_of_step");
		struct slice op = model_text(json_get(step, "operation"));
		struct slice request =
			model_request(m, op, json_get(step, "index"), json_get(step, "params"));

		CU_ASSERT_FATAL(n < sizeof(answers) / sizeof(*answers));
		if (each == NULL) {
			answers[n] = model_run(m, m->c, op, request);
			check_answer(m, json_get(step, "index"), &answers[n],
				     json_get(step, "expect"));
			n++;
			continue;
		}
		const struct model_answer *source = &answers[model_number(each) - 1];

		for (size_t i = 0; i < source->n; i++) {
			struct model_answer a = model_run(
				m, m->c, op, fill_in(&m->c->arena, request, &source->items[i]));

			CU_ASSERT_EQUAL(a.status, 0);
		}
	}
}

/* Check that exactly the items of "deleted" were deleted. */
static void
check_deleted(const struct model *m, uint64_t deleted, const struct json *keys)
{
	CU_ASSERT_EQUAL(deleted, keys->n);
	json_each (key, keys) {
		struct model_answer a = get(m, m->c, key);

		CU_ASSERT_EQUAL(a.n, 0);
	}
}

/* Run a TTL sweep at the time of the case. */
static void
run_sweep(const struct model *m, const struct json *params, const struct json *expect)
{
	const struct json *any_age = json_get(params, "ignore_five_year_rule");
	struct sweep_in in = {
		.table = model_text(json_get(m->table, "name")),
		.now_s = model_number(json_get(params, "now")),
		.any_age = any_age != NULL && any_age->type == JSON_TRUE,
	};
	struct sweep_out out = {0};
	struct call c;

	call_open(&c, MODEL_NOW_MS, MODEL_CALL_BUDGET);
	int r = engine_sweep(m->t->foreign ? m->t->behind : m->t->engine, &c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.next.len, 0);
	check_deleted(m, out.deleted, json_get(expect, "deleted"));
	call_close(&c);
}

void
model_described(const struct model *m)
{
	const struct json *given = json_get(m->asked, "given");
	const struct json *expect = json_get(m->asked, "expect");
	const struct json *steps = json_get(json_get(m->asked, "params"), "steps");

	if (given != NULL) {
		json_each (step, given) {
			struct model_answer a =
				run_params(m, m->c, model_text(json_get(step, "operation")), step);

			CU_ASSERT_EQUAL_FATAL(a.status, 0);
		}
	}
	if (steps != NULL) {
		run_sequence(m, steps);
	} else if (model_is(json_get(m->asked, "operation"), "TTLSweep")) {
		run_sweep(m, json_get(m->asked, "params"), expect);
	} else {
		struct call c;

		call_open(&c, MODEL_NOW_MS, MODEL_CALL_BUDGET);

		struct model_answer a =
			run_params(m, &c, model_text(json_get(m->asked, "operation")), m->asked);

		check_answer(m, json_get(m->asked, "index"), &a, expect);
		call_close(&c);
	}
	check_afterwards(m, expect);
	model_check_clean(m);
}
