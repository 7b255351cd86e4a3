/*
 * table - create and change tables: indexes, stream, billing, throughput, protection
 *
 * A change is made as if all previous ones had been accepted; both endpoints refuse the same ones.
 */
#include "tests/oracle/make.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ------------------------------------------------------------ CreateTable */

static void
put_key_schema(struct json_writer *w, const char *hash, const char *range)
{
	json_name(w, "KeySchema");
	json_open(w, '[');
	for (int part = 0; part < (range == NULL ? 1 : 2); part++) {
		json_open(w, '{');
		json_name(w, "AttributeName");
		json_string(w, slice_from(part == 0 ? hash : range));
		json_name(w, "KeyType");
		json_string(w, slice_from(part == 0 ? "HASH" : "RANGE"));
		json_close(w);
	}
	json_close(w);
}

static void
put_projection(struct make *m, struct json_writer *w)
{
	static const char *const kinds[] = {"ALL", "ALL", "KEYS_ONLY", "INCLUDE"};
	const char *kind = kinds[make_pick(m, COUNT(kinds))];

	json_name(w, "Projection");
	json_open(w, '{');
	json_name(w, "ProjectionType");
	json_string(w, slice_from(kind));
	if (strcmp(kind, "INCLUDE") == 0) {
		json_name(w, "NonKeyAttributes");
		json_raw(w, SLICE("[\"a\",\"m\"]"));
	}
	json_close(w);
}

static void
put_index(struct make *m, struct json_writer *w, const struct make_index *index)
{
	json_name(w, index->name[0] == 'l' ? "LocalSecondaryIndexes" : "GlobalSecondaryIndexes");
	json_open(w, '[');
	json_open(w, '{');
	json_name(w, "IndexName");
	json_string(w, slice_from(index->name));
	put_key_schema(w, index->hash, index->range);
	put_projection(m, w);
	json_close(w);
	json_close(w);
}

/* A GSI by "g" (and maybe "h", or with the table's keys swapped), and an LSI by "h"; each is optional. */
static void
draw_indexes(struct make *m, struct make_table *t)
{
	static const char *const ranges[] = {NULL, "h", "pk"};

	if (make_chance(m, 70)) {
		t->index[t->n_indexes++] =
			(struct make_index){"global", "g", ranges[make_pick(m, 3)]};
	}
	if (t->types[1] != 0 && make_chance(m, 50)) {
		t->index[t->n_indexes++] = (struct make_index){"local", "pk", "h"};
	}
}

static bool
is_key(const struct make_table *t, const char *name)
{
	bool used = strcmp(name, "pk") == 0 || (strcmp(name, "sk") == 0 && t->types[1] != 0);

	for (size_t i = 0; i < t->n_indexes; i++) {
		used = used || strcmp(t->index[i].hash, name) == 0 ||
		       (t->index[i].range != NULL && strcmp(t->index[i].range, name) == 0);
	}
	return used;
}

static void
put_definitions(struct json_writer *w, const struct make_table *t)
{
	static const char *const names[] = {"pk", "sk", "g", "h"};

	json_name(w, "AttributeDefinitions");
	json_open(w, '[');
	for (size_t i = 0; i < COUNT(names); i++) {
		char type = make_type(t, names[i]);

		if (is_key(t, names[i])) {
			json_open(w, '{');
			json_name(w, "AttributeName");
			json_string(w, slice_from(names[i]));
			json_name(w, "AttributeType");
			json_string(w, slice_of(&type, 1));
			json_close(w);
		}
	}
	json_close(w);
}

struct request
make_create_table(struct make *m, struct make_table *t)
{
	struct request r = {.op = "CreateTable"};
	struct json_writer w;
	struct buf b;

	t->types[0] = "SSNB"[make_pick(m, 4)];
	t->types[1] = "SNB\0"[make_pick(m, 4)];
	draw_indexes(m, t);
	buf_init(&b, &m->c->arena);
	json_writer_init(&w, &b, 0);
	json_open(&w, '{');
	json_name(&w, "TableName");
	json_string(&w, slice_from(t->name));
	json_name(&w, "BillingMode");
	json_string(&w, SLICE("PAY_PER_REQUEST"));
	put_definitions(&w, t);
	put_key_schema(&w, "pk", t->types[1] != 0 ? "sk" : NULL);
	for (size_t i = 0; i < t->n_indexes; i++) {
		put_index(m, &w, &t->index[i]);
	}
	json_close(&w);
	r.body = buf_view(&b);
	return r;
}

/* ------------------------------------------------------------ UpdateTable */

static void
put_throughput(struct make *m, struct json_writer *w)
{
	static const char *const units[] = {"1", "2", "5", "5", "0"};

	json_name(w, "ProvisionedThroughput");
	json_open(w, '{');
	json_name(w, "ReadCapacityUnits");
	json_raw(w, slice_from(units[make_pick(m, COUNT(units))]));
	json_name(w, "WriteCapacityUnits");
	json_raw(w, slice_from(units[make_pick(m, COUNT(units))]));
	json_close(w);
}

