/*
 * itemctl - the command line: finds the command, opens the store, reports, ends
 *
 * The table below is the list that "itemctl help" prints.  Commands turn argv
 * into operations (cmd_*.c), out.c turns answers into text; what an operation
 * does is the engine's.
 */
#include <assert.h>
#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "store/base/clock.h"
#include "store/base/mem.h"
#include "store/base/private.h"
#include "store/base/stdfd.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/find_store.h"
#include "tools/help.h"
#include "tools/near.h"
#include "tools/stop.h"
#include "tools/suggest.h"
#include "tools/synonyms.h"

static const struct command *const commands[] = {
	/* tables */
	&cmd_create_table, &cmd_tables, &cmd_describe, &cmd_alter, &cmd_drop,
	/* items and queries */
	&cmd_put, &cmd_get, &cmd_update, &cmd_delete, &cmd_query, &cmd_scan, &cmd_sql,
	&cmd_transact, &cmd_run, &cmd_call,
	/* moving data, looking after a store */
	&cmd_import, &cmd_export, &cmd_copy, &cmd_backup, &cmd_restore, &cmd_shards, &cmd_sweep,
	&cmd_serve, &cmd_why, &cmd_check, &cmd_tail, &cmd_size, &cmd_stats, &cmd_compact, &cmd_draw,
	NULL};

struct global {
	const char *store;
	const char *format;
	bool quiet;
	bool stats;
	bool capacity;
	bool help;
	bool version;
	const char *endpoint; /* as the AWS command line has these */
	const char *region;
	const char *profile;
};

