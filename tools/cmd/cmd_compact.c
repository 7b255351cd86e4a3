/* cmd_compact - have the store give back what deleted and overwritten items still take */
#include "store/base/core/cleanup.h"
#include "store/engine/engine.h"

#include "tools/cmd/cmd.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"

/* Bytes, as they were before. */
struct compacted {
	uint64_t bytes;
	uint64_t total;
};

/* One piece in a call of its own; @next, on the heap, is where it begins and the next one does. */
static int
cmd_compact_piece(struct ctl *ctl, struct call *c, struct slice table, struct buf *next,
		  struct compacted *sum)
{
	struct compact_in in = {.table = table, .next = buf_view(next)};
	struct compact_out out = {0};
	call_scope(own, c->now_ms);
	int r = engine_compact(ctl->engine, &own, &in, &out);

	if (r == 0) {
		buf_clear(next);
		buf_slice(next, out.next);
		sum->bytes += out.bytes;
		sum->total = sum->bytes + out.ahead;
	} else {
		r = ctl_adopt(c, &own);
	}
	return r;
}

static int
run_compact(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice table;
	struct progress progress;
	cleanup(buf_release) struct buf next = {0};
	struct compacted sum = {0};
	int r = command_table(c, words, &table);

	(void)opts;
	if (r < 0) {
		return r;
	}
	stop_listen();
	progress_begin(&progress, ctl->quiet, 0);
	do {
		r = stop_check(c);
		r = r < 0 ? r : cmd_compact_piece(ctl, c, table, &next, &sum);
		progress.total_bytes = sum.total;
		progress_show(&progress, 0, sum.bytes);
	} while (r == 0 && next.len > 0);
	progress_end(&progress);
	if (r == 0) {
		ctl_note(ctl, "compacted %s", words->n > 0 ? words->at[0] : "the store");
	} else if (stop_asked() != 0 && sum.bytes > 0) {
		ctl_note(ctl, "%.1f of about %.1f MB had been compacted", (double)sum.bytes / 1e6,
			 (double)sum.total / 1e6);
	}
	return r;
}

const struct command cmd_compact = {
	.id = COMMAND_COMPACT,
	.name = "compact",
	.at_home = "a server does that by itself",
	.usage = "[TABLE]",
	.summary = "free the disk space of deleted and overwritten items",
	.details =
		"The store does this by itself over time and after many deletions. It can be read and\n"
		"written meanwhile.",
	.examples = "itemctl compact\n"
		    "itemctl compact music\n",
	.max_words = 1,
	.run = run_compact,
};
