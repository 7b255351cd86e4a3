/*
 * cmd_run - run: named access patterns of a file
 *
 *   file -> patterns.c -> values -> pattern_run.c; with --all pattern_run.c, too
 *
 * The engine is metered, so that the cost of a pattern can be reported at the end.
 */
#include "store/base/text/shell_word.h"
#include "store/engine/meter.h"

#include "tools/cmd/cmd.h"
#include "tools/explain/explain_requests.h"
#include "tools/out/out.h"
#include "tools/patterns/pattern_run.h"
#include "tools/patterns/patterns.h"
#include "tools/session/ctl.h"
#include "tools/system/no_file.h"
#include "tools/text/words.h"

struct run_opts {
	bool all;
	struct explain_opts explain;
};

static const struct opt run_opts[] = {
	{"all", 0, OPT_FLAG, NULL, offsetof(struct run_opts, all),
	 "run every pattern with its own values, and check its expect lines"},
	EXPLAIN_ROWS(offsetof(struct run_opts, explain)),
	OPTS_END(struct run_opts),
};

/* ------------------------------------------------------------ the list */

/* The parameters as they are typed, with their defaults */
static struct value
parameter_list(struct call *c, const struct pattern *p)
{
	struct buf text = {.arena = &c->arena};

	for (size_t i = 0; i < p->n_params; i++) {
		const struct pattern_param *param = &p->params[i];

		buf_fmt(&text, "%s%.*s", i == 0 ? "" : " ", SLICE_ARG(param->name));
		if (param->has_preset) {
			buf_char(&text, '=');
			shell_word(&text, param->preset);
		}
	}
	return value_string(buf_view(&text));
}

static void
cmd_run_list(struct ctl *ctl, struct call *c, const struct patterns *all)
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

/* ------------------------------------------------------------ a pattern */

static const struct pattern *
cmd_run_find(const struct patterns *all, const char *name)
{
	for (size_t i = 0; i < all->n; i++) {
		if (slice_is(all->at[i].name, name)) {
			return &all->at[i];
		}
	}
	return NULL;
}

/* Note "orders: 2 requests, 12 items, 1.5 read units". */
static void
cmd_run_report(const struct ctl *ctl, const struct pattern *p, uint64_t items)
{
	struct meter_sums sums = meter_sums(ctl->meter);
	cleanup(buf_release) struct buf b = {0};

	buf_fmt(&b, "%.*s: %lu request%s, %lu item%s", SLICE_ARG(p->name),
		(unsigned long)sums.requests, sums.requests == 1 ? "" : "s", (unsigned long)items,
		items == 1 ? "" : "s");
	pattern_run_cost(&b, &sums);
	ctl_note(ctl, "%.*s", SLICE_ARG(buf_view(&b)));
}

/* Refuse values without names, as in "run FILE by-genre Crime"; suggest the line with the names in order. */
static int
check_named(struct call *c, const struct pattern *p, const struct words *words)
{
	bool all = true;
	size_t next = 0;
	struct buf line = {.arena = &c->arena};

	buf_str(&line, "itemctl run ");
	shell_word(&line, slice_from(words->at[0]));
	buf_fmt(&line, " %.*s", SLICE_ARG(p->name));
	for (size_t i = 2; i < words->n; i++) {
		struct buf word = {.arena = &c->arena};
		bool named = strchr(words->at[i], '=') != NULL;

		if (!named && next < p->n_params) {
			buf_fmt(&word, "%.*s=", SLICE_ARG(p->params[next].name));
		}
		buf_str(&word, words->at[i]);
		buf_char(&line, ' ');
		shell_word(&line, buf_view(&word));
		all = all && named;
		next += !named;
	}
	if (all) {
		return 0;
	}
	return next > p->n_params ? call_fail(c, ERR_USAGE, "%.*s has %zu parameter%s, not %zu",
					      SLICE_ARG(p->name), p->n_params,
					      p->n_params == 1 ? "" : "s", next)
				  : call_fail(c, ERR_USAGE, "give parameters as NAME=VALUE: %.*s",
					      SLICE_ARG(buf_view(&line)));
}

