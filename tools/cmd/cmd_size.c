/* cmd_size - size: the size of an item and of its attributes, and the capacity units of a read and a write */
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/value.h"
#include "store/open.h"

#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"
#include "tools/write/item_options.h"

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
