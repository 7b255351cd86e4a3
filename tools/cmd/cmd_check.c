/* cmd_check - check: searches a store or a backup for damage, and repairs a store */
#include "store/engine/engine.h"
#include "store/open.h"

#include "tools/cli/elsewhere.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/progress.h"
#include "tools/system/scratch_store.h"
#include "tools/system/stop.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

struct check_opts {
	bool repair;
};

static const struct opt check_opts[] = {
	{"repair", 0, OPT_FLAG, NULL, offsetof(struct check_opts, repair),
	 "repair problems; unreadable data is moved to STORE/damaged/"},
	OPTS_END(struct check_opts),
};

struct checked {
	uint64_t items;
	uint64_t entries;
	uint64_t problems;
	uint64_t repaired;
	uint64_t looked; /* keys that were checked */
	uint64_t total;  /* all keys, as far as they are known */
};

static void
print_problem(struct ctl *ctl, struct slice problem)
{
	struct attr attr = {.name = SLICE("Problem"), .value = value_string(problem)};

	(void)out_item(&ctl->out, &(struct item){.at = &attr, .n = 1});
}

/* A predicate for struct call: a signal ends the page, in this process immediately, in a server soon after. */
static bool
is_stopped(const void *asker)
{
	(void)asker;
	return stop_asked() != 0;
}

/* Check one page in a call of its own.  @next: heap; where the page begins, then the next one */
static int
check_page(struct ctl *ctl, struct call *c, bool repair, struct buf *next, struct checked *sum)
{
	struct check_in in = {.next = buf_view(next), .repair = repair};
	struct check_out answer = {0};

	call_scope(own, c->now_ms);
	own.given_up = is_stopped;
	int r = engine_check(ctl->engine, &own, &in, &answer);

	if (r == 0) {
		sum->items += answer.items;
		sum->entries += answer.entries;
		sum->problems += answer.n_problems;
		sum->repaired += answer.repaired;
		sum->looked += answer.looked;
		sum->total += answer.ahead;
		for (size_t i = 0; i < answer.n_problems; i++) {
			print_problem(ctl, answer.problems[i]);
		}
		buf_clear(next);
		buf_slice(next, answer.next);
	} else {
		r = stop_check(c);
		r = r < 0 ? r : ctl_adopt(c, &own);
	}
	return r;
}

/* Check all pages.  Ctrl-C ends this between two pages, when the store is consistent. */
static int
check_pages(struct ctl *ctl, struct call *c, bool repair, struct checked *sum)
{
	struct progress progress;
	cleanup(buf_release) struct buf next = {0};
	int r;

	stop_listen();
	progress_begin(&progress, ctl->quiet, 0);
	progress.what = "records";
	do {
		r = stop_check(c);
		r = r < 0 ? r : check_page(ctl, c, repair, &next, sum);
		progress.total_items = sum->total;
		progress_show(&progress, sum->looked, 0);
	} while (r == 0 && next.len > 0);
	progress_end(&progress);
	return r;
}

static const char *
plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static int
check_store(struct ctl *ctl, struct call *c, const struct check_opts *o)
{
	struct checked sum = {0};
	int r = check_pages(ctl, c, o->repair, &sum);
	uint64_t left = sum.problems - sum.repaired;

	if (sum.repaired > 0) {
		ctl_note(ctl, "%lu problem%s repaired", (unsigned long)sum.repaired,
			 plural(sum.repaired));
	}
	if (r < 0 || left > 0) {
		/* Write the problems now: main() drops unwritten output after an error. */
		int closed = out_close(&ctl->out, c);

		r = r < 0 ? r : closed;
	}
	if (r < 0 && stop_asked() != 0 && sum.looked > 0) {
		ctl_note(ctl, "%lu of about %lu records had been checked",
			 (unsigned long)sum.looked, (unsigned long)sum.total);
	}
	if (r < 0) {
		return r;
	}
	ctl_note(ctl, "%lu item%s and %lu index entr%s checked", (unsigned long)sum.items,
		 plural(sum.items), (unsigned long)sum.entries, sum.entries == 1 ? "y" : "ies");
	if (left > 0) {
		return call_fail(c, ERR_CORRUPT, "%s %lu problem%s",
				 o->repair ? "cannot repair" : "the store has", (unsigned long)left,
				 plural(left));
	}
	return 0;
}

