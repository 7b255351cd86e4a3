/* cmd_check - check, why */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/progress.h"

/* ------------------------------------------------------------ check */

static const struct opt check_opts[] = {
	{"repair", 0, OPT_LATER, NULL, 0, "rebuild what can be rebuilt (not yet supported)"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

struct checked {
	uint64_t items;
	uint64_t entries;
	uint64_t problems;
};

static void
print_problem(struct ctl *ctl, struct slice problem)
{
	struct attr attr = {.name = SLICE("Problem"), .value = value_string(problem)};

	(void)out_item(&ctl->out, &(struct item){.at = &attr, .n = 1});
}

/* One page in a call of its own; @next is a heap buffer that outlives it. */
static int
check_page(struct ctl *ctl, struct call *c, struct buf *next, struct checked *sum)
{
	struct check_in in = {.next = buf_view(next)};
	struct check_out answer = {0};
	struct call own;

	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_check(ctl->engine, &own, &in, &answer);

	if (r == 0) {
		sum->items += answer.items;
		sum->entries += answer.entries;
		sum->problems += answer.n_problems;
		for (size_t i = 0; i < answer.n_problems; i++) {
			print_problem(ctl, answer.problems[i]);
		}
		buf_clear(next);
		buf_slice(next, answer.next);
	} else {
		r = ctl_adopt(c, &own);
	}
	call_close(&own);
	return r;
}

static int
run_check(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct checked sum = {0};
	struct progress progress;
	struct buf next;
	int r = 0;

	(void)words;
	(void)opts;
	buf_init(&next, NULL);
	progress_begin(&progress, ctl->quiet, 0);
	do {
		r = check_page(ctl, c, &next, &sum);
		progress_show(&progress, sum.items + sum.entries, 0);
	} while (r == 0 && next.len > 0);
	progress_end(&progress);
	buf_release(&next);
	if (r < 0) {
		return r;
	}
	ctl_note(ctl, "%lu items and %lu index entries looked at", (unsigned long)sum.items,
		 (unsigned long)sum.entries);
	if (sum.problems > 0) {
		return call_fail(c, ERR_CORRUPT, "the store has %lu problem%s",
				 (unsigned long)sum.problems, sum.problems == 1 ? "" : "s");
	}
	return 0;
}

const struct command cmd_check = {
	.name = "check",
	.usage = "",
	.summary = "is every index entry backed by its item, and every count right?",
	.details = "Problems go to standard output, one a line; exit status 70 when there are any.",
	.opts = check_opts,
	.run = run_check,
};

/* ------------------------------------------------------------ why */

/* The path as the mount knows it: absolute, its directory without symbolic links. */
static void
absolute(struct call *c, const char *path, struct slice *out)
{
	const char *slash = strrchr(path, '/');
	const char *dir = slash == NULL ? "." : slash == path ? "/" : NULL;
	const char *name = slash == NULL ? path : slash + 1;
	char real[PATH_MAX];
	struct buf b;

	if (dir == NULL) {
		dir = slice_cstr(&c->arena, slice_of(path, (size_t)(slash - path)));
	}
	if (*name == '\0' || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		dir = path;
		name = "";
	}
	if (realpath(dir, real) == NULL) {
		*out = slice_from(path); /* a directory that is gone: as it was typed */
		return;
	}
	buf_init(&b, &c->arena);
	buf_str(&b, strcmp(real, "/") == 0 ? "" : real);
	if (*name != '\0') {
		buf_char(&b, '/');
		buf_str(&b, name);
	}
	*out = buf_view(&b);
}

static int
run_why(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct refused_in in = {0};
	struct refused_out answer = {0};
	struct call own;

	(void)opts;
	if (words->n > 0) {
		absolute(c, words->at[0], &in.path);
	}
	call_open(&own, c->now_ms, CTL_BUDGET);
	int r = engine_refused(ctl->engine, &own, &in, &answer);
	if (r == -ERR_NOT_SUPPORTED || r == -ERR_UNKNOWN_OPERATION) {
		r = 0; /* nobody has it mounted, so nothing was refused */
	}
	for (size_t i = 0; r == 0 && i < answer.n_lines; i++) {
		(void)sink_put(&ctl->out.sink, answer.lines[i]);
		(void)sink_put(&ctl->out.sink, SLICE("\n"));
	}
	ctl->out.format = OUT_JSONL; /* lines of text, whatever the form */
	if (r < 0) {
		r = ctl_adopt(c, &own);
	} else if (answer.n_lines == 0) {
		ctl_note(ctl, "nothing was refused");
		r = words->n == 0 ? 0 : 1;
	}
	call_close(&own);
	return r;
}

const struct command cmd_why = {
	.name = "why",
	.usage = "[PATH]",
	.summary = "the last refused operations of the store's mounts, or of one path",
	.max_words = 1,
	.run = run_why,
};
