/*
 * itemctl - the command line: finds the command, opens the store, reports, ends
 *
 * The table in commands.c is the list that "itemctl help" prints.  Commands turn argv
 * into operations (cmd_*.c), out.c turns answers into text; what an operation
 * does is the engine's.
 */
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/clock.h"
#include "store/base/core/error.h"
#include "store/base/core/mem.h"
#include "store/base/system/private.h"
#include "store/base/system/stdfd.h"
#include "store/engine/engine.h"
#include "store/engine/meter.h"
#include "store/open.h"

#include "tools/advice/suggest.h"
#include "tools/aws/aws_request.h"
#include "tools/cli/commands.h"
#include "tools/cli/elsewhere.h"
#include "tools/cli/help.h"
#include "tools/cli/instead.h"
#include "tools/cli/opts.h"
#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/front.h"
#include "tools/out/out.h"
#include "tools/out/show.h"
#include "tools/phrase.h"
#include "tools/reorder.h"
#include "tools/session/command.h"
#include "tools/session/ctl.h"
#include "tools/session/dry.h"
#include "tools/session/example.h"
#include "tools/session/spending.h"
#include "tools/sql/rewrite.h"
#include "tools/system/child.h"
#include "tools/system/find_store.h"
#include "tools/system/no_file.h"
#include "tools/system/servers.h"
#include "tools/system/stop.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"
#include "tools/verbs.h"

struct global {
	const char *store;
	const char *format;
	bool quiet;
	bool stats;
	bool capacity;
	const char *rate;
	bool no_pager;
	bool yes;
	bool dry_run;
	bool help;
	bool version;
	const char *consumed; /* "NONE", else --capacity */
	const char *endpoint; /* as the AWS command line has these */
	const char *region;
	const char *profile;
};

static const struct opt global_opts[] = {
	{"store", 's', OPT_TEXT, "STORE", offsetof(struct global, store),
	 "a directory, http://HOST:PORT or dynamodb:REGION; default: $ITEMFS_STORE, the mount "
	 "that this is in, $AWS_ENDPOINT_URL_DYNAMODB, the only store here"},
	{"format", 0, OPT_TEXT, "FORM", offsetof(struct global, format), OUT_FORMATS},
	{"quiet", 'q', OPT_FLAG, NULL, offsetof(struct global, quiet), "no notes and no progress"},
	{"stats", 0, OPT_FLAG, NULL, offsetof(struct global, stats),
	 "pages, Count and ScannedCount on stderr"},
	{"capacity", 0, OPT_FLAG, NULL, offsetof(struct global, capacity),
	 "consumed capacity of each table on stderr"},
	{"rate", 0, OPT_TEXT, "N", offsetof(struct global, rate),
	 "at most N units a second at an endpoint; 25%: of a table's provisioned units"},
	{"no-pager", 0, OPT_FLAG, NULL, offsetof(struct global, no_pager),
	 "do not show long answers on a terminal in a pager"},
	{"yes", 'y', OPT_FLAG, NULL, offsetof(struct global, yes),
	 "do not ask before many items are changed"},
	{"dry-run", 0, OPT_FLAG, NULL, offsetof(struct global, dry_run),
	 "change nothing; print what would change"},
	{"help", 'h', OPT_FLAG, NULL, offsetof(struct global, help), "the same as help COMMAND"},
	{"version", 0, OPT_FLAG, NULL, offsetof(struct global, version), "name and version"},
	{"endpoint-url", 0, OPT_TEXT, "URL", offsetof(struct global, endpoint), NULL},
	{"region", 0, OPT_TEXT, "REGION", offsetof(struct global, region), NULL},
	{"profile", 0, OPT_TEXT, "NAME", offsetof(struct global, profile), NULL},
	{"return-consumed-capacity", 0, OPT_TEXT, "TOTAL", offsetof(struct global, consumed), NULL},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

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
		help_list(out, width, cmd_groups, global_opts);
		return 0;
	}
	if (strcmp(name, "aliases") == 0) {
		help_aliases(out, width, cmd_groups);
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

static const char *
of_region(struct call *c, const char *region)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "dynamodb:%s", region);
	buf_char(&b, '\0');
	return b.at;
}