/* Check a backup: restore it to a temporary store beside it. */
static int
check_backup(struct ctl *ctl, struct call *c, const char *dir, const struct check_opts *o)
{
	const char *const words[] = {"--", dir, NULL};
	const char *slash = strrchr(dir, '/');
	struct scratch scratch = {0};
	int r = o->repair ? call_fail(c, ERR_USAGE, "--repair is for a store, and %s is a backup",
				      dir)
			  : scratch_make(
				    c, &scratch,
				    slash == NULL
					    ? "."
					    : slice_cstr(&c->arena,
							 slice_of(dir, (size_t)(slash + 1 - dir))));

	if (r < 0) {
		return r;
	}
	struct ctl to = ctl_of_store(ctl, scratch.at.path);

	to.quiet = true;
	r = command_run(&to, c, &cmd_restore, words);
	r = r < 0 ? r : ctl_open_store(&to, c, false);
	ctl->engine = to.engine;
	r = r < 0 ? r : check_store(ctl, c, o);
	engine_close(to.engine);
	ctl->engine = NULL;
	scratch_remove(&scratch);
	return r;
}

static int
run_check(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const char *dir = words->n > 0 ? words->at[0] : ctl->store;
	struct buf b = {.arena = &c->arena};

	if (dir != NULL && !store_is_remote(dir) && find_store_has(dir, "BACKUP")) {
		return check_backup(ctl, c, dir, opts);
	}
	const char *dot = dir != NULL ? strrchr(dir, '.') : NULL;

	if (words->n > 0 && dir != NULL && access(dir, F_OK) != 0 &&
	    (dot == NULL || !words_in(".txt .json .yaml .yml", slice_from(dot)))) {
		const char *meant = no_file_meant(c, dir);

		if ((meant != NULL && find_store_has(meant, "BACKUP")) ||
		    !typed_line_words(&b, slice_from(dir), SLICE(""))) {
			return no_file(c, dir);
		}
		return call_fail(c, ERR_USAGE,
				 "%s does not exist; the word names a backup. To check the store: "
				 "%.*s",
				 dir, SLICE_ARG(buf_view(&b)));
	}
	if (words->n > 0) {
		bool known = elsewhere_word(&b, "check", words, 0);

		return call_fail(c, ERR_USAGE, "%s is not a backup: it has no file BACKUP%s%.*s",
				 dir, known ? ": " : "", SLICE_ARG(buf_view(&b)));
	}
	int r = ctl_named_store(ctl, c);

	r = r < 0 ? r : command_check_store(c, &cmd_check, ctl->store);
	r = r < 0 ? r : ctl_open_store(ctl, c, false);
	return r < 0 ? r : check_store(ctl, c, opts);
}

const struct command cmd_check = {
	.name = "check",
	.at_home = "to check access patterns: itemctl run FILE --all; to compare tables: itemctl "
		   "diff A B",
	.usage = "[BACKUP] [--repair]",
	.summary = "verify index entries, items and counts; repair them",
	.details =
		"Problems go to standard output, one per line; the exit status is 70 if there are any.\n"
		"With --repair each line ends with what was done; the exit status is 70 if a problem\n"
		"remains. Nothing is lost: unreadable data and index entries without an item are moved\n"
		"to a file in STORE/damaged/. The store may be mounted, served and written meanwhile. If\n"
		"a file is damaged, check continues and reports how many items can still be read. A\n"
		"BACKUP is checked by restoring it to a temporary store beside it.",
	.examples = "itemctl check\n"
		    "itemctl check monday\n"
		    "itemctl check --repair\n",
	.opts = check_opts,
	.max_words = 1,
	.no_store = true,
	.lists = true,
	.run = run_check,
};
