/* cmd_stats - stats: items and bytes of tables and indexes, and disk usage of the store */
#include <assert.h>
#include <fcntl.h>

#include "store/base/system/folder.h"
#include "store/engine/engine.h"

#include "tools/cli/instead.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/text/row.h"

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
