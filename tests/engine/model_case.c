/* model_case - access patterns with "request", and "expect" as an array of keys */
#include "tests/engine/model.h"
#include "tests/support/unit.h"

enum { ITEMS_MAX = 1000 };

static bool
is_read(struct slice op)
{
	return slice_is(op, "Query") || slice_is(op, "Scan") || slice_is(op, "GetItem");
}

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
		model_check_keys(m, a, json_get(asked, "expect"), model_is_unordered(asked));
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
		CU_ASSERT_EQUAL(a->scanned, model_number(scanned));
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
	if (limit != NULL && all->n > model_number(limit) + more) {
		all->n = model_number(limit) + more;
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
		call_open(c, MODEL_NOW_MS, MODEL_CALL_BUDGET);
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

		call_open(&c, MODEL_NOW_MS, MODEL_CALL_BUDGET);

		struct model_answer a = run_request(m, &c, m->asked);

		check_request(m, m->asked, &a);
		call_close(&c);
	}
	model_apply_after(m);
	model_check_table(m);
}

void
model_case(struct model *m)
{
	if (json_get(m->asked, "expect")->type == JSON_ARRAY) {
		run_keyed(m);
	} else {
		model_described(m);
	}
}
