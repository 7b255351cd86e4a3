/*
 * cmd_shell - shell: a prompt for commands of itemctl and for PartiQL
 *
 * Each line is a process of its own.  So Ctrl-C ends the command and not the prompt, the prompt does not keep the store
 * open, and a command behaves as outside of the shell.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/wait.h>

#include "store/base/core/clock.h"
#include "store/base/core/utf8.h"
#include "store/engine/engine.h"

#include "tools/cli/synonyms.h"
#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/complaint.h"
#include "tools/session/complete.h"
#include "tools/session/ctl.h"
#include "tools/system/child.h"
#include "tools/system/lines.h"
#include "tools/system/no_file.h"
#include "tools/system/prompt.h"
#include "tools/text/fmt.h"
#include "tools/text/shell_words.h"
#include "tools/text/text_lines.h"
#include "tools/text/words.h"

enum {
	SHELL_READS = 20,          /* depth of files that read each other */
	SHELL_STATUS_SIGNAL = 128, /* added to the number of a signal, as in a shell */
};

struct shell {
	struct ctl *ctl;
	char self[PATH_MAX]; /* path of this program */
	bool terminal;       /* standard input is a terminal */
	int status; /* exit status of the last command; of a pipe or file, the first one that is not 0 */
	bool ended;
	const char *file; /* the file that is read; NULL: standard input */
	uint64_t line;    /* number of the last line that was read */
	uint64_t first;   /* number of the line where the statement or command begins */
	char *output;     /* file for the output of commands; heap; NULL: standard output */
	bool once;        /* @output is only for the next command */
	unsigned reading; /* depth of files that read each other */
};

/* ------------------------------------------------------------ processes */

/* Store the exit status of a command.  Without a terminal, report the line if it failed. */
static void
shell_run_ended(struct shell *sh, int status)
{
	/* On a terminal the user sees which line failed. */
	if (sh->terminal && sh->file == NULL) {
		sh->status = status;
		return;
	}
	sh->status = sh->status == 0 ? status : sh->status;
	if (status != 0) {
		ctl_note(sh->ctl, "%s%s%lu: exit status %d", sh->file == NULL ? "line" : sh->file,
			 sh->file == NULL ? " " : ":", (unsigned long)sh->first, status);
	}
}

/* Print the error of the call, and store its exit status. */
static void
shell_run_complain(struct shell *sh, struct call *c)
{
	ctl_complain(sh->ctl, c);
	shell_run_ended(sh, error_exit(c->error.code));
}

/* argv of the command: this program, store and format of the shell unless @words have their own, and @words; heap */
static const char **
shell_run_argv(const struct shell *sh, const struct words *words)
{
	static const char forms[] = "--format --csv --json --jsonl --yaml --typed --output";
	int words_n = (int)words->n;
	char **at = (char **)words->at;
	const char **argv = mem_array(const char *, words->n + 6);
	size_t n = 0;

	argv[n++] = sh->self;
	if (sh->ctl->store != NULL && !words_have(words_n, at, "-s --store --endpoint-url")) {
		argv[n++] = "-s";
		argv[n++] = sh->ctl->store;
	}
	if (sh->ctl->format != OUT_AUTO && !words_have(words_n, at, forms)) {
		argv[n++] = "--format";
		argv[n++] = out_format_name(sh->ctl->format);
	}
	memcpy(argv + n, words->at, words->n * sizeof(*argv));
	argv[n + words->n] = NULL;
	return argv;
}

