/*
 * itemctl - main(): finds the command, opens the store, runs the command and reports errors
 *
 * The table of commands is in tools/cmd/cmd.c.  A command turns words into operations of the engine, and
 * tools/out/out.c turns their results into text.
 */
#include <locale.h>
#include <signal.h>
#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/system/descriptors.h"
#include "store/base/system/private.h"
#include "store/engine/engine.h"
#include "store/engine/meter.h"
#include "store/open.h"

#include "tools/advice/suggest.h"
#include "tools/aws/aws_request.h"
#include "tools/cli/commands.h"
#include "tools/cli/elsewhere.h"
#include "tools/cli/help.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/front.h"
#include "tools/globals.h"
#include "tools/out/out.h"
#include "tools/out/show.h"
#include "tools/phrase.h"
#include "tools/reorder.h"
#include "tools/session/command.h"
#include "tools/session/complaint.h"
#include "tools/session/ctl.h"
#include "tools/session/dry_changes.h"
#include "tools/session/spending.h"
#include "tools/sql/rewrite.h"
#include "tools/system/child.h"
#include "tools/system/no_file.h"
#include "tools/system/servers.h"
#include "tools/system/stop.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"
#include "tools/verbs.h"

static int
show_version(struct ctl *ctl)
{
	buf_str(&ctl->out.sink.buf, "itemctl " ITEMFS_VERSION "\n");
	return 0;
}

static int
show_help(struct ctl *ctl, struct call *c, const struct global *g, const char *name)
{
	const struct command *command = NULL;
	struct buf *out = &ctl->out.sink.buf;
	size_t width = help_width(STDOUT_FILENO);

	ctl->out.sink.paged = ctl->out.sink.terminal && !g->no_pager;
	if (name == NULL || strcmp(name, "help") == 0) {
		help_list(out, width, globals_opts);
		return 0;
	}
	if (strcmp(name, "aliases") == 0) {
		help_aliases(out, width);
		return 0;
	}
	const struct topic *topic = NULL;
	int r = verbs_page(c, name, &topic, &command);

	if (r == 0 && topic != NULL) {
		help_topic(out, width, topic);
	} else if (r == 0) {
		help_command(out, width, command);
	}
	return r;
}

/* help [COMMAND] */
static int
run_help(struct ctl *ctl, struct call *c, struct opt_target globals, int argc, char **argv)
{
	const struct global *g = globals.into;
	struct words words = {0};
	int r = opts_parse(c, &globals, 1, argc, argv, false, &words, NULL);

	if (r < 0 || g->version) {
		return r < 0 ? r : show_version(ctl);
	}
	const char *name;

	r = verbs_page_name(c, &words, &name);
	return r < 0 ? r : show_help(ctl, c, g, name);
}

/* The option is unknown: say which command has it, if there is one. */
static int
no_option(struct call *c, const struct command *command, int argc, char **argv,
	  const struct words *words, int r)
{
	struct stat st;
	struct buf b = {.arena = &c->arena};

	if (strncmp(c->error.message, "unknown option", strlen("unknown option")) != 0) {
		return r;
	}
	if ((command == &cmd_serve || command == &cmd_run) && words->n > 0 &&
	    (stat(words->at[0], &st) != 0 || (command == &cmd_serve && !S_ISDIR(st.st_mode))) &&
	    no_file_behind(c, words->at[0]) < 0) {
		return -ERR_USAGE;
	}
	if (!elsewhere_option(&b, command->name, argc, argv)) {
		return r;
	}
	c->error = (struct error){0};
	return call_fail(c, ERR_USAGE, "%s has no such option: %.*s", command->name,
			 SLICE_ARG(buf_view(&b)));
}

/* For backup of a store that is served on this machine, use its directory: then the server writes the backup. */
static void
run_from_directory(struct ctl *ctl, struct call *c, const struct command *command)
{
	bool served = command == &cmd_backup && ctl->store != NULL && store_is_remote(ctl->store);
	const char *here = served ? servers_store(c, ctl->store) : NULL;

	ctl->store = here == NULL ? ctl->store : here;
}

/* Open the store if the command needs it; run the command, or estimate its cost. */
static int
run_in_store(struct ctl *ctl, struct call *c, const struct command *command,
	     const struct words *words, const void *opts)
{
	struct buf line;
	int r = 0;

	if (!command->no_store) {
		r = ctl_named_store(ctl, c);
		run_from_directory(ctl, c, command);
		r = r < 0 ? r : command_check_store(c, command, ctl->store);
		r = r < 0 ? r : ctl_open_store(ctl, c, false);
		buf_init(&line, &c->arena);
		if (r < 0 && command == &cmd_sql && words->n > 0 &&
		    rewrite_sql(NULL, c, slice_from(words->at[0]), &line)) {
			ctl->advice = buf_view(
				&line); /* the suggested create-table also creates the store */
		}
	}
	if (r == 0 && ctl->estimates) {
		return cost_run(ctl, c, command, words, opts);
	}
	return r < 0 ? r : command->run(ctl, c, words, opts);
}

