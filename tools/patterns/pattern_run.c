/* pattern_run - see pattern_run.h */
#include "tools/patterns/pattern_run.h"

#include "store/base/core/escape.h"
#include "store/base/text/url.h"
#include "store/engine/meter.h"
#include "store/op/op.h"

#include "tools/cli/commands.h"
#include "tools/cli/opts.h"
#include "tools/explain/recorder.h"
#include "tools/out/out.h"
#include "tools/out/sink.h"
#include "tools/patterns/expect.h"
#include "tools/patterns/patterns.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/exprs.h"
#include "tools/system/stop.h"
#include "tools/text/fill.h"
#include "tools/text/fmt.h"
#include "tools/text/row.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

/* Commands that a pattern may contain */
static const enum command_id allowed[] = {
	COMMAND_GET,    COMMAND_QUERY,  COMMAND_SCAN,     COMMAND_PUT,
	COMMAND_UPDATE, COMMAND_DELETE, COMMAND_TRANSACT, COMMAND_CALL,
};

/* ------------------------------------------------------------ one line */

static const struct command *
line_command(const char *name)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		const struct command *command = commands_get(allowed[i]);

		if (strcmp(command->name, name) == 0) {
			return command;
		}
	}
	return NULL;
}

/* Replace the parameters in the words that are not options. */
static int
fill_words(struct call *c, const struct command *command, const struct fill *fill,
	   struct words *words)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < words->n; i++) {
		const char *written = words->at[i];
		enum fill_as as = command->expression && i + 1 == words->n ? FILL_EXPRESSION
				  : fill_is_json(slice_from(written))      ? FILL_JSON
									   : FILL_WORD;

		r = fill_string(c, fill, as, written, &words->at[i]);
		if (r == 0 && strcmp(words->at[i], "-") == 0 && strcmp(written, "-") != 0) {
			r = call_fail(c, ERR_USAGE, "the value \"-\" would mean standard input");
		}
	}
	return r;
}

static int
run_words(struct ctl *ctl, struct call *c, const struct words *argv)
{
	const struct command *command = line_command(argv->at[0]);
	struct words words = {0};

	if (command == NULL) {
		return call_fail(
			c, ERR_USAGE,
			"a pattern may use get, query, scan, put, update, delete, transact and "
			"call, not \"%s\"",
			argv->at[0]);
	}
	void *opts = opts_new(&c->arena, command->opts);
	struct opt_target target = {command->opts, opts, ctl->fill, 0, command->name};

	int r = opts_parse(c, &target, 1, (int)argv->n - 1, (char **)argv->at + 1, false, &words,
			   NULL);
	if (r == 0) {
		r = fill_words(c, command, ctl->fill, &words);
	}
	if (r == 0) {
		r = command_check_words(NULL, c, command, &words);
	}
	if (r < 0) {
		return r;
	}
	ctl->out.list = command->lists;
	return command->run(ctl, c, &words, opts);
}

/* Run the command of a line.  The lines below "transact" are its actions. */
static int
run_line(struct ctl *ctl, struct call *c, const struct pattern_line *line)
{
	struct words argv = {0};
	bool transact =
		slice_is(slice_of(line->text.at, line->first < 8 ? line->first : 8), "transact");
	struct slice text = transact ? slice_of(line->text.at, line->first) : line->text;

	ctl->exprs = NULL;
	ctl->script = transact ? patterns_script(c, line) : slice_of(NULL, 0);
	int r = words_split(c, text, &argv);
	if (r == 0) {
		r = argv.at == NULL ? call_fail(c, ERR_USAGE, "there is no command")
				    : run_words(ctl, c, &argv);
	}
	return r < 0 ? text_at(c, ctl->origin, line->line) : r;
}

/* ------------------------------------------------------------ a pattern */

int
pattern_run_store(struct ctl *ctl, struct call *c)
{
	if (ctl->meter == NULL) {
		ctl->meter = meter_new();
	}
	return ctl_open_store(ctl, c, false);
}

static int
run_lines(struct ctl *ctl, struct call *c, const struct pattern *p, uint64_t *items)
{
	int status = 0;

	for (size_t i = 0; i < p->n_lines; i++) {
		uint64_t counted = ctl->counted.count;
		int r = run_line(ctl, c, &p->lines[i]);

		/* With --count no item is printed, but some are counted. */
		*items += ctl->out.n > 0 ? ctl->out.n - ctl->out.missing
					 : ctl->counted.count - counted;
		int ended = r < 0 ? r : ctl_end_answer(ctl, c);

		if (ended < 0) {
			return ended;
		}
		status = r > status ? r : status;
	}
	return status;
}

int
pattern_run(struct ctl *ctl, struct call *c, const struct pattern *p, const struct fill *fill,
	    uint64_t *items)
{
	assert(fill != NULL && ctl->fill == NULL);
	*items = 0;
	ctl->fill = fill;
	int r = run_lines(ctl, c, p, items);

	ctl->fill = NULL;
	return r;
}

