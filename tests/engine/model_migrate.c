#include "tests/engine/model.h"
#include "tests/support/unit.h"

static struct slice
table_name(const struct model *m)
{
	return model_text(json_get(m->table, "name"));
}

/* Return the index as the model's own table declares it. */
static const struct json *
declared(const struct model *m, const struct json *added)
{
	json_each (gsi, json_get(json_get(m->json, "table"), "gsis")) {
		if (slice_eq(model_text(json_get(gsi, "name")),
			     model_text(json_get(added, "IndexName")))) {
			return gsi;
		}
	}
	model_complain(m, "the model has no such index");
	return NULL;
}

/* The last index is built in the background while the steps change the items. */
static void
add_indexes(const struct model *m, const struct json *indexes)
{
	json_each (index, indexes) {
		engines_wait(m->t, table_name(m));

		struct slice request = model_add_index(m->c, m->table, declared(m, index));
		struct model_answer a = model_run(m, m->c, SLICE("UpdateTable"), request);

		CU_ASSERT_EQUAL_FATAL(a.status, 0);
	}
}

void
model_migrate(struct model *m)
{
	const struct json *asked = m->asked;

	json_each (migration, json_get(m->json, "migrations")) {
		const struct json *indexes = json_get(migration, "add_indexes");

		m->asked = migration;
		if (indexes != NULL) {
			add_indexes(m, indexes);
		}
		model_run_steps(m, json_get(migration, "steps"));
		engines_wait(m->t, table_name(m));
		model_apply_after(m);
		model_check_table(m);
	}
	m->table = json_get(m->json, "table");
	m->asked = asked;
}