/* As for the AWS command line: a profile that is named stands before keys in the environment. */
static void
take_profile(const char *profile)
{
	static const char *const keys[] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
					   "AWS_SESSION_TOKEN", "AWS_SECURITY_TOKEN",
					   "AWS_ROLE_ARN",      "AWS_WEB_IDENTITY_TOKEN_FILE"};

	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	(void)setenv("AWS_PROFILE", profile, 1);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		(void)unsetenv(keys[i]);
	}
	/* NOLINTEND(concurrency-mt-unsafe) */
}

/* The store for lines that are suggested, also before the line is understood; a password is not said again. */
static void
take_typed(struct ctl *ctl, const struct global *g, int argc, char **argv)
{
	const char *named = g->store != NULL      ? g->store
			    : g->endpoint != NULL ? g->endpoint
						  : instead_store(argc, argv);

	ctl->store_typed = named != NULL && strchr(named, '@') == NULL ? named : NULL;
}

/* -s, or what the AWS command line has for it. */
static int
take_store(struct ctl *ctl, struct call *c, const struct global *g)
{
	const char *named = g->store != NULL ? g->store : g->endpoint;

	if (g->store != NULL && g->endpoint != NULL) {
		return call_fail(c, ERR_USAGE, "give only one of -s and --endpoint-url");
	}
	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	if (g->region != NULL) {
		(void)setenv("AWS_REGION", g->region, 1);
		/* What is served is no region's: it is that of the clients. */
		named = named == NULL && ctl->command != &cmd_serve ? of_region(c, g->region)
								    : named;
	}
	if (g->profile != NULL) {
		take_profile(g->profile);
	}
	ctl->store = named == NULL ? getenv("ITEMFS_STORE") : named;
	ctl->store = named == NULL && ctl->store != NULL && *ctl->store == '\0' ? NULL : ctl->store;
	/* NOLINTEND(concurrency-mt-unsafe) */
	ctl->store_given = named != NULL;
	/* Of a region, too. */
	ctl->store_typed = named != NULL && strchr(named, '@') == NULL ? named : NULL;
	int r = ctl->store == NULL ? 0 : find_store(c, ctl->store, &ctl->store);

	if (r == 0 && g->profile != NULL && named == NULL &&
	    (ctl->store == NULL || !store_is_remote(ctl->store))) {
		ctl->store = "dynamodb:"; /* of the profile's region, or its endpoint */
		ctl->store_given = true;
	}
	return r;
}

