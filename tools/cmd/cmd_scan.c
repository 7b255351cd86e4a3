/* cmd_scan - scan: all items, in parallel segments if requested */
#include "store/model/schema.h"

#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/query/reading.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/lead.h"
#include "tools/text/fmt.h"
#include "tools/text/typed_line.h"

struct scan_opts {
	struct reading_opts read;
	struct opt_count segments;
	bool cat; /* typed as cat: the words may lack a key, such as an unset variable */
};

static const struct opt scan_opts[] = {
	READING_INDEX,
	READING_EXPRESSIONS,
	{"limit", 'n', OPT_COUNT, "N", READING_AT(limit), "print at most N items"},
	READING_PAGES,
	{"segments", 0, OPT_COUNT, "N", offsetof(struct scan_opts, segments),
	 "a parallel scan; items are unordered"},
	{"cat", 0, OPT_FLAG, NULL, offsetof(struct scan_opts, cat), NULL},
	READING_JOBS_AND_EXPLAIN,
	OPTS_END(struct scan_opts),
};

static int
cmd_scan_check(struct call *c, const struct scan_opts *o)
{
	if (o->segments.given && (o->segments.n == 0 || o->segments.n > 1000)) {
		return call_fail(c, ERR_USAGE, "--segments must be 1 to 1000");
	}
	if (o->segments.n > 1 && (o->read.start != NULL || o->read.one_page)) {
		return call_fail(c, ERR_USAGE, "--start and --one-page go with one segment only");
	}
	return reading_check(c, &o->read);
}

/* Refuse a second word; if it is an index, as in "scan music ByYear", suggest the option. */
static int
check_second(struct ctl *ctl, struct call *c, const struct words *words)
{
	const struct schema *schema = NULL;
	struct command one = cmd_scan;

	if (words->n == 1) {
		return 0;
	}
	int r = ctl_schema(ctl, c, slice_from(words->at[0]), &schema);

	if (r < 0) {
		return r;
	}
	if (schema_index(schema, slice_from(words->at[1])) == NULL) {
		one.max_words = 1;
		return command_check_words(ctl, c, &one, words);
	}
	struct slice b = fmt_slice(&c->arena, "--index %s", words->at[1]);
	struct buf line = {.arena = &c->arena};

	if (!typed_line_words(&line, slice_from(words->at[1]), b)) {
		buf_fmt(&line, "itemctl scan %s %.*s", words->at[0], SLICE_ARG(b));
	}
	return call_fail(c, ERR_USAGE, "give an index as an option: %.*s",
			 SLICE_ARG(buf_view(&line)));
}

static int
run_scan(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct scan_opts *o = opts;
	struct exprs *exprs = arena_new(&c->arena, struct exprs, 1);
	struct scan_in in = {.read.table = slice_from(words->at[0])};
	uint32_t n = o->segments.given ? (uint32_t)o->segments.n : 1;

	if (explain_wanted(ctl, &o->read.explain)) {
		return explain_command(ctl, c, &cmd_scan, words, opts, &o->read.explain);
	}
	ctl->exprs = exprs;
	int r = check_second(ctl, c, words);
	r = r != 0 ? r : cmd_scan_check(c, o);
	r = r != 0 ? r : ctl_readable(ctl, c, in.read.table, o->read.index);
	if (r == 0) {
		lead_table(ctl, c, in.read.table, slice_from(o->read.index));
		r = reading_request(c, &o->read, exprs, &in.read);
	}
	if (r < 0) {
		return r;
	}
	in.read.ph = exprs->request.ph;

	const char *example =
		o->cat && !o->read.count && o->read.filter == NULL && ctl_may_look(ctl)
			? command_example_of(ctl, c, &cmd_get, words)
			: NULL;

	if (example != NULL) {
		ctl_note(ctl, "cat without a key prints all items; for one item: %s", example);
	}
	struct op_in *requests = arena_new(&c->arena, struct op_in, n);

	for (uint32_t i = 0; i < n; i++) {
		requests[i].type = OP_SCAN;
		requests[i].scan = in;
		if (o->segments.given) {
			requests[i].scan.has_segment = true;
			requests[i].scan.has_total_segments = true;
			requests[i].scan.segment = i;
			requests[i].scan.total_segments = n;
		}
	}
	return reading_print(ctl, c, &o->read,
			     &(struct result_printer){.requests = requests, .n = n}, NULL);
}

const struct command cmd_scan = {
	.id = COMMAND_SCAN,
	.name = "scan",
	.usage =
		"TABLE [--index NAME] [--filter EXPR] [--project LIST] [--limit N] [--segments N] ...",
	.summary = "print all items of a table or index",
	.examples = "itemctl scan music --filter 'contains(Song, \"Blue\")'\n"
		    "itemctl scan music --index ByYear --format csv\n"
		    "itemctl scan music --count\n",
	.opts = scan_opts,
	.min_words = 1,
	.max_words = 2, /* for a second word, check_second() prints what to type */
	.pages = true,
	.lists = true,
	.run = run_scan,
};
