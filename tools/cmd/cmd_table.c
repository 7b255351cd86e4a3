/* cmd_table - tables, describe, drop, reset */
#include "store/engine/engine.h"
#include "store/model/schema.h"
#include "store/model/stream_arn.h"
#include "store/open.h"
#include "store/wire/codec/describe.h"

#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/out/out_yaml.h"
#include "tools/out/sink.h"
#include "tools/session/await.h"
#include "tools/session/command.h"
#include "tools/session/confirm.h"
#include "tools/session/ctl.h"
#include "tools/text/keyspec.h"
#include "tools/text/row.h"
#include "tools/text/words.h"

/* ------------------------------------------------------------ tables, describe */

static struct slice
index_text(struct call *c, const struct index *ix)
{
	struct buf b = {.arena = &c->arena};

	buf_slice(&b, ix->name);
	buf_char(&b, '=');
	keyspec_print_index(&b, ix);
	return buf_view(&b);
}

/* NAME=KEY of each index: a list, or one text if @people is set */
static struct value
index_list(struct call *c, const struct schema *s, bool people)
{
	struct value *list = arena_new(&c->arena, struct value, s->n_index);
	struct buf text = {.arena = &c->arena};

	for (size_t i = 0; i < s->n_index; i++) {
		list[i] = value_string(index_text(c, &s->index[i]));
		if (i > 0) {
			buf_char(&text, ' ');
		}
		buf_slice(&text, list[i].text);
	}
	return people ? value_string(buf_view(&text))
		      : (struct value){.type = VALUE_L, .list = {list, s->n_index}};
}

static const char *const statuses[] = {
	[TABLE_ACTIVE] = "ACTIVE",
	[TABLE_DELETING] = "DELETING",
	[TABLE_UPDATING] = "UPDATING",
	[TABLE_CREATING] = "CREATING",
};

/* Print a table as a row. */
static int
table_row(struct ctl *ctl, struct call *c, struct slice name)
{
	struct describe_table_in in = {.table = name};
	struct describe_table_out answer = {0};
	struct attr attrs[6];

	int r = engine_describe_table(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	const struct table_info *t = &answer.table;

	assert(t->schema != NULL);
	struct buf key = {.arena = &c->arena};
	keyspec_print(&key, &t->schema->key);
	attrs[0] = row_text("TableName", t->schema->table);
	attrs[1] = row_text("Key", buf_view(&key));
	attrs[2] = row_text("Status", slice_from(statuses[t->status]));
	attrs[3] = row_count(&c->arena, "Items", t->totals.items);
	attrs[4] = row_count(&c->arena, "Bytes", t->totals.bytes);
	attrs[5] = (struct attr){SLICE("Indexes"),
				 index_list(c, t->schema, ctl->out.format == OUT_TABLE)};
	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 6});
	return 0;
}

/* Print a row for a table that the user may list but not describe. */
static int
denied_row(struct ctl *ctl, struct slice name)
{
	struct attr attrs[] = {row_text("TableName", name),
			       row_text("Status", SLICE("AccessDenied"))};

	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 2});
	return 0;
}

/* @arg: size_t, the number of tables so far */
static int
table_row_or_denied(struct ctl *ctl, struct call *c, struct slice name, void *arg)
{
	int r = table_row(ctl, c, name);

	++*(size_t *)arg;
	return r == -ERR_ACCESS ? denied_row(ctl, name) : r;
}

static int
run_tables(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	size_t n = 0;

	(void)words;
	(void)opts;
	int r = command_each_table(ctl, c, table_row_or_denied, &n);

	if (r == 0 && n == 0) {
		ctl_note(ctl,
			 "the store has no tables; to create one: itemctl create-table NAME --key "
			 "PK,SK");
	}
	return r;
}

const struct command cmd_tables = {
	.name = "tables",
	.usage = "",
	.summary = "list the tables: key, items, bytes, indexes",
	.examples = "itemctl tables\n"
		    "itemctl tables --format json\n",
	.pages = true,
	.lists = true,
	.run = run_tables,
};

/* "VIEW   ARN".  The ARN of a local store is computed; if an endpoint does not return one, it is left out. */
static struct slice
stream_text(struct call *c, const struct table_info *t, bool remote)
{
	const struct schema *s = t->schema;
	struct buf b = {.arena = &c->arena};

	buf_str(&b, stream_view_name(s->stream.view));
	if (t->latest_stream.len > 0) {
		buf_fmt(&b, "   %.*s", SLICE_ARG(t->latest_stream));
	} else if (!remote) {
		buf_str(&b, "   ");
		stream_arn_put(&b, SLICE(""), s->table, s->stream.label_ms);
	}
	return buf_view(&b);
}

