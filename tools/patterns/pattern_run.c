/* pattern_run - see pattern_run.h */
#include "tools/patterns/pattern_run.h"

#include <assert.h>

#include "store/engine/meter.h"
#include "store/op/op.h"

#include "tools/cli/commands.h"
#include "tools/cli/opts.h"
#include "tools/patterns/patterns.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/text/fill.h"
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

const struct pattern_line *
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
