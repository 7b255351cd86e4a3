/* cmd_tail - the changes of a table as they come, as lines of JSON: those of the mount's .stream.jsonl */
#include <poll.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/clock.h"
#include "store/engine/change_line.h"
#include "store/engine/stream_walk.h"

#include "tools/command.h"
#include "tools/ctl.h"

enum { WAIT_MS = 250 }; /* a shard may be asked five times a second */

struct tail_opts {
	const char *from;
	bool once;
};

static const struct opt tail_opts[] = {
	{"from", 0, OPT_TEXT, "PLACE", offsetof(struct tail_opts, from),
	 "now (default), start, or after the change with this seq"},
	{"once", 0, OPT_FLAG, NULL, offsetof(struct tail_opts, once),
	 "print the changes so far, then end"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

static int
parse_from(struct call *c, const char *text, struct stream_walk_in *in)
{
	struct slice s = slice_from(text);

	if (text == NULL || strcmp(text, "now") == 0) {
		in->from = STREAM_WALK_NEWEST;
	} else if (strcmp(text, "start") == 0) {
		in->from = STREAM_WALK_OLDEST;
	} else if (s.len > 0 && ascii_digits_end(s, 0) == s.len) {
		in->from = STREAM_WALK_AFTER;
		in->after = s;
	} else {
		return call_fail(c, ERR_USAGE,
				 "--from is now, start or a sequence number, not \"%s\"", text);
	}
	return 0;
}

/* Changes are lines whatever else would be printed as. */
static int
check_format(struct ctl *ctl, struct call *c)
{
	if (ctl->format != OUT_AUTO && ctl->format != OUT_JSONL && ctl->format != OUT_TYPED) {
		return call_fail(c, ERR_USAGE, "tail prints lines: --format jsonl or typed");
	}
	ctl->out.format = OUT_JSONL;
	return 0;
}

/* Wait for the time of the next round; false when nobody reads any more. */
static bool
wait_round(void)
{
	struct pollfd reader = {.fd = STDOUT_FILENO};

	return poll(&reader, 1, WAIT_MS) <= 0;
}

/* The table as it is now, and its newest stream, which may be switched off. */
static int
find_stream(struct ctl *ctl, struct call *c, struct slice table, const struct schema **schema,
	    struct slice *arn)
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

/* At most one request, with memory of its own.  Return: as of stream_walk_next() */
static int
print_some(struct ctl *ctl, struct call *c, struct stream_walk *w, const struct schema *schema)
{
	struct sink *sink = &ctl->out.sink;
	struct stream_walk_page page;
	struct call own;

	call_open(&own, clock_now_ms(), CTL_BUDGET);
	int r = stream_walk_next(w, &own, &page);

	for (size_t i = 0; i < page.n && sink_drain(sink); i++) {
		change_line_put_record(&sink->buf, schema, ctl->format == OUT_TYPED,
				       &page.records[i]);
	}
	if (r < 0) {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

/* Return: 0, or STREAM_WALK_END when nothing can come any more; nobody changes what this process alone has open */
static int
follow(struct ctl *ctl, struct call *c, struct stream_walk *w, const struct schema *schema,
       bool once)
{
	for (;;) {
		int r = print_some(ctl, c, w, schema);

		if (!sink_flush(&ctl->out.sink)) {
			return r < 0 ? r : 0;
		}
		if (r < 0 || r == STREAM_WALK_END) {
			return r;
		}
		if (stream_walk_lost(w)) {
			return call_fail(
				c, ERR_TRIMMED,
				"changes that were to come next are perhaps no longer kept; "
				"--from start is all that is left");
		}
		if (r == STREAM_WALK_TIP && (once || ctl_owns(ctl) || !wait_round())) {
			return 0;
		}
	}
}

static int
run_tail(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct tail_opts *o = opts;
	struct slice table = slice_from(words->at[0]);
	struct stream_walk_in in = {.goes_on = !o->once && !ctl_owns(ctl)};
	const struct schema *schema = NULL;
	struct stream_walk *w = NULL;

	int r = parse_from(c, o->from, &in);
	if (r == 0) {
		r = check_format(ctl, c);
	}
	if (r == 0) {
		r = find_stream(ctl, c, table, &schema, &in.stream);
	}
	if (r == 0) {
		r = stream_walk_open(ctl->engine, c, &in, &w);
	}
	if (r < 0) {
		return r;
	}
	r = follow(ctl, c, w, schema, o->once);
	if (r == STREAM_WALK_END && in.goes_on) {
		ctl_note(ctl, "the stream has ended: it was switched off, or table %.*s dropped",
			 SLICE_ARG(table));
	} else if (r >= 0 && !o->once && ctl_owns(ctl) && ctl->out.sink.failed == 0) {
		ctl_note(ctl, "nobody else has the store open: there is nothing to wait for");
	}
	stream_walk_close(w);
	return r < 0 ? r : 0;
}

const struct command cmd_tail = {
	.name = "tail",
	.usage = "TABLE [--from now|start|SEQ] [--once]",
	.summary = "print a table's changes as they happen, as lines of JSON",
	.details =
		"The table needs a stream (alter TABLE --stream VIEW), which keeps changes for a day. A\n"
		"line is {\"eventName\":...,\"seq\":...,\"Keys\":{...},\"NewImage\":{...},\"OldImage\":{...}}, with\n"
		"the images that the stream has. To continue, give --from the seq of the last line that\n"
		"you read. On DynamoDB, which does not mark the end, --once stops after ten empty pages\n"
		"in a row and may end early. If the stream is disabled or the table is dropped, tail\n"
		"prints what is left, ends and says so.",
	.examples = "itemctl tail music --once\n"
		    "itemctl tail music --from start --once\n"
		    "itemctl tail music\n",
	.opts = tail_opts,
	.opts_bytes = sizeof(struct tail_opts),
	.min_words = 1,
	.max_words = 1,
	.run = run_tail,
};