/* Billing mode of a table at an endpoint; empty: unknown */
static struct slice
billing_text(struct call *c, const struct schema *s)
{
	struct buf b = {.arena = &c->arena};

	if (!s->provisioned) {
		buf_str(&b, "on demand");
	} else if (s->read_units + s->write_units > 0) {
		buf_fmt(&b, "provisioned, %lu read units, %lu write units",
			(unsigned long)s->read_units, (unsigned long)s->write_units);
	}
	return buf_view(&b);
}

/* Add rows for settings that only endpoints have.  Return: number of rows, at most 3 */
static size_t
told_rows(struct call *c, const struct schema *s, struct attr *attrs)
{
	struct slice billing = billing_text(c, s);
	size_t n = 0;

	if (billing.len > 0) {
		attrs[n++] = row_text("billing", billing);
	}
	if (s->table_class == CLASS_INFREQUENT_ACCESS) {
		attrs[n++] = row_text("class", SLICE("infrequent access"));
	}
	if (s->protected) {
		attrs[n++] = row_text("protected", SLICE("from drop"));
	}
	return n;
}

/* "NAME=KEY" of index @i, its numbers and its state */
static struct slice
index_words(struct call *c, const struct table_info *t, size_t i, bool partitions)
{
	assert(i < t->schema->n_index);
	const struct index *ix = &t->schema->index[i];
	struct buf b = {.arena = &c->arena};

	buf_slice(&b, index_text(c, ix));
	if (t->index_totals != NULL) {
		buf_fmt(&b, "   %lu entries, %lu bytes", (unsigned long)t->index_totals[i].items,
			(unsigned long)t->index_totals[i].bytes);
	}
	if (t->index_totals != NULL && partitions) {
		buf_fmt(&b, ", %lu partitions", (unsigned long)t->index_totals[i].partitions);
	}
	if (ix->state != INDEX_ACTIVE) {
		buf_str(&b, ix->state == INDEX_DELETING ? ", being deleted" : ", being filled");
	}
	return buf_view(&b);
}

/* Print the description as one item of many lines.  Endpoints do not report partitions. */
static int
describe_upright(struct ctl *ctl, struct call *c, const struct table_info *t, struct slice ttl)
{
	const struct schema *s = t->schema;
	bool partitions = !store_is_remote(ctl->store);

	assert(s != NULL);
	struct attr *attrs = arena_new(&c->arena, struct attr, 12 + s->n_index);
	struct buf key = {.arena = &c->arena};
	size_t n = 0;

	keyspec_print(&key, &s->key);
	attrs[n++] = row_text("table", s->table);
	attrs[n++] = row_text("key", buf_view(&key));
	attrs[n++] = row_count(&c->arena, "items", t->totals.items);
	attrs[n++] = row_count(&c->arena, "bytes", t->totals.bytes);
	if (partitions) {
		attrs[n++] = row_count(&c->arena, "partitions", t->totals.partitions);
	}
	if (ttl.len > 0) {
		attrs[n++] = row_text("ttl", ttl);
	}
	if (s->throttle) {
		attrs[n++] = row_text("throttle", SLICE("on"));
	}
	if (s->collection_limit != 0) {
		attrs[n++] = row_count(&c->arena, "collection limit", s->collection_limit);
	}
	if (!partitions) {
		n += told_rows(c, s, attrs + n);
	}
	for (size_t i = 0; i < s->n_index; i++) {
		attrs[n++] = row_text(s->index[i].global ? "gsi" : "lsi",
				      index_words(c, t, i, partitions));
	}
	if (s->stream.view != STREAM_NONE) {
		attrs[n++] = row_text("stream", stream_text(c, t, !partitions));
	}
	(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = n});
	return 0;
}

/* Describe the table, and print the description for people. */
static int
describe_known(struct ctl *ctl, struct call *c, struct slice table)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out answer = {0};
	struct slice ttl = {0};
	int r = engine_describe_table(ctl->engine, c, &in, &answer);

	r = r != 0 ? r : ctl_time_to_live(ctl, c, table, &ttl);
	return r < 0 ? r : describe_upright(ctl, c, &answer.table, ttl);
}

static int
run_describe(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice table = slice_from(words->at[0]);
	struct description description;
	struct slice ttl = {0};
	struct slice text;

	(void)opts;
	if (ctl->format == OUT_TYPED || out_format_is_columns(ctl->format)) {
		return call_fail(
			c, ERR_USAGE,
			"describe prints JSON or text: --format jsonl, json, yaml or table");
	}
	if (ctl->out.format == OUT_TABLE) {
		return describe_known(ctl, c, table);
	}
	int r = describe_ask(ctl->engine, c, table, &description);
	r = r != 0 ? r : ctl_time_to_live(ctl, c, table, &ttl);
	r = r != 0 ? r
		   : describe_as_told(c, &description, ttl, ctl->out.format == OUT_JSON ? 2 : 0,
				      &text);
	if (r == 0 && ctl->out.format == OUT_YAML) {
		out_yaml(&ctl->out.sink.buf, text, false);
	} else if (r == 0) {
		ctl->out.format = OUT_JSONL;
		(void)out_line(&ctl->out, text);
	}
	return r;
}