static int
run_pattern(struct ctl *ctl, struct call *c, const struct pattern *p, const struct words *words,
	    const struct explain_opts *o)
{
	struct explaining e = {0};
	struct fill fill;
	uint64_t items = 0;

	int r = check_named(c, p, words);

	r = r < 0 ? r : patterns_values(c, p, words->at + 2, words->n - 2, &fill);
	r = r < 0 ? r : pattern_run_store(ctl, c);
	if (r == 0 && o->explain) {
		r = explain_begin(ctl, c, o, &e);
		return r < 0 ? r : explain_end(ctl, c, &e, pattern_run(ctl, c, p, &fill, &items));
	}
	r = r < 0 ? r : pattern_run(ctl, c, p, &fill, &items);
	if (r >= 0) {
		cmd_run_report(ctl, p, items);
	}
	return r;
}

static int
cmd_run_check_options(struct call *c, const struct run_opts *o, const struct words *words)
{
	if (o->all && words->n > 1) {
		return call_fail(c, ERR_USAGE,
				 "--all runs every pattern, with the values that the file has: "
				 "itemctl run %s --all, or itemctl run %s %s",
				 words->at[0], words->at[0], words->at[1]);
	}
	if (o->explain.explain && words->n == 1) {
		return call_fail(c, ERR_USAGE,
				 "--explain needs a pattern's name: itemctl run %s NAME --explain",
				 words->at[0]);
	}
	return explain_check(c, &o->explain);
}

static int
run_run(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct run_opts *o = opts;
	const char *file = words->at[0];
	struct text_origin *origin = arena_new(&c->arena, struct text_origin, 1);
	struct patterns all = {0};
	struct slice text;

	origin->file = strcmp(file, "-") == 0 ? NULL : file;
	int r = cmd_run_check_options(c, o, words);
	if (r == 0 && access(file, F_OK) != 0) {
		r = no_file_behind(c, file);
	}
	r = r < 0 ? r : ctl_read_text(c, file, &text);
	r = r < 0 ? r : patterns_parse(c, origin, text, &all);
	if (r < 0) {
		return r;
	}
	ctl->origin = origin;
	if (o->all) {
		return pattern_check(ctl, c, &all);
	}
	if (words->n == 1) {
		cmd_run_list(ctl, c, &all);
		return 0;
	}
	const struct pattern *p = cmd_run_find(&all, words->at[1]);

	if (p == NULL) {
		return call_fail(c, ERR_USAGE,
				 "%s has no pattern \"%s\"; itemctl run %s lists them", file,
				 words->at[1], file);
	}
	return run_pattern(ctl, c, p, words, &o->explain);
}

const struct command cmd_run = {
	.name = "run",
	.usage = "PATTERNS [NAME [PARAMETER=VALUE...] [--explain]]\n"
		 "PATTERNS --all",
	.summary = "run a named access pattern of a file; without NAME list them",
	.details =
		"Requests, items and capacity are printed on standard error. A file looks like this:\n"
		"  # comment\n"
		"  pattern open-orders  Open orders of a customer, newest first\n"
		"      param customer=CUSTOMER3  the customer; this is the default value\n"
		"      param least:N             a number, the lowest total\n"
		"      query shop ${customer} --begins-with OPEN# --reverse\n"
		"          --filter 'Total >= ${least}'\n"
		"The lines of a pattern are indented; deeper lines continue the line above, or are the\n"
		"actions of a transact. A parameter is always a value, never syntax: in an expression or\n"
		"in JSON it becomes quoted text or a number. $${ stands for ${.\n"
		"\n"
		"--all is a check for CI: the exit status is 1 if a pattern does not meet its expect\n"
		"lines:\n"
		"  expect with customer=CUSTOMER3, 2 items, at most 1 unit, no Scan",
	.opts = run_opts,
	.examples = "itemctl run songs.patterns\n"
		    "itemctl run songs.patterns songs-of artist=Acme\n"
		    "itemctl run songs.patterns songs-of --capacity\n"
		    "itemctl run songs.patterns --all\n",
	.min_words = 1,
	.max_words = SIZE_MAX,
	.no_store = true,
	.pages = true,
	.lists = true,
	.run = run_run,
};
