/* cmd_tail - tail: prints the changes of a table as lines of JSON, as .stream.jsonl in a mount has them */
#include <poll.h>

#include "store/base/core/clock.h"
#include "store/engine/change_line.h"
#include "store/engine/engine.h"
#include "store/engine/stream_walk.h"
#include "store/own.h"

#include "tools/cmd/cmd.h"
#include "tools/out/sink.h"
#include "tools/session/ctl.h"
#include "tools/text/words.h"

enum {
	WAIT_MS = 250, /* DynamoDB allows five requests per second and shard */
	LINES_MAX = 1000,
	ROUNDS_MAX = 64, /* limit of the backoff: others may write often, but not to this table */
};

struct tail_opts {
	const char *from;
	struct opt_count lines;
	bool follow;
	bool once;
};

static const struct opt tail_opts[] = {
	{"from", 0, OPT_TEXT, "PLACE", offsetof(struct tail_opts, from),
	 "now (default), start (default with --once and --lines), or after the change with this seq"},
	{"once", 0, OPT_FLAG, NULL, offsetof(struct tail_opts, once),
	 "print the changes so far, then end"},
	{"lines", 'n', OPT_COUNT, "N", offsetof(struct tail_opts, lines),
	 "the last N of the changes that are kept, then end"},
	{"follow", 'f', OPT_FLAG, NULL, offsetof(struct tail_opts, follow),
	 "with --lines: continue, which is the default without it"},
	OPTS_END(struct tail_opts),
};

/* Progress of the command, and with --lines a ring of the last lines, printed at the end of the kept changes */
struct tail_last {
	struct buf *at; /* [n], heap; NULL: lines are printed as they arrive */
	size_t n;
	size_t next;    /* lines that were put into the ring; the next one has the index next % n */
	size_t seen;    /* printed or waiting */
	bool skips;     /* read the kept changes without printing them */
	struct buf seq; /* heap: sequence number of the newest change that was read */
};

static int
parse_from(struct call *c, const char *text, struct stream_walk_in *in)
{
	struct slice s = slice_from(text);

	if (text == NULL || words_in_any_case("now latest newest", s)) {
		in->from = STREAM_WALK_NEWEST;
	} else if (words_in_any_case("start trim_horizon oldest earliest beginning", s)) {
		in->from = STREAM_WALK_OLDEST;
	} else if (s.len > 0 && ascii_digits_end(s, 0) == s.len) {
		in->from = STREAM_WALK_AFTER;
		in->after = s;
	} else {
		return call_fail(c, ERR_USAGE,
				 "--from must be now, start or a sequence number, not \"%s\"",
				 text);
	}
	return 0;
}

static int
check_lines(struct call *c, const struct tail_opts *o)
{
	if (o->follow && o->once) {
		return call_fail(c, ERR_USAGE, "give only one of --follow and --once");
	}
	return !o->lines.given || (o->lines.n > 0 && o->lines.n <= LINES_MAX)
		       ? 0
		       : call_fail(c, ERR_USAGE, "--lines must be 1 to %d", LINES_MAX);
}

/* Check the format.  Changes are printed as lines also with JSON, because an array would not end. */
static int
check_format(struct ctl *ctl, struct call *c)
{
	if (ctl->format != OUT_AUTO && ctl->format != OUT_JSONL && ctl->format != OUT_JSON &&
	    ctl->format != OUT_TYPED) {
		return call_fail(c, ERR_USAGE, "tail prints lines: use --format jsonl or typed");
	}
	ctl->out.format = OUT_JSONL;
	return 0;
}

/* Wait for @ms.  Return: false if the reader of standard output is gone */
static bool
tail_pause(unsigned ms)
{
	struct pollfd reader = {.fd = STDOUT_FILENO};

	return poll(&reader, 1, (int)ms) <= 0;
}