const struct command cmd_describe = {
	.id = COMMAND_DESCRIBE,
	.name = "describe",
	.instead = "the indexes are in the description of the table",
	.usage = "TABLE",
	.summary = "print a table's definition and size, as DescribeTable's \"Table\"",
	.details =
		"Includes \"TimeToLiveDescription\" if items expire. For an endpoint it prints the server's\n"
		"answer, with members that itemctl does not know. create-table --from reads the output.",
	.examples = "itemctl describe music\n"
		    "itemctl describe music --format json\n",
	.min_words = 1,
	.max_words = 1,
	.pages = true,
	.run = run_describe,
};

/* ------------------------------------------------------------ drop */

struct drop_opts {
	bool no_wait;
	bool if_exists;
};

static const struct opt drop_opts[] = {
	{"no-wait", 0, OPT_FLAG, NULL, offsetof(struct drop_opts, no_wait),
	 "do not wait until an endpoint has deleted the table"},
	{"if-exists", 0, OPT_FLAG, NULL, offsetof(struct drop_opts, if_exists),
	 "a table that does not exist is not an error"},
	OPTS_END(struct drop_opts),
};

static int
cmd_table_drop_one(struct ctl *ctl, struct call *c, const char *table, const struct drop_opts *o)
{
	struct delete_table_in in = {.table = slice_from(table)};
	struct delete_table_out answer = {0};

	int r = confirm(ctl, c, "drop is permanent", "Drop table", in.table);

	r = r != 0 ? r : engine_delete_table(ctl->engine, c, &in, &answer);
	r = r == 0 && !o->no_wait ? await_gone(ctl, c, in.table) : r;
	if (r == 0) {
		ctl_note(ctl, "table %s dropped", table);
	}
	return r;
}

/* Several tables are dropped only if all of them exist: a word that is no table may be a mistake. */
static int
run_drop(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct drop_opts *o = opts;
	const struct schema *schema = NULL;
	struct words there = {0};
	int r = 0;

	for (size_t i = 0; i < words->n && (words->n > 1 || o->if_exists) && r == 0; i++) {
		r = ctl_schema(ctl, c, slice_from(words->at[i]), &schema);
		if (r == -ERR_NO_TABLE && o->if_exists) {
			c->error = (struct error){0};
			ctl_note(ctl, "there is no table %s", words->at[i]);
			r = 0;
		} else {
			words_add(c, &there, words->at[i]);
		}
	}
	words = o->if_exists ? &there : words;
	for (size_t i = 0; i < words->n && r == 0; i++) {
		r = cmd_table_drop_one(ctl, c, words->at[i], opts);
	}
	return r;
}

/* ------------------------------------------------------------ reset */

static int
reset_one(struct ctl *ctl, struct call *c, struct slice name, void *arg)
{
	const char *words[] = {"--all", "--", slice_cstr(&c->arena, name), NULL};

	(void)arg;
	ctl_note(ctl, "table %s:", words[2]);
	return command_run(ctl, c, &cmd_delete, words);
}

static int
run_reset(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct schema *schema = NULL;
	int r = words->n > 0 ? 0 : confirm_check(ctl, c, "reset empties all tables");

	(void)opts;
	for (size_t i = 0; i < words->n && r == 0; i++) {
		r = ctl_schema(ctl, c, slice_from(words->at[i]), &schema);
	}
	for (size_t i = 0; i < words->n && r == 0; i++) {
		r = reset_one(ctl, c, slice_from(words->at[i]), NULL);
	}
	return r < 0 || words->n > 0 ? r : command_each_table(ctl, c, reset_one, NULL);
}

const struct command cmd_reset = {
	.name = "reset",
	.usage = "[TABLE...] [--yes]",
	.summary = "delete all items; tables and indexes stay",
	.details = "Without a TABLE it empties all tables, and needs --yes, as between two tests.",
	.examples = "itemctl reset music\n"
		    "itemctl reset --yes\n",
	.max_words = SIZE_MAX,
	.run = run_reset,
};

const struct command cmd_drop = {
	.name = "drop",
	.usage = "TABLE... [--yes] [--if-exists] [--no-wait]",
	.details = "Asks first. Without a terminal it needs --yes.",
	.summary = "delete tables with all their items",
	.examples = "itemctl drop old\n"
		    "itemctl drop old --yes\n",
	.opts = drop_opts,
	.min_words = 1,
	.max_words = SIZE_MAX,
	.run = run_drop,
};
