/* cmd_create - create-table: creates tables by options or a file */
#include "store/engine/engine.h"
#include "store/model/item_json.h"

#include "tools/cmd/cmd.h"
#include "tools/model/align.h"
#include "tools/model/model.h"
#include "tools/model/table_change.h"
#include "tools/session/await.h"
#include "tools/session/ctl.h"
#include "tools/sql/create_words.h"
#include "tools/system/progress.h"
#include "tools/system/scratch_store.h"
#include "tools/text/keyspec.h"
#include "tools/write/bulk.h"

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
	 "CreateTable or DescribeTable JSON, a Workbench model, a template of CloudFormation, SAM, "
	 "CDK, Serverless or Terraform; - is standard input"},
	{"data", 0, OPT_FLAG, NULL, offsetof(struct create_opts, data),
	 "with --from: put the model's sample data into the tables that are created"},
	{"if-not-exists", 0, OPT_FLAG, NULL, offsetof(struct create_opts, if_not_exists),
	 "an existing table is not an error"},
	{"update", 0, OPT_FLAG, NULL, offsetof(struct create_opts, update),
	 "change an existing table to match; with --dry-run the changes are printed"},
	{"ttl", 0, OPT_TEXT, "ATTR", offsetof(struct create_opts, ttl),
	 "the time to live: a number, Unix time in seconds"},
	{"no-wait", 0, OPT_FLAG, NULL, offsetof(struct create_opts, no_wait),
	 "do not wait until an endpoint has created the table and its indexes"},
	{"throttle", 0, OPT_FLAG, NULL, offsetof(struct create_opts, throttle),
	 "refuse requests beyond the table's throughput and DynamoDB's 3,000 reads and 1,000 writes per second for each partition key"},
	{"collection-limit", 0, OPT_COUNT, "BYTES", offsetof(struct create_opts, collection_limit),
	 "with --lsi: limit of the items with one partition key; default 10 GB"},
	OPTS_END(struct create_opts),
};

/* Set the time to live of a new table, unless @attribute is empty. */
static int
expire_by(struct ctl *ctl, struct call *c, struct slice table, struct slice attribute)
{
	struct update_time_to_live_in in = {
		.table = table, .enabled = true, .attribute = attribute};
	struct update_time_to_live_out answer;

	if (attribute.len == 0 || engine_update_time_to_live(ctl->engine, c, &in, &answer) == 0) {
		return 0;
	}
	return call_prefix(c, "the table was created, but its time to live was not set: ");
}

/* Create a table, in a call of its own.  An existing one is no error with --if-not-exists; *made: it was created */
static int
cmd_create_create(struct ctl *ctl, struct call *c, const struct model_table *t,
		  const struct create_opts *o, bool *made)
{
	const struct create_table_in *in = &t->create;
	struct create_table_out answer = {0};

	call_scope(own, c->now_ms);
	int r = engine_create_table(ctl->engine, &own, in, &answer);

	*made = r == 0;
	if (r == 0) {
		r = o->no_wait ? 0 : await_table(ctl, c, in->schema->table);
		ctl_note(ctl, "table %.*s created", SLICE_ARG(in->schema->table));
		r = r < 0 ? r : expire_by(ctl, c, in->schema->table, t->ttl);
	} else if (r == -ERR_TABLE_IN_USE && o->if_not_exists) {
		ctl_note(ctl, "table %.*s exists", SLICE_ARG(in->schema->table));
		r = o->update ? align(ctl, c, t) : create_words_there(ctl, c, in->schema);
	} else {
		r = ctl_adopt(c, &own);
	}
	return r;
}

static int
parse_data(struct call *c, const struct model_table *table, struct item *items)
{
	size_t n = 0;

	json_each (json, table->data) {
		int r = item_from_json(c, json, &items[n++]);

		if (r < 0) {
			return call_prefix(c, "item %zu: ", n);
		}
	}
	return 0;
}

/* Put the items one by one, to say which one is refused. */
static int
try_data(struct bulk *bulk, struct call *c, const struct item *items, size_t n)
{
	size_t done;

	for (size_t i = 0; i < n; i++) {
		if (bulk_put(bulk, c, &items[i], 1, &done) < 0) {
			return call_prefix(c, "item %zu: ", i + 1);
		}
	}
	return 0;
}

static int
load_data(struct ctl *ctl, struct call *c, const struct model_table *table, bool trial)
{
	size_t n = table->data->n;
	struct item *items = arena_new(&c->arena, struct item, n + 1);
	const struct schema *schema = table->create.schema;
	struct bulk bulk = {.engine = ctl->engine, .table = schema->table, .key = &schema->key};
	int r = parse_data(c, table, items);

	if (r < 0 || trial) {
		return r < 0 ? r : try_data(&bulk, c, items, n);
	}
	r = bulk_put(&bulk, c, items, n, &n);
	r = r < 0 ? r : bulk_sync(&bulk, c);
	if (r == 0) {
		ctl_note(ctl, "%s put into %.*s", progress_items(n).at, SLICE_ARG(bulk.table));
	}
	return r;
}

