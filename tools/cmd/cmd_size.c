/* cmd_size - size, stats: the bytes of an item with the capacity units of a read and a write; those of tables */
#include <fcntl.h>

#include "store/base/system/folder.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"
#include "store/open.h"

#include "tools/cli/instead.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"
#include "tools/write/item_options.h"

/* ------------------------------------------------------------ size */

enum {
	READ_BYTES = 4096,  /* one read unit */
	WRITE_BYTES = 1024, /* one write unit */
};

static double
cmd_size_units(uint64_t bytes, uint64_t of_one)
{
	uint64_t n = (bytes + of_one - 1) / of_one;

	return n == 0 ? 1 : (double)n;
}

/* Size of an attribute: its name and its value, in bytes */
static uint64_t
attribute_size(const struct attr *a)
{
	return item_size(&(struct item){.at = (struct attr *)a, .n = 1});
}

/* Print a row for each attribute, and the sum as a note. */
static void
cmd_size_print_rows(struct ctl *ctl, struct call *c, const struct item *it)
{
	uint64_t bytes = item_size(it);

	for (size_t i = 0; i < it->n; i++) {
		struct attr attrs[] = {
			row_text("Attribute", it->at[i].name),
			row_text("Type", slice_from(value_type_name(it->at[i].value.type))),
			row_count(&c->arena, "Name", it->at[i].name.len),
			row_count(&c->arena, "Value",
				  attribute_size(&it->at[i]) - it->at[i].name.len),
			row_count(&c->arena, "Bytes", attribute_size(&it->at[i])),
		};

		(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 5});
	}
	ctl_note(ctl,
		 "%lu bytes: %g read unit%s, half of it eventually consistent, twice in a "
		 "transaction;\n%g write unit%s, twice in a transaction, and those of the indexes",
		 (unsigned long)bytes, cmd_size_units(bytes, READ_BYTES),
		 cmd_size_units(bytes, READ_BYTES) > 1 ? "s" : "",
		 cmd_size_units(bytes, WRITE_BYTES),
		 cmd_size_units(bytes, WRITE_BYTES) > 1 ? "s" : "");
}

static struct value
attribute_sizes(struct call *c, const struct item *it)
{
	struct attr *sizes = arena_new(&c->arena, struct attr, it->n);

	for (size_t i = 0; i < it->n; i++) {
		sizes[i] = row_count(&c->arena, "", attribute_size(&it->at[i]));
		sizes[i].name = it->at[i].name;
	}
	return (struct value){.type = VALUE_M, .map = {.at = sizes, .n = it->n}};
}

static void
print_one(struct ctl *ctl, struct call *c, const struct item *it)
{
	uint64_t bytes = item_size(it);
	struct attr attrs[] = {
		row_count(&c->arena, "Bytes", bytes),
		row_number(&c->arena, "ReadUnits", cmd_size_units(bytes, READ_BYTES) / 2),
		row_number(&c->arena, "ConsistentReadUnits", cmd_size_units(bytes, READ_BYTES)),
		row_number(&c->arena, "TransactionalReadUnits",
			   cmd_size_units(bytes, READ_BYTES) * 2),
		row_number(&c->arena, "WriteUnits", cmd_size_units(bytes, WRITE_BYTES)),
		row_number(&c->arena, "TransactionalWriteUnits",
			   cmd_size_units(bytes, WRITE_BYTES) * 2),
		{SLICE("Attributes"), attribute_sizes(c, it)},
	};

	(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = 7});
}

static int
run_size(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct get_item_in in = {.table = slice_from(words->at[0]),
				 .consistent = !store_is_remote(ctl->store)};
	struct get_item_out answer = {0};

	(void)opts;
	int r = item_options_key(ctl, c, in.table, words->at + 1, words->n - 1, &in.key);
	r = r != 0 ? r : engine_get_item(ctl->engine, c, &in, &answer);
	if (r < 0) {
		return r;
	}
	if (!answer.found) {
		return item_options_absent(ctl, c, in.table, &in.key);
	}
	if (ctl->out.format == OUT_TABLE) {
		cmd_size_print_rows(ctl, c, &answer.item);
	} else {
		print_one(ctl, c, &answer.item);
	}
	return 0;
}

const struct command cmd_size = {
	.name = "size",
	.instead = "for a whole table: itemctl stats TABLE",
	.usage = "TABLE PK [SK]",
	.summary = "print an item's bytes, attribute by attribute, and its capacity units",
	.details =
		"Sizes are DynamoDB's: a name or text counts its UTF-8 bytes; a number one byte per two\n"
		"digits plus one; a list or map three bytes plus one per member. A read unit is 4 KB,\n"
		"half a unit if the read is eventually consistent; a write unit is 1 KB; in a transaction\n"
		"both count twice.",
	.examples = "itemctl size music Acme Blue\n"
		    "itemctl size music Acme Blue --format json\n",
	.min_words = 2,
	.max_words = 3,
	.run = run_size,
};

/* ------------------------------------------------------------ stats */

static void
cmd_stats_print_row(struct ctl *ctl, struct call *c, struct slice table, struct slice index,
		    const struct totals *t)
{
	struct attr attrs[] = {
		row_text("Table", table),
		row_text("Index", index),
		row_count(&c->arena, "Items", t->items),
		row_count(&c->arena, "Bytes", t->bytes),
		row_count(&c->arena, "Average", t->items == 0 ? 0 : t->bytes / t->items),
	};

	(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 5});
}

static int
cmd_stats_print_table(struct ctl *ctl, struct call *c, struct slice table, void *arg)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};

	(void)arg;
	int r = engine_describe_table(ctl->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	const struct schema *s = out.table.schema;

	assert(s != NULL);
	cmd_stats_print_row(ctl, c, s->table, SLICE(""), &out.table.totals);
	for (size_t i = 0; i < s->n_index; i++) {
		cmd_stats_print_row(ctl, c, s->table, s->index[i].name, &out.table.index_totals[i]);
	}
	return 0;
}

static int
run_stats(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	(void)opts;
	int r = words->n > 0 ? cmd_stats_print_table(ctl, c, slice_from(words->at[0]), NULL)
			     : command_each_table(ctl, c, cmd_stats_print_table, NULL);
	/* 0 also if that is not a directory of this machine */
	uint64_t bytes =
		r < 0 || words->n > 0
			? 0
			: folder_bytes(AT_FDCWD, arena_print(&c->arena, "%s/db", ctl->store));

	if (bytes > 0) {
		ctl_note(ctl, "%.1f MB on disk", (double)bytes / 1e6);
	} else if (r == 0 && words->n > 0) {
		struct buf line = {.arena = &c->arena};

		instead_fill(
			&line,
			"for attributes: itemctl shapes TABLE; for large items: " INSTEAD_LARGEST,
			"TABLE", 1, (char **)words->at);
		ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&line)));
	}
	return r;
}

const struct command cmd_stats = {
	.name = "stats",
	.usage = "[TABLE]",
	.summary = "print the items and bytes of tables and indexes",
	.details =
		"Bytes are DynamoDB's count. For a local store, the compressed bytes on disk are printed\n"
		"too, and what compact would free.",
	.examples = "itemctl stats\n"
		    "itemctl stats music --format json\n",
	.max_words = 1,
	.pages = true,
	.lists = true,
	.run = run_stats,
};