static int
take_globals(struct ctl *ctl, struct call *c, const struct global *g)
{
	int r = take_store(ctl, c, g);

	if (r < 0) {
		return r;
	}
	ctl->quiet = g->quiet;
	ctl->stats = g->stats;
	ctl->yes = g->yes;
	ctl->dry = g->dry_run ? dry_new() : NULL;
	ctl->capacity = g->capacity || (g->consumed != NULL && strcmp(g->consumed, "NONE") != 0);
	ctl->meter = ctl->capacity ? meter_new() : NULL;
	r = spending_rate(ctl->spending, c, g->rate);
	if (r < 0) {
		return r;
	}
	if (g->format != NULL) {
		ctl->format = out_format_named(synonyms_format(g->format));
		if (ctl->format == OUT_AUTO) {
			return typed_line_no_choice(c, "--format is " OUT_FORMATS, g->format);
		}
	}
	ctl->out.sink.failed = 0;
	return 0;
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

/* An option that is another command's. */
static int
no_option(struct call *c, const struct command *command, int argc, char **argv,
	  const struct words *words, int r)
{
	struct stat st;
	struct buf b;

	buf_init(&b, &c->arena);
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

/* A backup of a store that is served here is written by the server, in its directory. */
static void
run_from_directory(struct ctl *ctl, struct call *c, const struct command *command)
{
	bool served = command == &cmd_backup && ctl->store != NULL && store_is_remote(ctl->store);
	const char *here = served ? servers_store(c, ctl->store) : NULL;

	ctl->store = here == NULL ? ctl->store : here;
}

/* Open the store that the command needs, and let it run, or be estimated. */
static int
run_in_store(struct ctl *ctl, struct call *c, const struct command *command,
	     const struct words *words, const void *opts)
{
	struct buf line;
	int r = 0;

	if (command->in_mount && words->n > 0 && !ctl->store_given) {
		const char *store = NULL;

		r = find_store_at(c, words->at[0], &store);
		ctl->store = store == NULL ? ctl->store : store;
	}
	if (r == 0 && !command->no_store) {
		r = ctl_named_store(ctl, c);
		run_from_directory(ctl, c, command);
		r = r < 0 ? r : command_check_store(c, command, ctl->store);
		r = r < 0 ? r : ctl_open_store(ctl, c, false);
		buf_init(&line, &c->arena);
		if (r < 0 && command == &cmd_sql && words->n > 0 &&
		    rewrite_sql(NULL, c, slice_from(words->at[0]), &line)) {
			ctl->advice = buf_view(&line); /* CREATE TABLE makes a store, too */
		}
	}
	if (r == 0 && ctl->estimates) {
		return cost_run(ctl, c, command, words, opts);
	}
	return r < 0 ? r : command->run(ctl, c, words, opts);
}

/* The command's own words, then the command itself. */
static int
run_command(struct ctl *ctl, struct call *c, const struct command *command,
	    struct opt_target globals, int argc, char **argv)
{
	const struct global *g = globals.into;
	void *opts = arena_alloc(&c->arena, 1, _Alignof(max_align_t), command->opts_bytes + 1);
	struct opt_target targets[] = {{command->opts, opts, NULL, 0, command->name}, globals};
	struct words words = {0};

	ctl->command = command;
	int r = opts_parse(c, targets, 2, argc, argv, false, &words, NULL);

	take_typed(ctl, g, argc, argv);
	if (r < 0 || g->version) {
		return r < 0 ? no_option(c, command, argc, argv, &words, r) : show_version(ctl);
	}
	r = take_globals(ctl, c, g);
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

/* Perhaps it is a table. */
static int
no_command(struct ctl *ctl, struct call *c, const struct global *g, int argc, char **argv, int r)
{
	const char *typed = ctl->store_typed;
	struct error error = c->error;
	struct buf b;

	buf_init(&b, &c->arena);
	c->error = (struct error){0};
	if (take_store(ctl, c, g) < 0 || !example_of_table(ctl, c, argc, argv, &b)) {
		ctl->store_typed = typed;
		c->error = error;
		return r;
	}
	return call_fail(c, ERR_USAGE, "there is no command \"%s\", but a table: %.*s", argv[0],
			 SLICE_ARG(buf_view(&b)));
}

/* The store, and options behind it, as duckdb has them: STORE -csv STATEMENT. */
static int
take_store_first(struct call *c, struct opt_target *globals, int *argc, char ***argv)
{
	static char *shell[] = {(char *)"shell", NULL};
	struct global *g = globals->into;
	int used = 0;
	int r = 0;

	if (*argc == 0) { /* of -s STORE alone */
		*argv = shell;
		*argc = 1;
	}
	if (g->store == NULL && g->endpoint == NULL) {
		g->store = front_store(c, argc, *argv);
	}
	if (*argc > 1) {
		front_table(c, g->endpoint != NULL ? &g->endpoint : &g->store, *argc, *argv);
	}
	/* options before a statement are those of sql, too */
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

/* The options before the command, also where DynamoDB Local and psql have them. */
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
		**argv = (char *)"explain"; /* as terraform has it */
	}
	return r;
}

static int
itemctl_run(struct ctl *ctl, struct call *c, int argc, char **argv)
{
	struct global g = {0};
	struct opt_target target = {global_opts, &g, NULL, 0, NULL};
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
		help_overview(&ctl->out.sink.buf, cmd_groups);
		return 0;
	}
	const char *operation;
	struct words words;

	r = take_store_first(c, &target, &argc, &argv);
	if (r < 0) {
		return r;
	}
	front_words(ctl, &argc, &argv);
	take_typed(ctl, &g, argc, argv);
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
	struct buf lines;

	if (ctl->dry != NULL && !ctl->quiet && done) {
		buf_init(&lines, NULL);
		dry_print(ctl->dry, &lines);
		show_lines(buf_view(&lines));
		buf_release(&lines);
	}
}

/* End as a program does that knows no signals, but with the store closed properly. */
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
	struct ctl ctl = {.program = argv[0], .spending = &spending};
	struct call c;

	/* NOLINTNEXTLINE(concurrency-mt-unsafe): before any thread */
	const char *store = getenv("ITEMCTL_STORE"); /* as one may guess from the program's name */

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
	spending_release(&spending);
	print_dry(&ctl, c.error.code == ERR_NONE);
	dry_free(ctl.dry);
	meter_free(ctl.meter);
	call_close(&c);
	if (stop_asked() != 0) {
		die_of(stop_asked());
	}
	return r;
}
