/* cmd_check - check */
#include <stdio.h>
#include <stdlib.h>

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