/* ------------------------------------------------------------ definitions */

/* Keep only the tables that are named, in the order of the words. */
static int
pick(struct call *c, struct model *model, const struct words *words)
{
	struct model_table *tables = arena_new(&c->arena, struct model_table, words->n + 1);
	int r = 0;

	for (size_t i = 0; r == 0 && i < words->n; i++) {
		struct model one = {.tables =
					    arena_new(&c->arena, struct model_table, model->n + 1),
				    .n = model->n};

		memcpy(one.tables, model->tables,
		       model->n *
			       sizeof(*one.tables)); /* a copy, because model_pick() may rename its table */
		r = model_pick(c, &one, slice_from(words->at[i]));
		if (r == 0) {
			tables[i] = one.tables[0];
		}
	}
	if (r == 0 && words->n > 0) {
		*model = (struct model){.tables = tables, .n = words->n};
	}
	return r;
}

static int
cmd_create_read_file(struct call *c, const struct words *words, const struct create_opts *o,
		     struct model *model)
{
	struct slice text;

	if (o->key != NULL || o->gsi.n + o->lsi.n > 0 || o->ttl != NULL || o->stream != NULL ||
	    o->throttle || o->collection_limit.given) {
		return call_fail(c, ERR_USAGE,
				 "--from FILE defines everything: leave out --key, --gsi, --lsi, "
				 "--ttl, --stream, --throttle and --collection-limit");
	}
	int r = ctl_read_text(c, o->from, &text);

	r = r < 0 ? r : model_read(c, text, model);
	return r < 0 ? r : pick(c, model, words);
}

static int
read_words(const struct ctl *ctl, struct call *c, const struct words *words,
	   const struct create_opts *o, struct model *model)
{
	struct schema *schema = arena_new(&c->arena, struct schema, 1);

	if (words->n > 1 && o->key != NULL) {
		return create_words_too_many(ctl, c, words, o);
	}
	if (words->n == 0 || o->key == NULL || o->data) {
		return create_words_no_key(c, words);
	}
	if (o->collection_limit.given && o->lsi.n == 0) {
		return call_fail(c, ERR_USAGE,
				 "--collection-limit goes with --lsi: only a table with local "
				 "indexes has a limit for the items of one partition key");
	}
	if (o->ttl != NULL && *o->ttl == '\0') {
		return call_fail(c, ERR_USAGE, "--ttl needs the name of an attribute");
	}
	int r = keyspec_schema(c, words->at[0], o->key, &o->gsi, &o->lsi, schema);

	r = r < 0 ? r : keyspec_view(c, o->stream, &schema->stream.view);
	schema->throttle = o->throttle;
	schema->collection_limit = o->collection_limit.n;
	*model = (struct model){arena_new(&c->arena, struct model_table, 1), 1};
	model->tables[0].create.schema = schema;
	model->tables[0].ttl = slice_from(o->ttl);
	return r;
}

/* ------------------------------------------------------------ creation */

static int
create_one(struct ctl *ctl, struct call *c, const struct create_opts *o,
	   const struct model_table *table, bool trial)
{
	bool made = false;
	int r = cmd_create_create(ctl, c, table, o, &made);

	if (made && r == 0 && o->data && table->data != NULL) {
		r = load_data(ctl, c, table, trial);
	} else if (made && r == 0 && table->data != NULL && table->data->n > 0) {
		ctl_note(ctl, "its %zu sample items were not put; to put them, add --data",
			 table->data->n);
	}
	return r < 0 && o->from != NULL
		       ? call_prefix(c, "table %.*s: ", SLICE_ARG(table->create.schema->table))
		       : r;
}

static int
create_all(struct ctl *ctl, struct call *c, const struct create_opts *o, const struct model *model,
	   bool trial)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < model->n; i++) {
		r = create_one(ctl, c, o, &model->tables[i], trial);
	}
	return r;
}

/* Create everything in a temporary store first, so that a refused definition leaves nothing half done. */
static int
create_try(struct call *c, const struct create_opts *o, const struct model *model)
{
	struct ctl trial = {.quiet = true};
	struct scratch scratch;
	int r = 0;

	call_scope(own, c->now_ms);
	if (scratch_make(&own, &scratch, NULL) == 0) {
		trial.store = scratch.at.path;
		if (ctl_open_store(&trial, &own, true) == 0) {
			r = create_all(&trial, &own, o, model, true);
		}
		/* Failures of the temporary store itself do not count. */
		r = r == -ERR_IO || r == -ERR_NO_SPACE || r >= 0 ? 0 : ctl_adopt(c, &own);
		engine_close(trial.engine);
		scratch_remove(&scratch);
	}
	return r;
}