/* Return: the first line of @p that may write; NULL: all lines only read */
static const struct pattern_line *
pattern_run_writes(struct call *c, const struct pattern *p)
{
	for (size_t i = 0; i < p->n_lines; i++) {
		struct slice rest = p->lines[i].text;
		struct word name, operation = {0};
		bool named = words_next(c, &rest, &name) == 0;
		bool reads = named && (slice_is(name.text, "get") || slice_is(name.text, "query") ||
				       slice_is(name.text, "scan"));

		if (named && slice_is(name.text, "call") && words_next(c, &rest, &operation) == 0) {
			struct op_in in = {.type = op_find(operation.text)};

			reads = in.type != OP_COUNT && !op_writes(&in);
		}
		c->error = (struct error){0};
		if (!reads) {
			return &p->lines[i];
		}
	}
	return NULL;
}

static void
pattern_run_put_units(struct buf *b, uint64_t halves, const char *what)
{
	buf_fmt(b, ", %lu.%d %s units", (unsigned long)(halves / 2), halves % 2 == 0 ? 0 : 5, what);
}

void
pattern_run_cost(struct buf *b, const struct meter_sums *sums)
{
	if (sums->read_halves > 0 || sums->write_halves == 0) {
		pattern_run_put_units(b, sums->read_halves, "read");
	}
	if (sums->write_halves > 0) {
		pattern_run_put_units(b, sums->write_halves, "write");
	}
}

/* ------------------------------------------------------------ all patterns of a file, as tests */

/* Result of one pattern */
struct checked {
	struct expect_found found;
	struct value *failures; /* texts */
	size_t n;
	size_t cap;
};

static void
add_failure(struct call *c, struct checked *k, struct slice text)
{
	k->failures = arena_room(&c->arena, k->failures, k->n, &k->cap);
	k->failures[k->n++] = value_string(slice_copy(&c->arena, text));
}

/* ------------------------------------------------------------ printing */

static void
pattern_check_print_row(struct ctl *ctl, struct call *c, const struct pattern *p,
			const struct checked *k)
{
	const struct meter_sums *sums = &k->found.sums;
	struct attr attrs[] = {
		row_text("Pattern", p->name),
		row_count(&c->arena, "Line", (uint64_t)p->line),
		row_text("Status", k->n == 0 ? SLICE("ok") : SLICE("FAILED")),
		row_count(&c->arena, "Requests", sums->requests),
		row_count(&c->arena, "Items", k->found.items),
		row_number(&c->arena, "ReadUnits", (double)sums->read_halves / 2),
		row_number(&c->arena, "WriteUnits", (double)sums->write_halves / 2),
		{SLICE("Failures"), {.type = VALUE_L, .list = {.at = k->failures, .n = k->n}}},
	};

	(void)out_item(&ctl->out,
		       &(struct item){.at = attrs, .n = sizeof(attrs) / sizeof(attrs[0])});
}

/* Print "ok      open-orders  1 request, 2 items, 0.5 read units", or the failures. */
static void
print_text(struct ctl *ctl, const struct pattern *p, const struct checked *k, size_t width)
{
	struct buf *b = &ctl->out.sink.buf;
	uint64_t requests = k->found.sums.requests;
	uint64_t items = k->found.items;

	buf_fmt(b, "%-6s  %-*.*s  ", k->n == 0 ? "ok" : "FAILED", (int)width, SLICE_ARG(p->name));
	for (size_t i = 0; i < k->n; i++) {
		buf_str(b, i == 0 ? "" : "; ");
		(void)escape_put(b, k->failures[i].text, SIZE_MAX);
	}
	if (k->n == 0) {
		buf_fmt(b, "%lu request%s, %lu item%s", (unsigned long)requests,
			requests == 1 ? "" : "s", (unsigned long)items, items == 1 ? "" : "s");
		pattern_run_cost(b, &k->found.sums);
	}
	buf_char(b, '\n');
	(void)sink_flush(&ctl->out.sink); /* show each result at once */
}

/* ------------------------------------------------------------ one pattern */

/* Return true if all parameters have a value.  Add a failure for each one without: the pattern cannot be run. */
static bool
has_values(struct call *c, const struct pattern *p, struct checked *k)
{
	size_t before = k->n;

	for (size_t i = 0; i < p->n_params; i++) {
		struct slice name = p->params[i].name;

		if (!p->params[i].has_preset &&
		    patterns_typed(&p->params[i], p->expect.with.at, p->expect.with.n) == NULL) {
			struct slice b = fmt_slice(
				&c->arena, "not run: %.*s has no value: expect with %.*s=VALUE",
				SLICE_ARG(name), SLICE_ARG(name));

			add_failure(c, k, b);
		}
	}
	return k->n == before;
}

static bool
expects_items(const struct expect *e)
{
	for (size_t i = 0; i < e->n; i++) {
		if (e->at[i].kind == EXPECT_ITEMS) {
			return true;
		}
	}
	return false;
}

static void
pattern_check_judge(struct call *c, const struct pattern *p, int status, struct checked *k)
{
	struct buf why = {.arena = &c->arena};

	if (status > 0 && !expects_items(&p->expect)) {
		add_failure(c, k, SLICE("not found; if that is right: expect 0 items"));
	}
	for (size_t i = 0; i < p->expect.n; i++) {
		buf_clear(&why);
		if (!expect_holds(c, &p->expect.at[i], &k->found, &why)) {
			add_failure(c, k, buf_view(&why));
		}
	}
}

