/* cmd_compact - have the store give back what deleted and overwritten items still take */
#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/progress.h"
#include "tools/stop.h"

/* One piece in a call of its own; @next, on the heap, is where it begins and the next one does. */
static int
compact_piece(struct ctl *ctl, struct call *c, struct slice table, struct buf *next)
{
	struct compact_in in = {.table = table, .next = buf_view(next)};
	struct compact_out out = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_compact(ctl->engine, &own, &in, &out);

	if (r == 0) {
		buf_clear(next);
		buf_slice(next, out.next);
	} else {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

static int
run_compact(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct slice table = words->n > 0 ? slice_from(words->at[0]) : slice_of(NULL, 0);
	struct progress progress;
	struct buf next = {0};
	uint64_t pieces = 0;
	int r;

	(void)opts;
	stop_listen();
	progress_begin(&progress, ctl->quiet, 0);
	progress.what = "pieces";
	do {
		r = stop_check(c);
		r = r < 0 ? r : compact_piece(ctl, c, table, &next);
		progress_show(&progress, ++pieces, 0);
	} while (r == 0 && next.len > 0);
	progress_end(&progress);
	buf_release(&next);
	if (r == 0) {
		ctl_note(ctl, "compacted %s", words->n > 0 ? words->at[0] : "the store");
	}
	return r;
}

const struct command cmd_compact = {
	.name = "compact",
	.usage = "[TABLE]",
	.summary = "give back what deleted and overwritten items still take on disk",
	.details =
		"The store does so by itself in time, and after many deletions. It can be read and\n"
		"written meanwhile.",
	.max_words = 1,
	.run = run_compact,
};