/* Parse options and words of the command, and run it. */
static int
run_command(struct ctl *ctl, struct call *c, const struct command *command,
	    struct opt_target globals, int argc, char **argv)
{
	const struct global *g = globals.into;
	void *opts = opts_new(&c->arena, command->opts);
	struct opt_target targets[] = {{command->opts, opts, NULL, 0, command->name}, globals};
	struct words words = {0};

	ctl->command = command;
	int r = opts_parse(c, targets, 2, argc, argv, false, &words, NULL);

	globals_take_typed(ctl, g, argc, argv);
	if (r < 0 || g->version) {
		return r < 0 ? no_option(c, command, argc, argv, &words, r) : show_version(ctl);
	}
	r = globals_take(ctl, c, g);
	if (r < 0 || g->help) {
		return r < 0 ? r : show_help(ctl, c, g, command->name);
	}
	r = command_check_words(ctl, c, command, &words);
	if (r < 0) {
		return r;
	}
	if (ctl->dry != NULL && command->no_dry != NULL) {
		return call_fail(c, ERR_USAGE, "%s", command->no_dry);
	}
	if (ctl->meant.len > 0) {
		ctl_note(ctl, "read as: %.*s", SLICE_ARG(ctl->meant));
	}
	ctl->words = words;
	out_drop(&ctl->out);
	if (ctl->format == OUT_AUTO && !isatty(STDOUT_FILENO)) {
		ctl->format = command->piped;
	}
	out_open(&ctl->out, STDOUT_FILENO, ctl->format);
	ctl->out.list = command->lists;
	ctl->out.sink.paged = command->pages && ctl->out.sink.terminal && !g->no_pager;
	ctl->reads_input = command_reads_input(command, &words);
	return run_in_store(ctl, c, command, &words, opts);
}

/* There is no such command; say so if the word is a table. */
static int
no_command(struct ctl *ctl, struct call *c, const struct global *g, int argc, char **argv, int r)
{
	const char *typed = ctl->store_typed;
	struct error error = c->error;
	struct buf b = {.arena = &c->arena};

	c->error = (struct error){0};
	if (globals_take_store(ctl, c, g) < 0 ||
	    !command_example_of_table(ctl, c, argc, argv, &b)) {
		ctl->store_typed = typed;
		c->error = error;
		return r;
	}
	return call_fail(c, ERR_USAGE, "there is no command \"%s\", but a table: %.*s", argv[0],
			 SLICE_ARG(buf_view(&b)));
}

/* Take the store as first word, and options after it, as in duckdb: STORE -csv STATEMENT */
static int
take_store_first(struct call *c, struct opt_target *globals, int *argc, char ***argv)
{
	static char *shell[] = {(char *)"shell", NULL};
	struct global *g = globals->into;
	int used = 0;
	int r = 0;

	if (*argc == 0) { /* -s STORE alone starts the shell */
		*argv = shell;
		*argc = 1;
	}
	if (g->store == NULL && g->endpoint == NULL) {
		g->store = front_store(c, argc, *argv);
	}
	if (*argc > 1) {
		front_table(c, g->endpoint != NULL ? &g->endpoint : &g->store, *argc, *argv);
	}
	/* options before a statement may be those of sql */
	if ((*argv)[0][0] == '-' && !reorder_command(*argc + 1, *argv - 1)) {
		r = opts_parse(c, globals, 1, *argc, *argv, true, NULL, &used);
	}
	if (r == 0 && used == *argc) {
		return call_fail(c, ERR_USAGE, "there is no command after the options");
	}
	*argv += used;
	*argc -= used;
	return r;
}

/* Parse the options before the command; first change command lines of DynamoDB Local and psql to ours. */
static int
take_options(struct call *c, struct opt_target *globals, int *argc, char ***argv)
{
	int used = 0;

	reorder_java(argc, *argv);
	reorder_host(argc, *argv);
	reorder_statement(argc, *argv);
	int r = opts_parse(c, globals, 1, *argc - 1, *argv + 1, true, NULL, &used);

	if (r < 0 && reorder_command(*argc, *argv)) {
		c->error = (struct error){0};
		*(struct global *)globals->into = (struct global){0};
		globals->given = 0;
		r = 0;
		used = 0;
	}
	*argv += 1 + used;
	*argc -= 1 + used;
	if (*argc > 1 && strcmp(**argv, "plan") == 0 &&
	    (synonyms_is_statement((*argv)[1]) || commands_find((*argv)[1]) != NULL)) {
		**argv = (char *)"explain"; /* as in terraform */
	}
	return r;
}