static const struct opt global_opts[] = {
	{"store", 's', OPT_TEXT, "STORE", offsetof(struct global, store),
	 "a directory, http://HOST:PORT or dynamodb:REGION; default: $ITEMFS_STORE"},
	{"format", 0, OPT_TEXT, "FORM", offsetof(struct global, format),
	 "jsonl, json, typed, csv or table"},
	{"quiet", 'q', OPT_FLAG, NULL, offsetof(struct global, quiet), "no notes, no progress"},
	{"stats", 0, OPT_FLAG, NULL, offsetof(struct global, stats),
	 "pages, Count and ScannedCount on stderr"},
	{"capacity", 0, OPT_FLAG, NULL, offsetof(struct global, capacity),
	 "consumed capacity of each table on stderr"},
	{"help", 'h', OPT_FLAG, NULL, offsetof(struct global, help), "the same as help COMMAND"},
	{"version", 0, OPT_FLAG, NULL, offsetof(struct global, version), "name and version"},
	{"endpoint-url", 0, OPT_TEXT, "URL", offsetof(struct global, endpoint), NULL},
	{"region", 0, OPT_TEXT, "REGION", offsetof(struct global, region), NULL},
	{"profile", 0, OPT_TEXT, "NAME", offsetof(struct global, profile), NULL},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

static const struct command *
command_named(const char *name)
{
	for (size_t i = 0; commands[i] != NULL; i++) {
		if (strcmp(commands[i]->name, name) == 0) {
			return commands[i];
		}
	}
	return NULL;
}

static int
no_command(struct call *c, const char *name)
{
	struct near near = near_start(slice_from(name));
	struct buf b;

	if (strcmp(name, "mount") == 0) {
		return call_fail(c, ERR_USAGE, "a store is mounted with: itemfs STORE DIR");
	}
	for (size_t i = 0; commands[i] != NULL; i++) {
		near_try(&near, slice_from(commands[i]->name));
	}
	buf_init(&b, &c->arena);
	near_put(&b, &near, "itemctl ");
	return call_fail(c, ERR_USAGE, "there is no command \"%s\"%.*s%s", name,
			 SLICE_ARG(buf_view(&b)), near.best.len == 0 ? "; see itemctl help" : "");
}

/* @operation: what the command is to be given first: an operation that has no command, a statement; else NULL */
static int
find_command(struct call *c, const char *name, const struct command **out, const char **operation)
{
	const char *other = synonyms_command(name);

	if (synonyms_is_statement(name)) {
		*out = &cmd_sql;
		*operation = name;
		return 0;
	}
	*operation = NULL;
	*out = command_named(other == NULL ? name : other);
	if (*out != NULL) {
		return 0;
	}
	enum op_type type = synonyms_operation(name);

	if (type == OP_COUNT) {
		return no_command(c, name);
	}
	other = synonyms_of_operation(type);
	*operation = other == NULL ? op_name(type) : NULL;
	*out = other == NULL ? &cmd_call : command_named(other);
	assert(*out != NULL);
	return 0;
}

/* count and ls: of the tables, of a table, of a partition. */
static int
find_by_words(struct call *c, int argc, char **argv, const struct command **out,
	      const char **operation)
{
	bool counts = strcmp(argv[0], "count") == 0;
	bool table = argc > 1 && argv[1][0] != '-';
	bool key = table && argc > 2 && argv[2][0] != '-';

	if (!counts && (strcmp(argv[0], "ls") != 0 || !table)) {
		return find_command(c, argv[0], out, operation);
	}
	*out = key ? &cmd_query : &cmd_scan;
	*operation = counts ? "--count" : NULL;
	return 0;
}

static int
show_version(struct ctl *ctl)
{
	buf_str(&ctl->out.sink.buf, "itemctl " ITEMFS_VERSION "\n");
	return 0;
}

static int
show_help(struct ctl *ctl, struct call *c, const char *name)
{
	const struct command *command = NULL;

	if (name == NULL || strcmp(name, "help") == 0) {
		help_list(&ctl->out.sink.buf, commands, global_opts);
		return 0;
	}
	const char *operation;
	int r = find_command(c, name, &command, &operation);
	if (r == 0) {
		help_command(&ctl->out.sink.buf, command);
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

/* -s, or what the AWS command line has for it. */
static int
take_store(struct ctl *ctl, struct call *c, const struct global *g)
{
	const char *named = g->store != NULL ? g->store : g->endpoint;

	if (g->store != NULL && g->endpoint != NULL) {
		return call_fail(c, ERR_USAGE, "-s and --endpoint-url: one of them");
	}
	/* NOLINTBEGIN(concurrency-mt-unsafe): before any thread */
	if (g->region != NULL) {
		(void)setenv("AWS_REGION", g->region, 1);
		named = named == NULL ? of_region(c, g->region) : named;
	}
	if (g->profile != NULL) {
		(void)setenv("AWS_PROFILE", g->profile, 1);
	}
	ctl->store = named == NULL ? getenv("ITEMFS_STORE") : named;
	/* NOLINTEND(concurrency-mt-unsafe) */
	ctl->store_given = named != NULL;
	return ctl->store == NULL ? 0 : find_store(c, ctl->store, &ctl->store);
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
	ctl->capacity = g->capacity;
	ctl->meter = g->capacity ? meter_new() : NULL;
	if (g->format != NULL) {
		ctl->format = out_format_named(g->format);
		if (ctl->format == OUT_AUTO) {
			return call_fail(c, ERR_USAGE,
					 "--format is jsonl, json, typed, csv or table, not \"%s\"",
					 g->format);
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
	if (words.n > 1) {
		return call_fail(c, ERR_USAGE,
				 "help: too many words; it is written: itemctl help [COMMAND]");
	}
	return show_help(ctl, c, words.n == 0 ? NULL : words.at[0]);
}

/* The command's own words, then the command itself. */
static int
run_command(struct ctl *ctl, struct call *c, const struct command *command,
	    struct opt_target globals, int argc, char **argv)
{
	const struct global *g = globals.into;
	void *opts = arena_alloc(&c->arena, 1, _Alignof(max_align_t), command->opts_bytes + 1);
	struct opt_target targets[] = {{command->opts, opts, NULL, 0}, globals};
	struct words words = {0};

	ctl->command = command;
	int r = opts_parse(c, targets, 2, argc, argv, false, &words, NULL);
	if (r < 0 || g->version) {
		return r < 0 ? r : show_version(ctl);
	}
	r = take_globals(ctl, c, g);
	if (r < 0 || g->help) {
		return r < 0 ? r : show_help(ctl, c, command->name);
	}
	r = command_check_words(c, command, &words);
	if (r < 0) {
		return r;
	}
	ctl->words = words;
	out_drop(&ctl->out);
	out_open(&ctl->out, STDOUT_FILENO, ctl->format);
	ctl->out.list = command->lists;
	ctl->reads_input = command_reads_input(command, &words);
	if (!command->no_store) {
		r = ctl_open_store(ctl, c, false);
	}
	return r < 0 ? r : command->run(ctl, c, &words, opts);
}

static int
run(struct ctl *ctl, struct call *c, int argc, char **argv)
{
	struct global g = {0};
	struct opt_target target = {global_opts, &g, NULL, 0};
	const struct command *command = NULL;
	int used = 0;

	int r = opts_parse(c, &target, 1, argc - 1, argv + 1, true, NULL, &used);
	if (r < 0) {
		return r;
	}
	if (g.version) {
		return show_version(ctl);
	}
	argv += 1 + used;
	argc -= 1 + used;
	if (g.help) {
		return show_help(ctl, c, argc > 0 ? argv[0] : NULL);
	}
	if (argc > 0 && strcmp(argv[0], "help") == 0) {
		return run_help(ctl, c, target, argc - 1, argv + 1);
	}
	if (argc == 0) {
		return show_help(ctl, c, NULL);
	}
	const char *operation;

	r = find_by_words(c, argc, argv, &command, &operation);
	if (r < 0) {
		return r;
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
print_capacity(const struct ctl *ctl)
{
	struct buf lines;

	if (ctl->capacity && ctl->meter != NULL) {
		buf_init(&lines, NULL);
		meter_print(ctl->meter, &lines);
		ctl_show(buf_view(&lines));
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
	struct ctl ctl = {.program = argv[0]};
	struct call c;

	stdfd_reserve();
	mem_few_heaps();
	private_umask();
	(void)setlocale(LC_CTYPE, ""); /* NOLINT(concurrency-mt-unsafe): before any thread */
	(void)signal(SIGPIPE, SIG_IGN);
	call_open(&c, clock_now_ms(), CTL_BUDGET);
	out_open(&ctl.out, STDOUT_FILENO, OUT_JSONL);

	int r = run(&ctl, &c, argc, argv);
	bool piped = ctl.out.sink.failed == EPIPE;

	if (r >= 0) {
		int closed = out_close(&ctl.out, &c);

		piped = ctl.out.sink.failed == EPIPE;
		r = closed < 0 ? closed : r;
	}
	out_drop(&ctl.out);
	suggest(&ctl, &c);
	engine_close(ctl.engine);
	if (piped) {
		die_of(SIGPIPE);
	}
	if (c.error.code != ERR_NONE) {
		ctl_complain(&ctl, &c);
		r = error_exit(c.error.code);
	}
	print_stats(&ctl);
	print_capacity(&ctl);
	meter_free(ctl.meter);
	call_close(&c);
	if (stop_asked() != 0) {
		die_of(stop_asked());
	}
	return r;
}
