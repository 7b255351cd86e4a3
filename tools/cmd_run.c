/*
 * cmd_run - named access patterns of a file
 *
 *   file -> patterns.c -> values -> each line: words, the command's options, the command itself
 *
 * The engine is metered, so that what a pattern costs can be told at its end.
 */
#include <unistd.h>

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/patterns.h"
#include "tools/words.h"

/* What a pattern may consist of. */
static const struct command *const allowed[] = {
	&cmd_get,    &cmd_query,  &cmd_scan,     &cmd_put,
	&cmd_update, &cmd_delete, &cmd_transact, &cmd_call,
};

/* ------------------------------------------------------------ the list */

/* As they can be typed. */
static struct value
parameter_list(struct call *c, const struct pattern *p)
{
	struct buf text;

	buf_init(&text, &c->arena);
	for (size_t i = 0; i < p->n_params; i++) {
		const struct pattern_param *param = &p->params[i];

		buf_fmt(&text, "%s%.*s", i == 0 ? "" : " ", SLICE_ARG(param->name));
		if (param->has_preset) {
			buf_char(&text, '=');
			words_put(&text, param->preset);
		}
	}
	return value_string(buf_view(&text));
}

static void
list(struct ctl *ctl, struct call *c, const struct patterns *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct attr attrs[] = {
			{SLICE("Pattern"), value_string(all->at[i].name)},
			{SLICE("Parameters"), parameter_list(c, &all->at[i])},
			{SLICE("Description"), value_string(all->at[i].about)},
		};

		(void)out_item(&ctl->out, &(struct item){.at = attrs, .n = 3});
	}
}

/* ------------------------------------------------------------ one line */

static int
line_words(struct call *c, struct slice text, struct words *out)
{
	struct word w;
	int r;

	while ((r = words_next(c, &text, &w)) == 0) {
		struct buf b;

		buf_init(&b, &c->arena);
		buf_slice(&b, w.text);
		buf_char(&b, '\0');
		words_add(c, out, b.at);
	}
	return r < 0 ? r : 0;
}

static const struct command *
line_command(const char *name)
{
	for (size_t i = 0; i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		if (strcmp(allowed[i]->name, name) == 0) {
			return allowed[i];
		}
	}
	return NULL;
}

/* The words that are no options. */
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
			r = call_fail(c, ERR_USAGE, "a value of \"-\" would be standard input");
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
			"a pattern has get, query, scan, put, update, delete, transact and call, "
			"not \"%s\"",
			argv->at[0]);
	}
	void *opts = arena_alloc(&c->arena, 1, _Alignof(max_align_t), command->opts_bytes + 1);
	struct opt_target target = {command->opts, opts, ctl->fill, 0, command->name};

	int r = opts_parse(c, &target, 1, (int)argv->n - 1, (char **)argv->at + 1, false, &words,
			   NULL);
	if (r == 0) {
		r = fill_words(c, command, ctl->fill, &words);
	}
	if (r == 0) {
		r = command_check_words(c, command, &words);
	}
	if (r < 0) {
		return r;
	}
	ctl->out.list = command->lists;
	return command->run(ctl, c, &words, opts);
}

/* One command; its answer is complete before the next one's begins. */
static int
run_line(struct ctl *ctl, struct call *c, const struct pattern_line *line)
{
	struct words argv = {0};
	bool transact =
		slice_is(slice_of(line->text.at, line->first < 8 ? line->first : 8), "transact");
	struct slice text = transact ? slice_of(line->text.at, line->first) : line->text;

	ctl->exprs = NULL;
	ctl->script = transact ? patterns_script(c, line) : slice_of(NULL, 0);
	int r = line_words(c, text, &argv);
	if (r == 0) {
		r = argv.at == NULL ? call_fail(c, ERR_USAGE, "there is no command")
				    : run_words(ctl, c, &argv);
	}
	return r < 0 ? text_at(c, ctl->origin, line->line) : r;
}

/* ------------------------------------------------------------ a pattern */

static const struct pattern *
find(const struct patterns *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++) {
		if (slice_is(all->at[i].name, name)) {
			return &all->at[i];
		}
	}
	return NULL;
}