static int
itemctl_run(struct ctl *ctl, struct call *c, int argc, char **argv)
{
	struct global g = {0};
	struct opt_target target = {globals_opts, &g, NULL, 0, NULL};
	const struct command *command = NULL;
	int r = take_options(c, &target, &argc, &argv);

	if (r < 0 || g.version) {
		return r < 0 ? r : show_version(ctl);
	}
	r = front_aws(c, &target, &argc, &argv);
	if (r < 0) {
		return r;
	}
	if (g.help && argc > 0) {
		return show_help(ctl, c, &g, argv[0]);
	}
	if (argc > 0 && verbs_is_help(argv[0])) {
		return run_help(ctl, c, target, argc - 1, argv + 1);
	}
	if (argc == 0 && g.store == NULL) {
		help_overview(&ctl->out.sink.buf);
		return 0;
	}
	const char *operation;
	struct words words;

	r = take_store_first(c, &target, &argc, &argv);
	if (r < 0) {
		return r;
	}
	front_words(ctl, &argc, &argv);
	globals_take_typed(ctl, &g, argc, argv);
	if (strcmp(argv[0], "version") == 0) {
		return show_version(ctl);
	}
	reorder_explained(c, &argc, &argv);
	phrase_join(c, &argc, &argv, &ctl->meant);
	r = aws_request(c, argc, argv, &words);
	if (r < 0 || words.n > 0) {
		return r < 0 ? r
			     : run_command(ctl, c, &cmd_call, target, (int)words.n,
					   (char **)words.at);
	}
	r = verbs_find(c, argc, argv, &command, &operation);
	if (r < 0) {
		return no_command(ctl, c, &g, argc, argv, r);
	}
	if (operation == NULL) {
		argv++;
		argc--;
	} else {
		argv[0] = (char *)operation;
	}
	return run_command(ctl, c, command, target, argc, argv);
}

static void
print_stats(const struct ctl *ctl)
{
	if (ctl->stats && ctl->counted.pages > 0) {
		(void)fprintf(stderr, "Pages: %lu  Count: %lu  ScannedCount: %lu\n",
			      (unsigned long)ctl->counted.pages, (unsigned long)ctl->counted.count,
			      (unsigned long)ctl->counted.scanned);
	}
}

static void
print_dry(const struct ctl *ctl, bool done)
{
	cleanup(buf_release) struct buf lines = {0};

	if (ctl->dry != NULL && !ctl->quiet && done) {
		dry_print(ctl->dry, &lines);
		show_lines(buf_view(&lines));
	}
}

/* End by the signal, as a program without signal handlers does.  The store is closed at this point. */
static void
die_of(int signal_no)
{
	(void)signal(signal_no, SIG_DFL);
	(void)raise(signal_no);
}

int
main(int argc, char **argv)
{
	struct spending spending = {0};
	struct ctl ctl = {.spending = &spending};
	struct call c;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *store = getenv("ITEMCTL_STORE"); /* a name that users may guess */

	/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
	(void)(store != NULL && setenv("ITEMFS_STORE", store, 0));
	commands_use(cmd_groups);
	typed_line_keep(argc, argv);
	stdfd_reserve();
	child_inherit();
	mem_few_heaps();
	private_umask();
	(void)setlocale(LC_CTYPE, ""); /* NOLINT(concurrency-mt-unsafe): before any thread */
	(void)signal(SIGPIPE, SIG_IGN);
	call_open(&c, clock_now_ms(), CALL_BUDGET);
	out_open(&ctl.out, STDOUT_FILENO, OUT_JSONL);

	int r = itemctl_run(&ctl, &c, argc, argv);
	bool quit = sink_quit(&ctl.out.sink);
	bool piped = ctl.out.sink.failed == EPIPE;

	if (r >= 0) {
		int closed = out_close(&ctl.out, &c);

		quit = sink_quit(&ctl.out.sink);
		piped = ctl.out.sink.failed == EPIPE;
		r = closed < 0 ? closed : r;
	}
	out_drop(&ctl.out);
	suggest(&ctl, &c);
	engine_close(ctl.engine);
	if (quit) {
		c.error = (struct error){0};
		r = 0;
	} else if (piped) {
		die_of(SIGPIPE);
	}
	if (c.error.code != ERR_NONE) {
		ctl_complain(&ctl, &c);
		r = error_exit(c.error.code);
	}
	print_stats(&ctl);
	spending_say(&spending, &ctl);
	meter_free(spending.meter);
	print_dry(&ctl, c.error.code == ERR_NONE);
	dry_free(ctl.dry);
	meter_free(ctl.meter);
	call_close(&c);
	if (stop_asked() != 0) {
		die_of(stop_asked());
	}
	return r;
}