/* Add the error of @own as a failure. */
static void
pattern_check_fail(const struct ctl *ctl, struct call *c, const struct call *own, struct checked *k)
{
	const struct error *e = &own->error;
	struct buf b = {.arena = &c->arena};

	if (e->code != ERR_USAGE) {
		buf_fmt(&b, "%s: ", error_wire(e->code));
	}
	if (ctl->exprs != NULL) {
		exprs_say(ctl->exprs, e->message, &b);
	} else {
		buf_str(&b, e->message);
	}
	add_failure(c, k, buf_view(&b));
}

static int
check_one(struct ctl *ctl, struct call *c, struct recorder *to, const struct pattern *p,
	  struct checked *k)
{
	struct meter_sums before = meter_sums(ctl->meter);
	uint64_t scans = to->scans, statements = to->statements;
	struct fill fill;

	*k = (struct checked){0};
	if (!has_values(c, p, k)) {
		return 0;
	}
	call_scope(own, c->now_ms);
	struct buf first = {.arena = &own.arena};
	ctl->first = &first;
	out_open_first(&ctl->out, &first);
	ctl->origin->told = false;
	int r = patterns_values(&own, p, p->expect.with.at, p->expect.with.n, &fill);
	r = r < 0 ? text_at(&own, ctl->origin, p->line)
		  : pattern_run(ctl, &own, p, &fill, &k->found.items);
	out_drop(&ctl->out);
	ctl->first = NULL;
	k->found.sums = meter_sums(ctl->meter);
	k->found.sums.requests -= before.requests;
	k->found.sums.read_halves -= before.read_halves;
	k->found.sums.write_halves -= before.write_halves;
	k->found.scans = to->scans - scans;
	k->found.statements = to->statements - statements;
	k->found.first = buf_view(&first);
	if (r < 0 && stop_asked() == 0) {
		pattern_check_fail(ctl, c, &own, k);
	} else if (r >= 0) {
		pattern_check_judge(c, p, r, k);
		r = 0;
	}
	r = stop_asked() != 0 && r < 0 ? ctl_adopt(c, &own) : 0;
	ctl->exprs = NULL; /* they are in the arena of @own */
	return r;
}

/* ------------------------------------------------------------ all patterns */

/* Refuse patterns that write to another machine.  A store on this machine may be a copy, or new. */
static int
may_write(const struct ctl *ctl, struct call *c, const struct patterns *all)
{
	for (size_t i = 0; i < all->n && !ctl->yes && ctl->dry == NULL && url_is_far(ctl->store);
	     i++) {
		const struct pattern_line *line = pattern_run_writes(c, &all->at[i]);

		if (line != NULL) {
			struct text_origin origin = *ctl->origin;

			(void)!call_fail(c, ERR_USAGE,
					 "%.*s may change items on another machine: --dry-run "
					 "changes nothing, --yes runs it",
					 SLICE_ARG(all->at[i].name));
			return text_at(c, &origin, line->line);
		}
	}
	return 0;
}

static size_t
pattern_check_widest(const struct patterns *all)
{
	size_t width = 0;

	for (size_t i = 0; i < all->n; i++) {
		width = all->at[i].name.len > width ? all->at[i].name.len : width;
	}
	return width < 40 ? width : 40;
}

int
pattern_check(struct ctl *ctl, struct call *c, const struct patterns *all)
{
	struct recorder to;
	struct out out = ctl->out;
	bool quiet = ctl->quiet;
	size_t failed = 0;
	int r = pattern_run_store(ctl, c);

	r = r < 0 ? r : may_write(ctl, c, all);
	if (r < 0) {
		return r;
	}
	recorder_init(&to, RECORDER_ALL);
	ctl->engine = recorder_open(ctl->engine, &to);
	for (size_t i = 0; r == 0 && i < all->n; i++) {
		struct arena_mark mark = arena_mark(&c->arena);
		struct checked k;

		ctl->quiet = true;
		r = check_one(ctl, c, &to, &all->at[i], &k);
		ctl->quiet = quiet;
		ctl->out = out;
		if (r == 0 && ctl->format == OUT_AUTO) {
			print_text(ctl, &all->at[i], &k, pattern_check_widest(all));
		} else if (r == 0) {
			pattern_check_print_row(ctl, c, &all->at[i], &k);
		}
		out = ctl->out;
		failed += k.n > 0;
		if (r == 0) {
			arena_reset(&c->arena, mark);
			r = out.sink.failed == 0 ? stop_check(c) : 0;
		}
		if (out.sink.failed != 0) {
			break;
		}
	}
	ctl->engine = recorder_close(ctl->engine);
	recorder_release(&to);
	if (r == 0) {
		ctl_note(ctl, "%zu pattern%s: %zu ok, %zu FAILED", all->n, all->n == 1 ? "" : "s",
			 all->n - failed, failed);
	}
	return r < 0 ? r : failed > 0;
}