/* Attribute definitions for the new index only, or for all. */
static void
put_some_definitions(struct make *m, struct json_writer *w, const struct make_table *t,
		     const struct make_index *index)
{
	struct make_table alone = *t;

	if (make_chance(m, 5)) {
		return;
	}
	if (make_chance(m, 40)) {
		/* The definitions of the table's own keys are always included. */
		alone.n_indexes = 1;
		alone.index[0] = *index;
	}
	put_definitions(w, &alone);
}

static void
open_change(struct json_writer *w, const char *kind, const char *name)
{
	json_open(w, '{');
	json_name(w, kind);
	json_open(w, '{');
	json_name(w, "IndexName");
	json_string(w, slice_from(name));
}

static void
close_change(struct json_writer *w)
{
	json_close(w);
	json_close(w);
}

static void
add_index(struct make *m, struct json_writer *w, struct make_table *t)
{
	static const char *const names[] = {"global", "second", "third", "local", "x"};
	static const char *const keys[] = {"g", "h", "g", "h", "pk", "sk", "a", NULL};
	struct make_index index = {names[make_pick(m, make_chance(m, 85) ? 3 : COUNT(names))],
				   keys[make_pick(m, 6)], keys[make_pick(m, COUNT(keys))]};

	if (t->types[1] == 0 && strcmp(index.hash, "sk") == 0) {
		index.hash = "g";
	}
	if (t->types[1] == 0 && index.range != NULL && strcmp(index.range, "sk") == 0) {
		index.range = NULL;
	}
	open_change(w, "Create", index.name);
	put_key_schema(w, index.hash, index.range);
	put_projection(m, w);
	if (make_chance(m, 20)) {
		put_throughput(m, w);
	}
	close_change(w);
	if (t->n_indexes < MAKE_INDEXES) {
		t->index[t->n_indexes++] = index;
	}
}

static const char *
any_index(struct make *m, const struct make_table *t)
{
	return t->n_indexes > 0 && make_chance(m, 90) ? t->index[make_pick(m, t->n_indexes)].name
						      : "second";
}

static void
drop_index(struct make *m, struct json_writer *w, struct make_table *t)
{
	const char *name = any_index(m, t);

	open_change(w, "Delete", name);
	close_change(w);
	for (size_t i = 0; i < t->n_indexes; i++) {
		if (strcmp(t->index[i].name, name) == 0 && strcmp(name, "local") != 0) {
			t->index[i] = t->index[--t->n_indexes];
			break;
		}
	}
}

static void
change_indexes(struct make *m, struct json_writer *w, struct make_table *t)
{
	size_t kind = make_pick(m, 8);
	size_t n = t->n_indexes;

	json_name(w, "GlobalSecondaryIndexUpdates");
	json_open(w, '[');
	if (kind < 4) {
		add_index(m, w, t);
	} else if (kind < 7) {
		drop_index(m, w, t);
	} else {
		open_change(w, "Update", any_index(m, t));
		put_throughput(m, w);
		close_change(w);
	}
	if (make_chance(m, 5)) {
		drop_index(m, w, t);
	}
	json_close(w);
	if (t->n_indexes > n) {
		put_some_definitions(m, w, t, &t->index[n]);
	}
}

static void
change_billing(struct make *m, struct json_writer *w)
{
	bool provisioned = make_chance(m, 60);

	if (make_chance(m, 80)) {
		json_name(w, "BillingMode");
		json_string(w, provisioned ? SLICE("PROVISIONED") : SLICE("PAY_PER_REQUEST"));
	}
	if (make_chance(m, provisioned ? 90 : 10)) {
		put_throughput(m, w);
	}
}

static void
change_stream(struct make *m, struct json_writer *w)
{
	static const char *const views[] = {"KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE",
					    "NEW_AND_OLD_IMAGES", "ALL"};
	bool enabled = make_chance(m, 60);

	json_name(w, "StreamSpecification");
	json_open(w, '{');
	json_name(w, "StreamEnabled");
	json_bool(w, enabled);
	if (make_chance(m, enabled ? 95 : 10)) {
		json_name(w, "StreamViewType");
		json_string(w, slice_from(views[make_pick(m, make_chance(m, 95) ? 4 : 5)]));
	}
	json_close(w);
}

static void
change_protection(struct make *m, struct json_writer *w)
{
	json_name(w, "DeletionProtectionEnabled");
	json_bool(w, make_chance(m, 50));
}

void
make_update_table(struct make *m, struct json_writer *w)
{
	struct make_table *t = &m->table[make_pick(m, COUNT(m->table))];
	size_t kind = make_pick(m, 12);

	json_name(w, "TableName");
	json_string(w, slice_from(t->name));
	if (kind < 8) {
		change_indexes(m, w, t);
	}
	if (kind == 8 || kind == 9 || make_chance(m, 5)) {
		change_billing(m, w);
	}
	if (kind == 10 || make_chance(m, 5)) {
		change_stream(m, w);
	}
	if (kind == 11 && make_chance(m, 80)) {
		change_protection(m, w);
	}
}
