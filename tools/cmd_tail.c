/* cmd_tail - the changes of a table as they come, as lines of JSON: those of the mount's .stream.jsonl */
#include <poll.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/engine/change_line.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/tail.h"

enum { WAIT_MS = 250 }; /* a shard may be asked five times a second */

struct tail_opts {
	const char *from;
	bool once;
};

static const struct opt tail_opts[] = {
	{"from", 0, OPT_TEXT, "PLACE", offsetof(struct tail_opts, from),
	 "now (default), start, or behind the change with this seq"},
	{"once", 0, OPT_FLAG, NULL, offsetof(struct tail_opts, once),
	 "what there is by now, then end"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

struct printing {
	struct ctl *ctl;
	const struct schema *schema;
	bool typed;
};

static bool
print(void *arg, const struct stream_record *record)
{
	const struct printing *p = arg;

	change_line_put_record(&p->ctl->out.sink.buf, p->schema, p->typed, record);
	return sink_drain(&p->ctl->out.sink);
}

static int
parse_from(struct call *c, const char *text, enum tail_from *out)
{
	struct slice s = slice_from(text);

	if (text == NULL || strcmp(text, "now") == 0) {
		*out = TAIL_NOW;
	} else if (strcmp(text, "start") == 0) {
		*out = TAIL_START;
	} else if (s.len > 0 && ascii_digits_end(s, 0) == s.len) {
		*out = TAIL_SEQ;
	} else {
		return call_fail(c, ERR_VALIDATION,
				 "--from is now, start or a sequence number, not \"%s\"", text);
	}
	return 0;
}

/* Changes are lines whatever else would be printed as. */
static int
check_format(struct ctl *ctl, struct call *c)
{
	if (ctl->format == OUT_JSON || ctl->format == OUT_CSV) {
		return call_fail(c, ERR_VALIDATION, "tail prints lines: --format jsonl or typed");
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

static int
follow(struct ctl *ctl, struct call *c, struct tail *t, struct printing *p, bool once)
{
	for (;;) {
		size_t n = 0;
		int r = tail_round(t, c, print, p, &n);

		if (!sink_flush(&ctl->out.sink) || r != 0) {
			return r < 0 ? r : 0;
		}
		if (n == 0 && (once || !wait_round())) {
			return 0;
		}
	}
}

static int
run_tail(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct tail_opts *o = opts;
	struct printing p = {.ctl = ctl, .typed = ctl->format == OUT_TYPED};
	enum tail_from from = TAIL_NOW;
	struct tail *t = NULL;

	int r = parse_from(c, o->from, &from);
	if (r == 0) {
		r = check_format(ctl, c);
	}
	if (r == 0) {
		r = ctl_schema(ctl, c, slice_from(words->at[0]), &p.schema);
	}
	if (r == 0) {
		r = tail_open(ctl->engine, c, p.schema->table, from, slice_from(o->from), &t);
	}
	if (r < 0) {
		return r;
	}
	if (ctl->owns && !o->once) {
		ctl_note(ctl, "nobody else has the store open: there is nothing to wait for");
	}
	r = follow(ctl, c, t, &p, o->once || ctl->owns);
	tail_close(t);
	return r;
}

const struct command cmd_tail = {
	.name = "tail",
	.usage = "TABLE [--from now|start|SEQ] [--once]",
	.summary = "the changes of a table as they come, as lines of JSON",
	.details =
		"Of a table with a stream (alter TABLE --stream VIEW), which keeps changes for a day.\n"
		"A line is {\"eventName\":...,\"seq\":...,\"Keys\":{...},\"NewImage\":{...},\"OldImage\":{...}},\n"
		"images as far as the stream has them. --from with the seq of the last line that was\n"
		"seen goes on behind it.",
	.opts = tail_opts,
	.opts_bytes = sizeof(struct tail_opts),
	.min_words = 1,
	.max_words = 1,
	.run = run_tail,
};
