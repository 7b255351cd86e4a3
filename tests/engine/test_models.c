/* Tests of the worked examples: every access pattern and pitfall of every model, on every engine. */
#include "tests/engine/model.h"
#include "tests/support/read_file.h"
#include "tests/support/unit.h"

enum { FILE_BUDGET = 256 << 20, CASE_BUDGET = 256 << 20 };

/* Numbers of the cases of a file that ran. */
struct tally {
	unsigned ran;
	unsigned views;
	unsigned numbered; /* those that are numbered patterns of the source */
	unsigned migrated; /* those that ran on a table migrated from another model */
};

/* ------------------------------------------------------------ a fresh table */

/* Set the TTL attribute of the table, if it has one. */
static void
expire(struct model *m)
{
	struct update_time_to_live_in in = {
		.table = model_text(json_get(m->table, "name")),
		.enabled = true,
		.attribute = model_text(json_get(m->table, "ttl_attribute")),
	};
	struct update_time_to_live_out out;

	if (in.attribute.len > 0) {
		int r = engine_update_time_to_live(m->t->engine, m->c, &in, &out);

		CU_ASSERT_EQUAL_FATAL(r, 0);
	}
}

static void
create_table(struct model *m)
{
	struct slice request = model_create(m->c, m->table);
	struct model_answer a = model_run(m, m->c, SLICE("CreateTable"), request);

	CU_ASSERT_EQUAL_FATAL(a.status, 0);

	struct describe_table_in in = {.table = model_text(json_get(m->table, "name"))};
	struct describe_table_out out = {0};
	int r = engine_describe_table(m->t->engine, m->c, &in, &out);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	m->key = &out.table.schema->key;
	expire(m);
}

/* Set m->items to those of @model. */
static void
take_items(struct model *m, const struct json *model)
{
	const struct json *typed = json_get(model, "items_typed");
	const struct json *items = typed != NULL ? typed : json_get(model, "items");

	m->items = arena_new(&m->c->arena, struct item, items->n);
	m->n_items = 0;
	json_each (child, items) {
		m->items[m->n_items++] =
			typed != NULL ? model_typed(m->c, child) : model_item(m->c, child);
	}
}

/* Make a table with the items of @model. */
static void
create(struct model *m, const struct json *model)
{
	m->table = json_get(model, "table");
	create_table(m);
	take_items(m, model);
	int r = engines_load(m->t, m->c, model_text(json_get(m->table, "name")), m->items,
			     m->n_items);

	CU_ASSERT_EQUAL_FATAL(r, 0);
}

/* Run @fn over the model's items in a fresh store of engine @row. */
static void
with_store(struct model *m, size_t row, void (*fn)(struct model *m))
{
	struct testee t = {.name = engines[row].name};
	struct call c;

	call_open(&c, ENGINES_NOW_MS, CASE_BUDGET);
	m->t = &t;
	m->c = &c;
	engines[row].open(&t);
	if (m->before == NULL) {
		create(m, m->json);
	} else {
		create(m, m->before);
		model_migrate(m);
		take_items(m, m->json);
	}
	fn(m);
	engines[row].close(&t);
	call_close(&c);
}

static void
views(struct model *m)
{
	if (!m->t->foreign) {
		model_check_views(m);
	}
	model_check_table(m);
}

static void
run_cases(struct model *m, size_t row, const struct json *cases, struct tally *tally)
{
	if (cases == NULL) {
		return;
	}
	json_each (asked, cases) {
		const struct json *op = json_get(asked, "operation");

		if (op == NULL || op->type == JSON_NULL) {
			continue; /* it has only a description */
		}
		m->asked = asked;
		with_store(m, row, model_case);
		tally->ran++;
		tally->numbered += json_get(asked, "number") != NULL &&
				   json_get(asked, "number")->type == JSON_NUMBER;
	}
}

/* Return the model with which the migrations of @model begin; NULL: it has none. */
static const struct json *
find_before(const struct json *models, const struct json *model)
{
	const struct json *name = json_get(model, "migrates_from");

	json_each (before, models) {
		if (name != NULL &&
		    slice_eq(model_text(json_get(before, "name")), model_text(name))) {
			return before;
		}
	}
	return NULL;
}

static void
run_model(struct model *m, size_t row, struct tally *tally)
{
	tally->views += json_get(m->json, "base_view") != NULL;
	m->asked = NULL;
	with_store(m, row, views);
	run_cases(m, row, json_get(m->json, "access_patterns"), tally);
	run_cases(m, row, json_get(m->json, "pitfalls"), tally);
}

static void
run_file(const char *path, struct tally want)
{
	const struct json *json = NULL;
	struct call c;

	call_open(&c, ENGINES_NOW_MS, FILE_BUDGET);

	int r = json_parse(&c, read_file(&c.arena, path), JSON_STRICT, &json);

	CU_ASSERT_EQUAL_FATAL(r, 0);
	for (size_t row = 0; row < engines_count; row++) {
		struct tally tally = {0};

		json_each (model, json_get(json, "models")) {
			struct model m = {.file = path, .json = model};
			struct tally again = {0};

			run_model(&m, row, &tally);
			m.before = find_before(json_get(json, "models"), model);
			if (m.before != NULL) {
				run_model(&m, row, &again);
			}
			tally.migrated += again.ran;
		}
		printf("\n%s on %s: %u cases ran ", path, engines[row].name, tally.ran);
		CU_ASSERT_EQUAL(tally.ran, want.ran);
		CU_ASSERT_EQUAL(tally.views, want.views);
		CU_ASSERT_EQUAL(tally.numbered, want.numbered);
		CU_ASSERT_EQUAL(tally.migrated, want.migrated);
	}
	call_close(&c);
}

static void
order_entry(void)
{
	run_file("models/model-hr-oe.json", (struct tally){.ran = 46, .views = 3, .numbered = 27});
}

static void
sessions_and_shop(void)
{
	run_file("models/models-ch18-19.json", (struct tally){.ran = 61, .views = 0});
}

static void
deals_and_git_hosting(void)
{
	run_file("models/models-ch20-22.json",
		 (struct tally){.ran = 152, .views = 10, .migrated = 57});
}

static CU_TestInfo tests[] = {
	UNIT_TEST(order_entry),
	UNIT_TEST(sessions_and_shop),
	UNIT_TEST(deals_and_git_hosting),
	CU_TEST_INFO_NULL,
};

UNIT_SUITE(models, NULL, NULL, tests);