/* Describe the table, and find its newest stream, which may be disabled. */
static int
cmd_tail_find_stream(struct ctl *ctl, struct call *c, struct slice table,
		     const struct schema **schema, struct slice *arn)
{
	struct describe_table_in in = {.table = table};
	struct describe_table_out out = {0};
	int r = engine_describe_table(ctl->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	*schema = out.table.schema;
	*arn = out.table.latest_stream;
	return arn->len > 0 ? 0 : stream_walk_none(c, table);
}

/* Send at most one request, and print its changes; memory is freed at the end.  Return: as stream_walk_next() */
static int
print_some(struct ctl *ctl, struct call *c, struct stream_walk *w, const struct schema *schema,
	   struct tail_last *last)
{
	struct sink *sink = &ctl->out.sink;
	struct stream_walk_page page;
	call_scope(own, clock_now_ms());
	int r = stream_walk_next(w, &own, &page);

	assert(last->at == NULL || last->n > 0);
	for (size_t i = 0; i < page.n && sink_drain(sink); i++) {
		struct buf *to = &sink->buf;

		buf_clear(&last->seq);
		buf_slice(&last->seq, page.records[i].seq);
		if (last->skips) {
			continue;
		}
		if (last->at != NULL) {
			to = &last->at[last->next++ % last->n];
			to->len = 0;
		}
		last->seen++;
		change_line_put(to, schema, ctl->format == OUT_TYPED, &page.records[i]);
	}
	if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	return r;
}

/* Print the lines of the ring, oldest first. */
static void
tail_last_print(struct ctl *ctl, struct tail_last *last)
{
	struct sink *sink = &ctl->out.sink;
	size_t first = last->next > last->n ? last->next - last->n : 0;

	for (size_t i = first; last->at != NULL && i < last->next && sink_drain(sink); i++) {
		buf_slice(&sink->buf, buf_view(&last->at[i % last->n]));
	}
}

static void
tail_last_free(struct tail_last *last)
{
	for (size_t i = 0; last->at != NULL && i < last->n; i++) {
		buf_release(&last->at[i]);
	}
	free(last->at);
	last->at = NULL;
}

/*
 * Wait for more changes, unless @once is set, or only this process has the store open, so that there can be none.
 * Return: false if it did not wait, or the reader of standard output is gone
 */
static bool
follow_waits(struct ctl *ctl, bool once)
{
	return !once && !ctl_owns(ctl) && tail_pause(WAIT_MS);
}

/*
 * Print changes until there are no more, or nobody reads them.
 *
 * Return: STREAM_WALK_END if the stream has ended; STREAM_WALK_TIP after all changes, as for follow_waits(); 0 if
 *         writing has failed, because the reader is gone; -ERR_*
 */
static int
follow(struct ctl *ctl, struct call *c, struct stream_walk *w, const struct schema *schema,
       struct tail_last *last, bool once)
{
	for (;;) {
		int r = print_some(ctl, c, w, schema, last);

		if (r == STREAM_WALK_TIP || r == STREAM_WALK_END) {
			tail_last_print(ctl, last);
			tail_last_free(last);
		}
		if (!sink_flush(&ctl->out.sink)) {
			return r < 0 ? r : 0;
		}
		if (r < 0 || r == STREAM_WALK_END) {
			return r;
		}
		if (stream_walk_lost(w)) {
			return call_fail(c, ERR_TRIMMED,
					 "the next changes may no longer be kept; "
					 "use --from start");
		}
		if (r == STREAM_WALK_TIP && !follow_waits(ctl, once)) {
			return r;
		}
	}
}

/* Sleep for at least @rounds, and until the store is written.  Return: false if nobody reads the output */
static bool
tail_sleep(int watch, unsigned rounds)
{
	struct pollfd ends[] = {{.fd = STDOUT_FILENO}, {.fd = watch, .events = POLLIN}};
	bool reads = tail_pause(rounds * WAIT_MS);

	while (reads && watch >= 0 && !store_watch_seen(watch)) {
		(void)poll(ends, 2, -1);
		reads = ends[0].revents == 0;
	}
	return reads;
}

/*
 * Close the store so that others can change it.  Open it again after at least @rounds, and after another process has
 * written to it.
 *
 * Return: 1 if it is open again; 0 if nobody reads the output; -ERR_*
 */
static int
tail_yield(struct ctl *ctl, struct call *c, unsigned rounds)
{
	cleanup(cleanup_fd) int watch = store_watch(ctl->store);
	int r;

	engine_close(ctl->engine);
	ctl->engine = NULL;
	if (!tail_sleep(watch, rounds)) {
		return 0;
	}
	while ((r = ctl_open_store(ctl, c, false)) == -ERR_BUSY && tail_pause(WAIT_MS)) {
		c->error =
			(struct error){0}; /* an import may have the store open for a long time */
	}
	return r < 0 ? r : 1;
}

/* Follow the stream from @in on, and move @in after the last change that was read.  Return: as follow() */
static int
tail_walk(struct ctl *ctl, struct call *c, struct stream_walk_in *in, const struct schema *schema,
	  struct tail_last *last, bool once)
{
	struct stream_walk *w = NULL;

	last->skips = in->from == STREAM_WALK_NEWEST && !once && ctl_owns(ctl);
	in->from = last->skips ? STREAM_WALK_OLDEST : in->from;
	in->goes_on = !once && !ctl_owns(ctl);
	int r = stream_walk_open(ctl->engine, c, in, &w);

	r = r < 0 ? r : follow(ctl, c, w, schema, last, once);
	stream_walk_close(w);
	if (last->seq.len > 0) {
		in->from = STREAM_WALK_AFTER;
		in->after = buf_view(&last->seq);
	}
	return r;
}

/* Follow the stream again each time after another process had the store.  Return: 0; STREAM_WALK_END; -ERR_* */
static int
tail_walks(struct ctl *ctl, struct call *c, struct stream_walk_in *in, const struct schema *schema,
	   struct tail_last *last)
{
	unsigned rounds = 1;
	int r = 1;

	while (r == 1) {
		size_t seen = last->seen;
		call_scope(own, clock_now_ms());
		r = tail_walk(ctl, &own, in, schema, last, false);
		rounds = last->seen > seen ? 1 : rounds < ROUNDS_MAX ? 2 * rounds : rounds;
		if (r == STREAM_WALK_TIP) {
			r = ctl_owns(ctl) && ctl->out.sink.failed == 0
				    ? tail_yield(ctl, &own, rounds)
				    : 0;
		}
		r = r < 0 ? ctl_adopt(c, &own) : r;
	}
	return r;
}

/*
 * Note why nothing was printed, or why the stream has ended.
 * @seen: number of changes; SIZE_MAX if tail follows the stream
 */
static void
tail_note(struct ctl *ctl, const char *table, const struct stream_walk_in *in, int end, size_t seen)
{
	if (end == STREAM_WALK_END && seen == SIZE_MAX) {
		ctl_note(ctl, "the stream has ended: it was disabled, or table %s was dropped",
			 table);
	} else if (seen == 0) {
		ctl_note(ctl, "the stream has no changes%s",
			 in->from == STREAM_WALK_OLDEST ? ": it keeps changes for a day"
			 : in->from == STREAM_WALK_AFTER
				 ? " after this one"
				 : " from now on; for the changes of the last day: --from start");
	}
}

static int
run_tail(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct tail_opts *o = opts;
	bool once = o->once || (o->lines.given && !o->follow);
	struct slice table = slice_from(words->at[0]);
	struct stream_walk_in in = {0};
	struct tail_last last = {.n = (size_t)o->lines.n};
	const struct schema *schema = NULL;

	int r = parse_from(c, o->from == NULL && (once || o->lines.given) ? "start" : o->from, &in);
	r = r != 0 ? r : check_lines(c, o);
	r = r != 0 ? r : check_format(ctl, c);
	r = r != 0 ? r : cmd_tail_find_stream(ctl, c, table, &schema, &in.stream);
	if (r < 0) {
		return r;
	}
	last.at = o->lines.given ? mem_array(struct buf, last.n) : NULL;
	r = once ? tail_walk(ctl, c, &in, schema, &last, true)
		 : tail_walks(ctl, c, &in, schema, &last);
	tail_last_free(&last);
	buf_release(&last.seq);
	if (r >= 0) {
		tail_note(ctl, words->at[0], &in, r, once ? last.seen : SIZE_MAX);
	}
	return r < 0 ? r : 0;
}

const struct command cmd_tail = {
	.name = "tail",
	.usage = "TABLE [--from now|start|SEQ] [--once] [--lines N [--follow]]",
	.summary = "print a table's changes as they happen, as lines of JSON",
	.details =
		"The table needs a stream (alter TABLE --stream VIEW), which keeps changes for a day. A\n"
		"line is {\"eventName\":...,\"seq\":...,\"Keys\":{...},\"NewImage\":{...},\"OldImage\":{...}},\n"
		"with the images that the stream has. To continue, give --from the seq of the last line\n"
		"that you read. On DynamoDB, which does not mark the end, --once stops after ten empty\n"
		"pages in a row and may end early. If no other process has the store open, tail leaves\n"
		"it free for others and continues whenever one of them has written. If the stream is\n"
		"disabled or the table is dropped, tail prints what is left, ends and says so.",
	.examples = "itemctl tail music --once\n"
		    "itemctl tail music --from start --once\n"
		    "itemctl tail music -n 5\n"
		    "itemctl tail music\n",
	.opts = tail_opts,
	.min_words = 1,
	.max_words = 1,
	.run = run_tail,
};
