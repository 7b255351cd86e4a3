/* cmd_shapes - shapes: the kinds of items in a table or an index, derived from its data */
#include "store/base/text/shell_word.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/key_text.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/page/shapes.h"

#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/out/spool.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"

enum {
	CELL_ATTRS = 12, /* attributes that a cell names; JSON has all */
	ROW_ATTRS = 9,   /* columns of a row, at most */
};

struct shapes_opts {
	const char *index;
	struct opt_count sample;
};

static const struct opt shapes_opts[] = {
	{"index", 0, OPT_TEXT, "NAME", offsetof(struct shapes_opts, index),
	 "kinds by the keys of this index"},
	{"sample", 0, OPT_COUNT, "N", offsetof(struct shapes_opts, sample),
	 "items to read of a larger table, 1 to 200k; default: 20k"},
	OPTS_END(struct shapes_opts),
};

/* Return true if values of this format can have parts, as in JSON and YAML.  In other formats a cell is a text. */
static bool
shapes_has_parts(enum out_format format)
{
	return format == OUT_JSON || format == OUT_JSONL || format == OUT_YAML ||
	       format == OUT_TYPED;
}

/* ------------------------------------------------------------ texts */

static struct value
shapes_attrs_text(struct call *c, const struct shape *s)
{
	struct buf b = {.arena = &c->arena};
	size_t more = s->attrs_left_out + (s->n_attrs > CELL_ATTRS ? s->n_attrs - CELL_ATTRS : 0);

	for (size_t i = 0; i < s->n_attrs && i < CELL_ATTRS; i++) {
		buf_str(&b, i == 0 ? "" : "; ");
		buf_slice(&b, s->attrs[i].name);
		buf_char(&b, ' ');
		shape_put_attr(s, &s->attrs[i], &b);
	}
	if (more > 0) {
		buf_fmt(&b, "; %zu more", more);
	}
	return value_string(buf_view(&b));
}

/* "GSI1, GSI2 40%" */
static struct value
shapes_indexes_text(struct call *c, const struct shapes *all, const struct shape *s)
{
	struct buf b = {.arena = &c->arena};

	for (size_t i = 0; i < all->schema->n_index; i++) {
		if (s->in_index[i] > 0) {
			buf_str(&b, b.len == 0 ? "" : ", ");
			buf_slice(&b, all->schema->index[i].name);
			shape_put_share(&b, s->in_index[i], s->items);
		}
	}
	return value_string(buf_view(&b));
}

/* The key of an example item as words for get */
static struct value
shapes_example_text(struct call *c, const struct shapes *all, const struct shape *s)
{
	struct buf b = {.arena = &c->arena};

	key_each (key, &all->schema->key) {
		const struct value *v = item_get(&s->keys[0], key->name);

		if (v != NULL) {
			buf_str(&b, b.len == 0 ? "" : " ");
			shell_word(&b, key_text_of(&c->arena, v));
		}
	}
	return value_string(buf_view(&b));
}

/* ------------------------------------------------------------ parts */

/* An element of a list: a name, and the number of items that have it; with @type only values of that type */
static struct value
shapes_part(struct call *c, struct slice name, const char *type, uint64_t items)
{
	struct attr *attrs = arena_new(&c->arena, struct attr, 3);
	size_t n = 0;

	attrs[n++] = row_text("Name", name);
	if (type != NULL) {
		attrs[n++] = row_text("Type", slice_from(type));
	}
	attrs[n++] = row_count(&c->arena, "Items", items);
	return (struct value){.type = VALUE_M, .map = {.at = attrs, .n = n}};
}

/* The attributes as a list; an attribute with several types occurs once for each type. */
static struct value
shapes_attrs_parts(struct call *c, const struct shape *s)
{
	struct value list = {.type = VALUE_L};
	size_t room = 0;

	for (size_t i = 0; i < s->n_attrs; i++) {
		for (size_t t = 0; t < VALUE_TYPES; t++) {
			if (s->attrs[i].types[t] > 0) {
				list.list.at =
					arena_room(&c->arena, list.list.at, list.list.n, &room);
				list.list.at[list.list.n++] = shapes_part(
					c, s->attrs[i].name, value_type_name((enum value_type)t),
					s->attrs[i].types[t]);
			}
		}
	}
	return list;
}

static struct value
shapes_indexes_parts(struct call *c, const struct shapes *all, const struct shape *s)
{
	const struct schema *schema = all->schema;
	struct value list = {.type = VALUE_L};

	list.list.at = arena_new(&c->arena, struct value, schema->n_index);
	for (size_t i = 0; i < schema->n_index; i++) {
		if (s->in_index[i] > 0) {
			list.list.at[list.list.n++] =
				shapes_part(c, schema->index[i].name, NULL, s->in_index[i]);
		}
	}
	return list;
}

/* ------------------------------------------------------------ rows */

/* Optional columns at the beginning of all rows */
struct shapes_columns {
	bool table; /* several tables are printed */
	bool kind;  /* some kinds have names */
};

