/* cmd_upkeep - sweep, compact: delete expired items, and free the disk space of deleted ones */
#include <time.h>

#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/model/limits.h"

#include "tools/cmd/cmd.h"
#include "tools/session/absent.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/progress.h"
#include "tools/system/stop.h"

/* ------------------------------------------------------------ sweep */

struct sweep_opts {
	const char *now;
	bool any_age;
};

static const struct opt sweep_opts[] = {
	{"now", 0, OPT_TEXT, "TIME", offsetof(struct sweep_opts, now),
	 "use this time instead of now: Unix seconds or 2030-01-31T12:00:00Z"},
	{"any-age", 0, OPT_FLAG, NULL, offsetof(struct sweep_opts, any_age),
	 "also items that expired more than five years ago"},
	OPTS_END(struct sweep_opts),
};

/* Parse Unix seconds, or a UTC time such as 2030-01-31T12:00:00Z. */
static int
read_time(struct call *c, const char *text, uint64_t *out)
{
	struct tm tm = {0};
	char *end = NULL;
	bool real = true;
	long long seconds = strtoll(text, &end, 10);

	if (end == text || *end != '\0') {
		end = strptime(text, "%Y-%m-%dT%H:%M:%SZ", &tm);

		struct tm asked = tm;

		seconds = end == NULL ? 0 : timegm(&tm);
		/* timegm() changes February 31 to March 3. */
		real = tm.tm_mday == asked.tm_mday && tm.tm_sec == asked.tm_sec;
	}
	if (end == NULL || *end != '\0' || seconds <= 0 || !real) {
		return call_fail(c, ERR_USAGE,
				 "--now needs Unix seconds or a time like 2030-01-31T12:00:00Z, "
				 "not \"%s\"",
				 text);
	}
	*out = (uint64_t)seconds;
	return 0;
}

/*
 * Sweep one page in a call of its own, and add its counts to @sum.
 * @next: heap; where the page begins, then where the next one begins
 */
static int
cmd_sweep_page(struct ctl *ctl, struct call *c, struct sweep_in *in, struct buf *next,
	       struct sweep_out *sum)
{
	struct sweep_out answer = {0};

	in->next = buf_view(next);
	call_scope(own, c->now_ms);
	int r = engine_sweep(ctl->engine, &own, in, &answer);

	if (r == 0) {
		sum->items += answer.items;
		sum->deleted += answer.deleted;
		sum->ahead += answer.ahead;
		buf_clear(next);
		buf_slice(next, answer.next);
	} else {
		r = ctl_adopt(c, &own);
	}
	return r;
}

/* Why no item has expired, judged by the value @v of a sample item; NULL: unknown */
static const char *
sweep_reason(struct call *c, struct slice ttl, const struct value *v, const struct sweep_in *in,
	     uint64_t now_s)
{
	if (v == NULL) {
		return NULL;
	}
	if (v->type != VALUE_N) {
		return arena_print(&c->arena,
				   "%.*s is not a number in some items: time to live needs Unix "
				   "seconds, as a number",
				   SLICE_ARG(ttl));
	}
	double end = strtod(slice_cstr(&c->arena, v->text), NULL);

	if (end > 1e11) {
		return arena_print(&c->arena,
				   "%.*s has milliseconds in some items: time to live needs Unix "
				   "seconds",
				   SLICE_ARG(ttl));
	}
	return !in->any_age && end < (double)now_s - (double)LIMIT_TTL_PAST_S
		       ? "some items expired more than five years ago; --any-age deletes them too"
		       : NULL;
}

static void
sweep_explain(struct ctl *ctl, struct call *c, const struct sweep_in *in)
{
	struct page sample = {0};
	struct slice ttl = {0};
	const char *reason = NULL;

	call_scope(own, c->now_ms);
	if (ctl_time_to_live(ctl, &own, in->table, &ttl) == 0 && ttl.len > 0 &&
	    absent_sample(ctl, &own, in->table, &sample) == 0) {
		uint64_t now_s = in->now_s != 0 ? in->now_s : c->now_ms / 1000;

		for (size_t i = 0; reason == NULL && i < sample.count; i++) {
			reason =
				sweep_reason(&own, ttl, item_get(&sample.items[i], ttl), in, now_s);
		}
		if (reason != NULL) {
			ctl_note(ctl, "%s", reason);
		}
	}
}

static int
run_sweep(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct sweep_opts *o = opts;
	struct sweep_in in = {.any_age = o->any_age};
	struct sweep_out sum = {0};
	struct sync_out synced;
	struct progress progress;
	int r = o->now == NULL ? 0 : read_time(c, o->now, &in.now_s);

	r = r != 0 ? r : command_table(c, words, &in.table);
	if (r < 0) {
		return r;
	}
	cleanup(buf_release) struct buf next = {0};
	stop_listen();
	progress_begin(&progress, ctl->quiet, 0);
	do {
		r = stop_check(c);
		r = r < 0 ? r : cmd_sweep_page(ctl, c, &in, &next, &sum);
		progress.total_items = sum.ahead;
		progress_show(&progress, sum.items, 0);
	} while (r == 0 && next.len > 0);
	progress_end(&progress);
	r = r < 0 ? r : engine_sync(ctl->engine, c, &(struct sync_in){0}, &synced);
	if (r == 0 || stop_asked() != 0) {
		ctl_note(ctl, "%s examined, %s deleted", progress_items(sum.items).at,
			 progress_count(sum.deleted).at);
	}
	if (r == 0 && sum.deleted == 0 && sum.items > 0 && in.table.len > 0) {
		sweep_explain(ctl, c, &in);
	}
	return r;
}

const struct command cmd_sweep = {
	.name = "sweep",
	.at_home = "a server deletes expired items automatically",
	.usage = "[TABLE] [--now TIME] [--any-age]",
	.summary = "delete expired items now",
	.details =
		"One table, or all tables that have a time to live. A mounted or served store does this\n"
		"by itself (itemfs -o ttl_sweep=SEC).",
	.examples = "itemctl sweep\n"
		    "itemctl sweep music --now 2026-12-01T00:00:00Z\n",
	.opts = sweep_opts,
	.max_words = 1,
	.run = run_sweep,
};

/* ------------------------------------------------------------ compact */

/* Bytes that were compacted, and all that are to be; sizes before compaction */
struct compacted {
	uint64_t bytes;
	uint64_t total;
};

/* Compact one piece in a call of its own.  @next: heap; where the piece begins, then the next one */
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
	.name = "compact",
	.at_home = "a server does that automatically",
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
