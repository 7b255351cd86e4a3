#include <stdlib.h>

#include "tests/engine/model.h"
#include "tests/support/unit.h"

enum { CALL_BUDGET = 64 << 20, NOW_MS = 1600000000, ITEMS_MAX = 1000 };

static bool
is_read(struct slice op)
{
	return slice_is(op, "Query") || slice_is(op, "Scan") || slice_is(op, "GetItem");
}

static bool
is_unordered(const struct json *asked)
{
	return model_is(json_get(asked, "order"), "unspecified") ||
	       json_get(asked, "unordered") != NULL;
}

static size_t
number(const struct json *j)
{
	return strtoull(j->text.at, NULL, 10);
}

/* ------------------------------------------------------------ "request", "expect": keys */

static struct model_answer
run_request(const struct model *m, struct call *c, const struct json *asked)
{
	struct slice op = model_text(json_get(asked, "operation"));

	return model_run(
		m, c, op,
		model_request(m, op, json_get(asked, "index"), json_get(asked, "request")));
}

static void
check_request(const struct model *m, const struct json *asked, const struct model_answer *a)
{
	const struct json *error = json_get(asked, "expect_error");
	const struct json *item = json_get(asked, "expect_item");
	const struct json *returned = json_get(asked, "expect_return");
	const struct json *scanned = json_get(asked, "expect_scanned");
	const struct json *last = json_get(asked, "expect_last_key");

	if (error != NULL) {
		model_check_error(m, a, model_text(json_get(error, "code")),
				  json_get(error, "reasons"), json_get(error, "message_has"));
		return;
	}
	if (a->status < 0) {
		model_complain(m, "%s", a->c->error.message);
		return;
	}
	if (is_read(model_text(json_get(asked, "operation")))) {
		model_check_keys(m, a, json_get(asked, "expect"), is_unordered(asked));
	}
	if (item != NULL) {
		struct item want = model_item(m->c, item);

		CU_ASSERT_TRUE(a->n == 1 && item_eq(&a->items[0], &want));
	}
	if (returned != NULL) {
		struct item want = model_item(m->c, returned);

		CU_ASSERT_TRUE(a->n == 1 && item_eq(&a->items[0], &want));
	}
	if (scanned != NULL) {
		CU_ASSERT_EQUAL(a->scanned, number(scanned));
	}
	if (last != NULL) {
		const struct value *pk = item_get(&a->last, m->key->pk->name);
		const struct value *sk = item_get(&a->last, m->key->sk->name);

		CU_ASSERT_TRUE(pk != NULL && slice_eq(pk->text, last->child->text));
		CU_ASSERT_TRUE(sk != NULL && slice_eq(sk->text, last->child->next->text));
	}
}

/* Items of all steps, merged as "merge" requires. */
struct merged {
	struct item items[ITEMS_MAX];
	size_t n;
	const struct json *by; /* names of the attributes that sort them */
};

static int
compare(const struct merged *all, const struct item *a, const struct item *b)
{
	json_each (name, all->by) {
		int r = value_cmp(item_get(a, name->text), item_get(b, name->text));

		if (r != 0) {
			return r;
		}
	}
	return 0;
}

static void
sort(struct merged *all)
{
	for (size_t i = 1; i < all->n; i++) {
		for (size_t j = i; j > 0 && compare(all, &all->items[j - 1], &all->items[j]) > 0;
		     j--) {
			struct item swap = all->items[j];

			all->items[j] = all->items[j - 1];
			all->items[j - 1] = swap;
		}
	}
}

static void
check_merged(const struct model *m, struct merged *all)
{
	const struct json *merge = json_get(m->asked, "merge");
	const struct json *limit = json_get(merge, "limit");
	const struct json *besides = json_get(merge, "besides");
	size_t more = besides == NULL ? 0 : besides->n;

	if (model_is(json_get(merge, "how"), "sort")) {
		all->by = json_get(merge, "by");
		sort(all);
	}
	if (limit != NULL && all->n > number(limit) + more) {
		all->n = number(limit) + more;
	}
	struct model_answer a = {.items = all->items, .n = all->n};

	model_check_keys(m, &a, json_get(m->asked, "expect"), false);
}