static int
shapes_print(struct ctl *ctl, struct call *c, const struct shapes *all, const struct shape *s,
	     const struct shapes_columns *columns)
{
	bool parts = shapes_has_parts(ctl->out.format);
	struct attr row[ROW_ATTRS];
	struct item example = {0};
	size_t n = 0;
	int r = parts ? shape_example(c, ctl->engine, all->schema, s, &example) : 0;

	if (r < 0) {
		return r;
	}
	if (columns->table) {
		row[n++] = row_text("Table", all->schema->table);
	}
	if (columns->kind) {
		row[n++] = row_text("Kind", s->name);
	}
	row[n++] = row_text("PartitionKey", s->pk);
	if (key_schema_has_sort(schema_key(all->schema, all->index))) {
		row[n++] = row_text("SortKey", s->sk);
	}
	row[n++] = row_count(&c->arena, "Items", s->items);
	row[n++] = (struct attr){SLICE("Attributes"),
				 parts ? shapes_attrs_parts(c, s) : shapes_attrs_text(c, s)};
	if (parts && s->attrs_left_out > 0) {
		row[n++] = row_count(&c->arena, "AttributesLeftOut", s->attrs_left_out);
	}
	if (s->in_index != NULL && all->schema->n_index > 0) {
		struct value indexes =
			parts ? shapes_indexes_parts(c, all, s) : shapes_indexes_text(c, all, s);

		/* The format "table" wraps wide rows: an empty column would only take space. */
		if (ctl->out.format != OUT_TABLE || indexes.text.len > 0) {
			row[n++] = (struct attr){SLICE("Indexes"), indexes};
		}
	}
	row[n++] = (struct attr){SLICE("Example"),
				 parts ? (struct value){.type = VALUE_M, .map = example}
				       : shapes_example_text(c, all, s)};
	assert(n <= ROW_ATTRS);
	(void)out_item(&ctl->out, &(struct item){.at = row, .n = n});
	return 0;
}

static int
shapes_of_table(struct ctl *ctl, struct call *c, struct slice name, const struct shapes_opts *o,
		bool several)
{
	struct shapes_options options = {.index = slice_from(o->index), .sample = o->sample.n};
	struct shapes_columns columns = {.table = several};
	struct describe_table_out table = {0};
	struct shapes shapes = {0};
	const struct index *ix = NULL;
	int r = engine_describe_table(ctl->engine, c, &(struct describe_table_in){.table = name},
				      &table);

	r = r == 0 && o->index != NULL ? ctl_index(c, table.table.schema, o->index, &ix) : r;
	r = r < 0 ? r : shapes_find(c, ctl->engine, &table.table, &options, &shapes);
	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < shapes.n; i++) {
		columns.kind = columns.kind || shapes.at[i].name.len > 0;
	}
	spool_report(ctl->out.spool);
	for (size_t i = 0; r == 0 && i < shapes.n; i++) {
		r = shapes_print(ctl, c, &shapes, &shapes.at[i], &columns);
	}
	if (r < 0) {
		return r;
	}
	struct buf note = {.arena = &c->arena};
	if (several) {
		buf_fmt(&note, "%.*s: ", SLICE_ARG(name));
	}
	shapes_note(&shapes, &note);
	ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&note)));
	return 0;
}

static int
shapes_of_one(struct ctl *ctl, struct call *c, struct slice name, void *arg)
{
	return shapes_of_table(ctl, c, name, arg, true);
}

static int
run_shapes(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct shapes_opts *o = opts;
	struct slice table;
	int r = command_table(c, words, &table);

	if (r < 0) {
		return r;
	}
	if (o->sample.given && (o->sample.n == 0 || o->sample.n > SHAPES_SAMPLE_MOST)) {
		return call_fail(c, ERR_USAGE, "--sample needs 1 to %d items", SHAPES_SAMPLE_MOST);
	}
	if (table.len == 0 && o->index != NULL) {
		return call_fail(c, ERR_USAGE,
				 "--index needs TABLE: itemctl shapes TABLE --index %s", o->index);
	}
	return table.len > 0 ? shapes_of_table(ctl, c, table, o, false)
			     : command_each_table(ctl, c, shapes_of_one, (void *)o);
}

const struct command cmd_shapes = {
	.name = "shapes",
	.usage = "[TABLE] [--index NAME] [--sample N]",
	.summary = "show the kinds of items in a table: templates of keys, attributes, an example",
	.details =
		"A kind is described by what its keys have in common: fixed words, and <id>, <text>, <n>,\n"
		"<date>, <timestamp>, <uuid>, <ulid>, <ksuid>, <email>, <hash>, <url> or <binary> for the\n"
		"parts that vary. An attribute such as Type, Entity or __typename names it. Each\n"
		"attribute is followed by its types, with a percentage if not all items have it.\n"
		"\n"
		"A table of up to 20,000 items is read completely. For a larger table, pages from all\n"
		"over its keys are read, which takes a second or two; a note says so, and the counts are\n"
		"those of the sample. JSON shows an example completely; other forms show its key, as get\n"
		"takes it.\n"
		"\n"
		"Without TABLE, all tables of the store are read. In a pipe the output is short:\n"
		"tab-separated values with a header line.",
	.examples = "itemctl shapes\n"
		    "itemctl shapes music\n"
		    "itemctl shapes music --format json\n"
		    "itemctl shapes music --sample 1000\n",
	.opts = shapes_opts,
	.min_words = 0,
	.max_words = 1,
	.piped = OUT_TSV,
	.pages = true,
	.lists = true,
	.run = run_shapes,
};
