/* cmd_create - create-table */
#include "tools/align.h"
#include "tools/bulk.h"
#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/keyspec.h"
#include "tools/model.h"

struct create_opts {
	const char *key;
	struct words gsi;
	struct words lsi;
	const char *stream;
	const char *from;
	const char *ttl;
	struct opt_count collection_limit;
	bool throttle;
	bool data;
	bool if_not_exists;
	bool update;
};

static const struct opt create_opts[] = {
	{"key", 0, OPT_TEXT, "PK[:T][,SK[:T]]", offsetof(struct create_opts, key),
	 "primary key; T is S (default), N or B"},
	{"gsi", 0, OPT_LIST, "NAME=PK[:T][,SK[:T]][/PROJ]", offsetof(struct create_opts, gsi),
	 "a global index; PK and SK may be A[:T]+B[:T]...; PROJ: ALL, KEYS_ONLY, INCLUDE:a,b"},
	{"lsi", 0, OPT_LIST, "NAME=SK[:T][/PROJ]", offsetof(struct create_opts, lsi),
	 "a local index"},
	{"stream", 0, OPT_TEXT, "VIEW", offsetof(struct create_opts, stream),
	 "record changes: KEYS_ONLY, NEW_IMAGE, OLD_IMAGE, NEW_AND_OLD_IMAGES"},
	{"from", 0, OPT_TEXT, "FILE", offsetof(struct create_opts, from),
	 "CreateTable JSON or a NoSQL Workbench model; - is standard input"},
	{"data", 0, OPT_FLAG, NULL, offsetof(struct create_opts, data),
	 "with --from: the model's sample data too, into tables that are made"},
	{"if-not-exists", 0, OPT_FLAG, NULL, offsetof(struct create_opts, if_not_exists),
	 "a table that is there already is no error"},
	{"update", 0, OPT_FLAG, NULL, offsetof(struct create_opts, update),
	 "with --if-not-exists: a table that is there becomes as is said"},
	{"ttl", 0, OPT_TEXT, "ATTR", offsetof(struct create_opts, ttl),
	 "the time to live: a number, Unix time in seconds"},
	{"throttle", 0, OPT_FLAG, NULL, offsetof(struct create_opts, throttle),
	 "refuse what is beyond the table's throughput and DynamoDB's 3,000 reads and 1,000 writes "
	 "a second of one partition key"},
	{"collection-limit", 0, OPT_COUNT, "BYTES", offsetof(struct create_opts, collection_limit),
	 "with --lsi: of the items with one partition key; default 10 GB"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

/* The time to live of a new table, if it is to have one. */
static int
expire_by(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
{
	struct update_time_to_live_in in = {
		.table = table, .enabled = true, .attribute = attribute};
	struct update_time_to_live_out answer;

	return attribute.len == 0 ? 0 : engine_update_time_to_live(ctl->engine, c, &in, &answer);
}

/* CreateTable in a call of its own: that the table exists may be no failure; *made: it did not. */
static int
create(struct ctl *ctl, struct call *c, const struct model_table *t, const struct create_opts *o,
       bool *made)
{
	const struct create_table_in *in = &t->create;
	struct create_table_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_create_table(ctl->engine, &own, in, &answer);

	*made = r == 0;
	if (r == 0) {
		ctl_note(ctl, "table %.*s created", SLICE_ARG(in->schema->table));
		r = expire_by(ctl, c, in->schema->table, t->ttl);
	} else if (r == -ERR_TABLE_IN_USE && o->if_not_exists) {
		ctl_note(ctl, "table %.*s exists", SLICE_ARG(in->schema->table));
		r = o->update ? align(ctl, c, t) : 0;
	} else {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

static int
load_data(struct ctl *ctl, struct call *c, const struct model_table *table)
{
	struct item *items = arena_new(&c->arena, struct item, table->data->n + 1);
	size_t n = 0;

	json_each (json, table->data) {
		int r = item_from_json(c, json, &items[n++]);

		if (r < 0) {
			return r;
		}
	}
	struct bulk bulk = {.engine = ctl->engine, .table = table->create.schema->table};
	int r = bulk_put(&bulk, c, items, n);

	if (r == 0) {
		r = bulk_sync(&bulk, c);
	}
	if (r == 0) {
		ctl_note(ctl, "%zu items put into %.*s", n, SLICE_ARG(bulk.table));
	}
	return r;
}

static int
create_from_file(struct ctl *ctl, struct call *c, const struct create_opts *o)
{
	struct model model;
	struct slice text;

	int r = ctl_read_file(c, o->from, &text);
	if (r == 0) {
		r = model_read(c, text, &model);
	}
	for (size_t i = 0; r == 0 && i < model.n; i++) {
		bool made = false;

		r = create(ctl, c, &model.tables[i], o, &made);
		if (made && r == 0 && o->data && model.tables[i].data != NULL) {
			r = load_data(ctl, c, &model.tables[i]);
		}
	}
	return r;
}

static int
run_create_table(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct create_opts *o = opts;
	struct schema schema;

	if (o->update && !o->if_not_exists) {
		return call_fail(c, ERR_VALIDATION, "--update goes with --if-not-exists");
	}
	if (o->from != NULL) {
		if (words->n > 0 || o->key != NULL || o->gsi.n + o->lsi.n > 0 || o->ttl != NULL ||
		    o->stream != NULL || o->throttle || o->collection_limit.given) {
			return call_fail(
				c, ERR_VALIDATION,
				"--from FILE defines everything: no NAME, --key, --gsi, "
				"--lsi, --ttl, --stream, --throttle, --collection-limit beside it");
		}
		return create_from_file(ctl, c, o);
	}
	if (words->n == 0 || o->key == NULL || o->data) {
		return call_fail(c, ERR_VALIDATION,
				 "create-table wants NAME and --key, or --from FILE [--data]");
	}
	int r = keyspec_schema(c, words->at[0], o->key, &o->gsi, &o->lsi, &schema);
	if (r == 0) {
		r = keyspec_view(c, o->stream, &schema.stream.view);
	}
	if (r < 0) {
		return r;
	}
	schema.throttle = o->throttle;
	schema.collection_limit = o->collection_limit.n;
	struct model_table table = {.create.schema = &schema};

	if (o->ttl != NULL) {
		table.ttl = slice_from(o->ttl);
		if (table.ttl.len == 0) {
			return call_fail(c, ERR_VALIDATION, "--ttl wants the name of an attribute");
		}
	}
	bool made;

	return create(ctl, c, &table, o, &made);
}

const struct command cmd_create_table = {
	.name = "create-table",
	.usage =
		"NAME --key PK[:T][,SK[:T]] [--gsi SPEC]... [--lsi SPEC]... [--ttl ATTR] "
		"[--stream VIEW] [--throttle] [--collection-limit BYTES] [--if-not-exists [--update]]\n"
		"--from FILE [--data] [--if-not-exists [--update]]",
	.summary = "make a table, and the store where there is none",
	.details =
		"An attribute without a type has the one it was given elsewhere in the same\n"
		"command, else S. A NoSQL Workbench model makes all its tables.\n"
		"--update adds and drops global indexes, sets or ends time to live, stream and\n"
		"settings of a table that is there, until it is as the command or FILE says; an index\n"
		"whose key or projection differs is dropped and added.",
	.opts = create_opts,
	.opts_bytes = sizeof(struct create_opts),
	.max_words = 1,
	.creates = true,
	.run = run_create_table,
};