/* Set @out to the tables that do not exist. */
static int
cmd_create_missing(struct ctl *ctl, struct call *c, const struct create_opts *o,
		   const struct model *model, struct model *out)
{
	*out = (struct model){.tables = arena_new(&c->arena, struct model_table, model->n)};
	for (size_t i = 0; i < model->n; i++) {
		struct slice table = model->tables[i].create.schema->table;

		call_scope(own, c->now_ms);
		/* Other errors are reported when the table is created. */
		if (ctl_readable(ctl, &own, table, NULL) < 0) {
			out->tables[out->n++] = model->tables[i];
		} else if (!o->if_not_exists) {
			return call_fail(c, ERR_TABLE_IN_USE, "Table already exists: %.*s",
					 SLICE_ARG(table));
		}
	}
	return 0;
}

static int
cmd_create_check(struct ctl *ctl, struct call *c, const struct create_opts *o,
		 const struct model *model)
{
	struct model rest = *model;
	int r;

	if (ctl_store_is_new(ctl, c)) {
		return create_try(c, o, model);
	}
	r = ctl_open_store(ctl, c, true);
	assert(model->tables != NULL);
	/* A single change leaves nothing half done. */
	if (r < 0 || (model->n == 1 && model->tables[0].ttl.len == 0 &&
		      (!o->data || model->tables[0].data == NULL))) {
		return r;
	}
	r = cmd_create_missing(ctl, c, o, model, &rest);
	return r < 0 || rest.n == 0 ? r : create_try(c, o, &rest);
}

/* Refuse settings that a server would ignore silently. */
static int
cmd_create_check_server(const struct ctl *ctl, struct call *c, const struct words *words,
			const struct create_opts *o)
{
	struct buf line = {.arena = &c->arena};

	if (!o->throttle && !o->collection_limit.given) {
		return 0;
	}
	create_words_line(&line, words->at[0], o->key, NULL, o);
	return alter_check_settings(ctl, c, buf_view(&line));
}

static int
run_create_table(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct create_opts *o = arena_new(&c->arena, struct create_opts, 1);
	struct model model = {0};
	struct words name = *words;

	*o = *(const struct create_opts *)opts;
	o->if_not_exists |= o->update;
	if (o->from == NULL && o->key == NULL && words->n > 1 && !create_words_file(words->at[1])) {
		o->key = create_words_key(c, NULL, words, 1);
		name.n = 1;
		words = &name;
	}
	int r = o->from != NULL ? cmd_create_read_file(c, words, o, &model)
				: read_words(ctl, c, words, o, &model);

	r = r < 0 ? r : ctl_named_store(ctl, c);
	r = r < 0 ? r : cmd_create_check_server(ctl, c, words, o);
	r = r < 0 ? r : cmd_create_check(ctl, c, o, &model);
	r = r < 0 ? r : ctl_open_store(ctl, c, true);
	r = r < 0 ? r : create_all(ctl, c, o, &model, false);
	if (r == -ERR_TABLE_IN_USE && model.n == 1 && !o->if_not_exists) {
		create_words_advise(ctl, c, model.tables[0].create.schema);
	}
	return r;
}

const struct command cmd_create_table = {
	.id = COMMAND_CREATE_TABLE,
	.name = "create-table",
	.usage =
		"NAME --key PK[:T][,SK[:T]] [--gsi SPEC]... [--lsi SPEC]... [--ttl ATTR] "
		"[--stream VIEW] [--throttle] [--collection-limit BYTES] [--if-not-exists | --update] [--no-wait]\n"
		"[NAME | TABLE=NAME]... --from FILE [--data] [--if-not-exists | --update] [--no-wait]",
	.summary = "create a table, and the store if it does not exist",
	.details =
		"An attribute without a type has the type given elsewhere in the same command, otherwise\n"
		"S. Without --key the words after NAME are the key. The notations of other tools are\n"
		"accepted too, for example 'PK HASH, SK RANGE' and 'ByYear(Year,Song)'.\n"
		"\n"
		"FILE is a CreateTable request, a DescribeTable answer, a NoSQL Workbench model, a\n"
		"CloudFormation, SAM or CDK template in JSON or YAML, serverless.yml, or Terraform's\n"
		"JSON: a .tf.json, a state, \"terraform show -json\" of a plan. All its tables are created,\n"
		"or only those that are named. If FILE has one table, NAME is its new name; otherwise\n"
		"TABLE=NAME renames one. Parameters and variables have their defaults. Tags, backups and\n"
		"encryption are ignored.\n"
		"\n"
		"--update changes an existing table until it is as the command or FILE says: it adds and\n"
		"drops global indexes, and changes time to live, stream and settings. An index whose key\n"
		"or projection differs is dropped and added again. Throughput, table class, encryption,\n"
		"deletion protection and tags change only if FILE has them. Time to live comes last;\n"
		"DynamoDB may refuse a second change of its attribute for an hour.",
	.examples = "itemctl create-table songs --key Artist,Song --gsi 'ByYear=Year:N,Song'\n"
		    "itemctl create-table sessions --key Id --ttl Expires --stream NEW_IMAGE\n"
		    "itemctl create-table --from songs.json --if-not-exists\n",
	.opts = create_opts,
	.max_words = SIZE_MAX,
	.no_store = true,
	.run = run_create_table,
};