static void
say_units(struct buf *b, uint64_t halves, const char *what)
{
	buf_fmt(b, ", %lu.%d %s units", (unsigned long)(halves / 2), halves % 2 == 0 ? 0 : 5, what);
}

/* "orders: 2 requests, 12 items, 1.5 read units" */
static void
report(const struct ctl *ctl, const struct pattern *p, uint64_t items)
{
	struct meter_sums sums = meter_sums(ctl->meter);
	struct buf b;

	buf_init(&b, NULL);
	buf_fmt(&b, "%.*s: %lu request%s, %lu item%s", SLICE_ARG(p->name),
		(unsigned long)sums.requests, sums.requests == 1 ? "" : "s", (unsigned long)items,
		items == 1 ? "" : "s");
	if (sums.read_halves > 0 || sums.write_halves == 0) {
		say_units(&b, sums.read_halves, "read");
	}
	if (sums.write_halves > 0) {
		say_units(&b, sums.write_halves, "write");
	}
	ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
	buf_release(&b);
}

static int
run_lines(struct ctl *ctl, struct call *c, const struct pattern *p, uint64_t *items)
{
	int status = 0;

	for (size_t i = 0; i < p->n_lines; i++) {
		uint64_t counted = ctl->counted.count;
		int r = run_line(ctl, c, &p->lines[i]);

		/* With --count there are some, and none is printed. */
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

static int
run_pattern(struct ctl *ctl, struct call *c, const struct pattern *p, const struct words *words)
{
	struct fill fill;
	uint64_t items = 0;

	int r = patterns_values(c, p, words->at + 2, words->n - 2, &fill);
	if (r == 0 && ctl->meter == NULL) {
		ctl->meter = meter_new();
	}
	if (r == 0) {
		r = ctl_open_store(ctl, c, false);
	}
	if (r < 0) {
		return r;
	}
	ctl->fill = &fill;
	r = run_lines(ctl, c, p, &items);
	ctl->fill = NULL;
	if (r >= 0) {
		report(ctl, p, items);
	}
	return r;
}

static int
run_run(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const char *file = words->at[0];
	struct text_origin origin = {.file = strcmp(file, "-") == 0 ? NULL : file};
	struct patterns all = {0};
	struct slice text;

	(void)opts;
	int r = ctl_read_text(c, file, &text);
	if (r == 0) {
		r = patterns_parse(c, &origin, text, &all);
	}
	if (r < 0) {
		return r;
	}
	if (all.n == 0) {
		return call_fail(c, ERR_USAGE,
				 "%s has no patterns: a line of each begins with \"pattern NAME\"",
				 origin.file == NULL ? "standard input" : file);
	}
	if (words->n == 1) {
		list(ctl, c, &all);
		return 0;
	}
	const struct pattern *p = find(&all, words->at[1]);

	if (p == NULL) {
		return call_fail(c, ERR_USAGE,
				 "%s has no pattern \"%s\"; itemctl run %s lists them", file,
				 words->at[1], file);
	}
	ctl->origin = &origin;
	return run_pattern(ctl, c, p, words);
}

const struct command cmd_run = {
	.name = "run",
	.usage = "PATTERNS [NAME [PARAMETER=VALUE...]]",
	.summary = "a named access pattern of a file; without NAME list them",
	.details =
		"Requests, items and capacity are told on standard error. A file looks like this:\n"
		"  # comment\n"
		"  pattern open-orders  Open orders of a customer, newest first\n"
		"      param customer=CUSTOMER3  who ordered; this one unless another is given\n"
		"      param least:N             a number, of this total at least\n"
		"      query shop ${customer} --begins-with OPEN# --reverse\n"
		"          --filter 'Total >= ${least}'\n"
		"What belongs to a pattern is indented; deeper lines continue the one above, below\n"
		"transact they are its actions. A parameter is always a value, never syntax: in an\n"
		"expression or in JSON it becomes text in quotes, or a number. $${ stands for ${.",
	.examples = "itemctl run songs.patterns\n"
		    "itemctl run songs.patterns songs-of artist=Acme\n"
		    "itemctl run songs.patterns songs-of --capacity\n",
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.lists = true,
	.run = run_run,
};