void
model_run_steps(const struct model *m, const struct json *steps)
{
	struct merged *all = arena_new(&m->c->arena, struct merged, 1);
	struct model_answer a = {0};
	bool read = false;

	json_each (step, steps) {
		struct call *c = arena_new(&m->c->arena, struct call, 1);

		/* The call uses the memory of the case, but has its own error. */
		call_open(c, NOW_MS, CALL_BUDGET);
		a = run_request(m, c, step);
		check_request(m, step, &a);
		read = is_read(model_text(json_get(step, "operation")));
		for (size_t i = 0; i < a.n && all->n < ITEMS_MAX; i++) {
			all->items[all->n++] = item_copy(&m->c->arena, &a.items[i]);
		}
		if (step->next != NULL) {
			call_close(c);
			continue;
		}
		if (json_get(m->asked, "merge") == NULL && read) {
			model_check_keys(m, &a, json_get(m->asked, "expect"), false);
		}
		call_close(c);
	}
	if (json_get(m->asked, "merge") != NULL) {
		check_merged(m, all);
	}
}

void
model_apply_after(struct model *m)
{
	const struct json *after = json_get(m->asked, "expect_after_typed");
	size_t n = m->n_items + (after == NULL ? 0 : after->n);
	struct item *items = arena_new(&m->c->arena, struct item, n);

	memcpy(items, m->items, m->n_items * sizeof(*items));
	m->items = items;
	if (after == NULL) {
		return;
	}
	json_each (child, after) {
		struct item it = model_typed(m->c, child);
		const struct value *pk = item_get(&it, m->key->pk->name);
		const struct value *sk = item_get(&it, m->key->sk->name);
		size_t i = 0;

		while (i < m->n_items &&
		       !(value_eq(item_get(&items[i], m->key->pk->name), pk) &&
			 (sk == NULL || value_eq(item_get(&items[i], m->key->sk->name), sk)))) {
			i++;
		}
		items[i] = it;
		m->n_items += i == m->n_items;
	}
}

static void
run_keyed(struct model *m)
{
	const struct json *setup = json_get(m->asked, "setup");
	const struct json *steps = json_get(m->asked, "steps");

	if (setup != NULL) {
		json_each (step, setup) {
			struct model_answer a = run_request(m, m->c, step);

			CU_ASSERT_EQUAL_FATAL(a.status, 0);
		}
		model_take_table(m);
	}
	if (steps != NULL) {
		model_run_steps(m, steps);
	} else {
		struct call c;

		call_open(&c, NOW_MS, CALL_BUDGET);

		struct model_answer a = run_request(m, &c, m->asked);

		check_request(m, m->asked, &a);
		call_close(&c);
	}
	model_apply_after(m);
	model_check_table(m);
}

/* ------------------------------------------------------------ "params", "expect": an object */

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

		CU_PASS("an item was looked at");
		if (unordered ? find_like(a, &want) == NULL : !item_eq(&a->items[i], &want)) {
			model_complain(m, "item %zu is another one", i);
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
			model_complain(m, "item %zu is another one", i - 1);
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
			check_items(m, a, e, is_unordered(expect));
		} else if (slice_is(e->name, "keys")) {
			model_check_keys(m, a, e, is_unordered(expect));
		} else if (slice_is(e->name, "sort_keys")) {
			check_values(m, a, sort_name(m, index), e);
		} else if (slice_is(e->name, "values")) {
			json_each (attr, e) {
				check_values(m, a, attr->name, attr);
			}
		} else if (slice_is(e->name, "count")) {
			CU_ASSERT_EQUAL(a->count, number(e));
		} else if (slice_is(e->name, "scanned_count")) {
			CU_ASSERT_EQUAL(a->scanned, number(e));
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
	CU_ASSERT_EQUAL(out.page.count, number(want));
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
		const struct model_answer *source = &answers[number(each) - 1];

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
		.now_s = number(json_get(params, "now")),
		.any_age = any_age != NULL && any_age->type == JSON_TRUE,
	};
	struct sweep_out out = {0};
	struct call c;

	call_open(&c, NOW_MS, CALL_BUDGET);
	int r = engine_sweep(m->t->foreign ? m->t->behind : m->t->engine, &c, &in, &out);

	CU_ASSERT_EQUAL(r, 0);
	CU_ASSERT_EQUAL(out.next.len, 0);
	check_deleted(m, out.deleted, json_get(expect, "deleted"));
	call_close(&c);
}

static void
run_described(const struct model *m)
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

		call_open(&c, NOW_MS, CALL_BUDGET);

		struct model_answer a =
			run_params(m, &c, model_text(json_get(m->asked, "operation")), m->asked);

		check_answer(m, json_get(m->asked, "index"), &a, expect);
		call_close(&c);
	}
	check_afterwards(m, expect);
	model_check_clean(m);
}

void
model_case(struct model *m)
{
	if (json_get(m->asked, "expect")->type == JSON_ARRAY) {
		run_keyed(m);
	} else {
		run_described(m);
	}
}