/* Start the command, with its output to the file of .output if there is one.  Return: 0, or an errno */
static int
shell_run_start(struct shell *sh, const struct words *words, pid_t *pid)
{
	const char **argv = shell_run_argv(sh, words);
	cleanup(cleanup_fd) int file = -1;

	(void)fflush(stdout);
	if (sh->output != NULL) {
		file = open(sh->output, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	}
	const int fds[] = {STDIN_FILENO, file < 0 ? STDOUT_FILENO : file, STDERR_FILENO};
	int r = sh->output != NULL && file < 0 ? errno : child_start(argv, fds, CHILD_PLAIN, pid);

	free(argv);
	if (sh->once) {
		free(sh->output);
		sh->output = NULL;
		sh->once = false;
	}
	return r;
}

/* Run "itemctl WORD...", wait for its end and store its exit status.  There is at least one word. */
static void
shell_run_words(struct shell *sh, struct call *c, const struct words *words)
{
	assert(words->n > 0);
	pid_t pid = 0;
	int r = shell_run_start(sh, words, &pid);

	if (r == E2BIG) {
		(void)!call_fail(c, ERR_USAGE,
				 "a word of over 128 KiB cannot be given to a command: put it "
				 "in a file (put TABLE FILE, sql @FILE)");
	} else if (r != 0) {
		(void)!call_fail(c, ERR_IO, "%s: %s", sh->self, strerrordesc_np(r));
	}
	if (r != 0) {
		shell_run_complain(sh, c);
		return;
	}
	if (prompt_was_interrupted()) {
		/* Ctrl-C after the end of the line and before the start of the child reached only this process. */
		(void)kill(pid, SIGINT);
	}
	int status = child_wait(pid);

	if (WIFSIGNALED(status) && sh->terminal) {
		(void)putchar('\n');
	}
	shell_run_ended(sh, WIFSIGNALED(status) ? SHELL_STATUS_SIGNAL + WTERMSIG(status)
						: WEXITSTATUS(status));
}

/* Run "itemctl sql TEXT" in the same way. */
static void
shell_run_sql(struct shell *sh, struct call *c, struct slice text)
{
	struct words words = {0};

	words_add(c, &words, "sql");
	words_add(c, &words, slice_cstr(&c->arena, text));
	shell_run_words(sh, c, &words);
}

/* ------------------------------------------------------------ commands of the prompt itself */

/* .mode FORM */
static int
shell_format(struct shell *sh, struct call *c, struct slice name)
{
	const char *asked = synonyms_format(slice_cstr(&c->arena, name));
	enum out_format format = out_format_named(asked);

	if (name.len == 0) {
		ctl_note(sh->ctl, ".mode %s", out_format_name(sh->ctl->format));
	} else if (format == OUT_AUTO && strcmp(asked, out_format_name(OUT_AUTO)) != 0) {
		return call_fail(
			c, ERR_USAGE,
			".mode: there is no form %s: table, json, jsonl, csv, tsv, md, yaml, "
			"typed, auto",
			asked);
	} else {
		sh->ctl->format = format;
	}
	return 0;
}

/* .output FILE: truncate the file and write to it; without a name, or with "stdout" or "-": standard output */
static int
shell_output(struct shell *sh, struct call *c, struct slice name, bool once)
{
	int r = shell_words_file(c, &name);

	if (r < 0) {
		return r;
	}
	free(sh->output);
	sh->output = NULL;
	sh->once = once;
	if (name.len == 0 || slice_is(name, "stdout") || slice_is(name, "-")) {
		sh->once = false;
		return 0;
	}
	const char *file = slice_cstr(&c->arena, name);
	int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	if (fd < 0) {
		return no_file_made(c, file);
	}
	(void)close(fd);
	sh->output = mem_string(file);
	return 0;
}

/* USE NAME: fail, because there is no current table; explain what to type for a table and for another store. */
static int
shell_use(struct shell *sh, struct call *c, struct slice name)
{
	const struct schema *schema = NULL; /* stays NULL after an error */
	call_scope(own, clock_now_ms());
	if (sh->ctl->store != NULL && ctl_open_store(sh->ctl, &own, false) == 0) {
		(void)!ctl_schema(sh->ctl, &own, name, &schema);
		engine_close(sh->ctl->engine);
		sh->ctl->engine = NULL;
	}
	return schema != NULL
		       ? call_fail(c, ERR_USAGE, "each command names its table: scan %.*s",
				   SLICE_ARG(name))
		       : call_fail(c, ERR_USAGE,
				   "there is no table %.*s; tables lists them; for another store: "
				   "itemctl -s STORE shell",
				   SLICE_ARG(name));
}

static int shell_read(struct shell *sh, struct call *c, struct slice name);
static void shell_command(struct shell *sh, struct call *c, struct slice line);

/* Run the commands of a line, which are separated by semicolons. */
static int
shell_words(struct shell *sh, struct call *c, struct slice line)
{
	struct words words = {0};
	struct slice rest;
	int r = shell_words_split(c, line, &words, &rest);

	if (r < 0) {
		return r;
	}
	if (words.n > 0) {
		shell_run_words(sh, c, &words);
	}
	rest = ascii_trim(rest);
	if (rest.len > 0) {
		shell_command(sh, c, rest);
	}
	return 0;
}

static void
shell_command(struct shell *sh, struct call *c, struct slice line)
{
	struct slice typed = line;

	while (typed.len > 0 &&
	       (typed.at[typed.len - 1] == ';' || ascii_blank(typed.at[typed.len - 1]))) {
		typed.len--;
	}
	struct shell_meaning meaning = shell_words_meaning(c, typed);
	int r = 0;

	switch (meaning.kind) {
	case SHELL_COMMAND:
		r = shell_words(sh, c, meaning.text);
		break;
	case SHELL_LEAVE:
		sh->ended = true;
		break;
	case SHELL_FORMAT:
		r = shell_format(sh, c, meaning.text);
		break;
	case SHELL_READ:
		r = shell_read(sh, c, meaning.text);
		break;
	case SHELL_OUTPUT:
	case SHELL_ONCE:
		r = shell_output(sh, c, meaning.text, meaning.kind == SHELL_ONCE);
		break;
	case SHELL_USE:
		r = shell_use(sh, c, meaning.text);
		break;
	case SHELL_NOTE:
		ctl_note(sh->ctl, "%.*s", SLICE_ARG(meaning.text));
		break;
	case SHELL_SAY:
		r = call_fail(c, ERR_USAGE, "%.*s: %.*s", SLICE_ARG(typed),
			      SLICE_ARG(meaning.text));
		break;
	}
	if (r < 0) {
		shell_run_complain(sh, c);
	}
}

/* ------------------------------------------------------------ lines */

static const char *
shell_prompt(const struct shell *sh, struct call *c, bool more)
{
	const char *store = sh->ctl->store == NULL ? "itemctl" : sh->ctl->store;
	const char *slash = strrchr(store, '/');

	return arena_print(&c->arena, "%s%s", slash == NULL || slash[1] == '\0' ? store : slash + 1,
			   more ? ">> " : "> ");
}

/* Run the statement, which is complete, or has no semicolon at the end of the input. */
static void
shell_last(struct shell *sh, struct call *c, struct buf *text)
{
	if (text->len > 0) {
		prompt_remember(buf_view(text));
		shell_run_sql(sh, c, buf_view(text));
		buf_clear(text);
	}
}

/* Handle a line.  A statement may take several lines: @text has the earlier ones. */
static void
shell_line(struct shell *sh, struct call *c, struct buf *text, struct slice line)
{
	struct slice typed = shell_words_typed(line);

	sh->line++;
	if (slice_chr(line, '\0') != NULL) {
		ctl_note(sh->ctl, "a line with a NUL byte was not run");
		shell_run_ended(sh, 2);
		return;
	}
	if (text->len > 0 && shell_words_leaves(typed)) {
		ctl_note(sh->ctl, "the statement before it has no ; and was not run");
		sh->ended = true;
		return;
	}
	if (text->len == 0) {
		sh->first = sh->line;
		if (typed.len == 0) {
			return;
		}
		if (!shell_words_statement(typed)) {
			prompt_remember(ascii_trim(line));
			shell_command(sh, c, typed);
			return;
		}
		line = slice_skip(line, (size_t)(typed.at - line.at));
	}
	buf_str(text, text->len == 0 ? "" : "\n");
	buf_slice(text, line);
	if (shell_words_whole(buf_view(text))) {
		shell_last(sh, c, text);
	}
}

/* Run the lines of a file. */
static int
shell_read(struct shell *sh, struct call *c, struct slice name)
{
	struct slice all = {0};
	struct shell of = *sh;
	cleanup(buf_release) struct buf text = {0};
	int r = shell_words_file(c, &name);
	const char *file = slice_cstr(&c->arena, name);

	r = r < 0           ? r
	    : name.len == 0 ? call_fail(c, ERR_USAGE, ".read needs a file: .read FILE")
	    : sh->reading == SHELL_READS
		    ? call_fail(c, ERR_USAGE, "%s: files read each other more than %d deep", file,
				SHELL_READS)
		    : ctl_read_text(c, file, &all);

	if (r < 0) {
		return r;
	}
	of.file = file;
	of.line = 0;
	of.reading++;
	of.status = 0;
	for (struct text_lines lines = {.rest = all}; lines.rest.len > 0 && !of.ended;) {
		call_scope(own, 0);
		shell_line(&of, &own, &text, text_lines_next(&lines));
	}
	shell_last(&of, c, &text);
	sh->output = of.output;
	sh->once = of.once;
	shell_run_ended(sh, of.status);
	return 0;
}

/* Reading standard input failed: set the error of @c. */
static int
shell_failed(struct call *c, uint64_t line, int error)
{
	return error == EMSGSIZE ? call_fail(c, ERR_USAGE, "line %lu: over %d MiB",
					     (unsigned long)line, LINES_MAX / (1024 * 1024))
				 : call_fail(c, ERR_IO, "line %lu of standard input: %s",
					     (unsigned long)line, strerrordesc_np(error));
}

static int
shell_loop(struct shell *sh, struct call *failure)
{
	cleanup(buf_release) struct buf line = {0};
	cleanup(buf_release) struct buf text = {0};
	int r = PROMPT_LINE;

	while (!sh->ended && r < PROMPT_END) {
		call_scope(c, 0);
		r = prompt_read(shell_prompt(sh, &c, text.len > 0), &line);
		if (r == PROMPT_INTERRUPTED) {
			buf_clear(&text);
		} else if (r == PROMPT_LINE) {
			struct slice given = buf_view(&line);

			shell_line(sh, &c, &text, sh->line == 0 ? utf8_past_mark(given) : given);
		} else if (r == PROMPT_FAILED) {
			(void)!shell_failed(failure, sh->line + 1, errno);
		} else {
			shell_last(sh, &c, &text);
		}
	}
	return -(int)failure->error.code;
}

static int
run_shell(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct shell sh = {.ctl = ctl, .terminal = isatty(STDIN_FILENO)};
	ssize_t n = readlink("/proc/self/exe", sh.self, sizeof(sh.self) - 1);

	(void)words;
	(void)opts;
	if (n < 0) {
		return call_fail(c, ERR_IO, "/proc/self/exe: %m");
	}
	bool edited = prompt_open(complete_line, ctl);

	if (sh.terminal) {
		ctl_note(
			ctl,
			"commands of itemctl, or PartiQL up to a ;  help, .tables, Ctrl-D to leave%s",
			edited ? "" : " (install libedit to edit lines)");
	}
	int r = shell_loop(&sh, c);

	prompt_close();
	free(sh.output);
	if (r >= 0 && !sh.terminal && sh.line == 0) {
		ctl_note(ctl, "standard input has no command; to list the tables: itemctl tables");
	}
	return r < 0 ? r : sh.status;
}

const struct command cmd_shell = {
	.name = "shell",
	.no_dry = "--dry-run is an option of each command in the shell, not of the shell",
	.usage = "",
	.summary = "start a prompt for commands and PartiQL, with history and completion",
	.details =
		"Lines are commands of itemctl, without that word, or PartiQL statements, which may take\n"
		"several lines and end with a semicolon. Habits of other prompts work, too: .tables,\n"
		".schema T, \\d T, help, exit. .mode FORM sets the form of the answers, .output FILE and\n"
		".once FILE write them to a file, .read FILE runs the lines of a file. Ctrl-C ends a\n"
		"command or clears a line; Ctrl-D leaves. Lines from a pipe are run one after the other;\n"
		"a line that fails is named, and the exit status is that of the first one.",
	.examples = "itemctl shell\n"
		    "itemctl shell <commands.txt\n",
	.no_store = true,
	.run = run_shell,
};
