/*
 * cmd_shell - a prompt for itemctl's commands and for PartiQL
 *
 * Each line is a process of its own: Ctrl-C ends what runs and not the prompt, nobody has to wait for a
 * store that only a prompt has open, and a command does what it does elsewhere.
 */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/ascii.h"
#include "store/base/utf8.h"
#include "store/op/op.h"

#include "tools/child.h"
#include "tools/command.h"
#include "tools/complete.h"
#include "tools/ctl.h"
#include "tools/lines.h"
#include "tools/prompt.h"
#include "tools/statements.h"
#include "tools/words.h"

enum { SHELL_STATUS_SIGNAL = 128 }; /* and the signal: as a shell has it */

struct shell {
	struct ctl *ctl;
	char self[PATH_MAX]; /* this program */
	bool terminal;
	int status; /* of the last command */
	bool ended;
};

/* What other prompts have for it. */
struct shell_word {
	const char *other;
	const char *ours; /* the command, and its words behind it; "": leave */
};

static const struct shell_word shell_words[] = {
	{"exit", ""},
	{"quit", ""},
	{".exit", ""},
	{".quit", ""},
	{"\\q", ""},
	{".tables", "tables"},
	{"\\dt", "tables"},
	{"\\d", "describe"},
	{".schema", "describe"},
	{".help", "help"},
	{"?", "help"},
	{"\\?", "help"},
	{"\\h", "help"},
	{".indexes", "describe"},
};

/* ------------------------------------------------------------ what a line is */

static struct slice
shell_word_at(struct slice line, size_t n)
{
	struct slice rest = ascii_trim(line);
	struct slice word = {0};

	for (size_t i = 0; i <= n; i++) {
		size_t end = 0;

		while (end < rest.len && !ascii_blank(rest.at[end])) {
			end++;
		}
		word = slice_of(rest.at, end);
		rest = ascii_trim(slice_skip(rest, end));
	}
	return word;
}

/* "update" and "delete" are commands, too: of a statement the next words tell. */
static bool
shell_is_statement(struct slice line)
{
	struct slice first = shell_word_at(line, 0);

	if (ascii_same(first, SLICE("select")) || ascii_same(first, SLICE("insert"))) {
		return true;
	}
	if (ascii_same(first, SLICE("delete"))) {
		return ascii_same(shell_word_at(line, 1), SLICE("from"));
	}
	return ascii_same(first, SLICE("update")) && line.at[0] != '\'' &&
	       (ascii_same(shell_word_at(line, 2), SLICE("set")) ||
		ascii_same(shell_word_at(line, 2), SLICE("remove")));
}

/* Is there a semicolon that ends something? One in quotes does not. */
static bool
shell_is_whole(struct slice text)
{
	struct statements s = {.text = text};
	struct slice one;
	struct slice trimmed = ascii_trim(text);
	size_t questions;

	while (statements_next(&s, &one, &questions)) {
		if (s.at > 0 && s.at <= text.len && text.at[s.at - 1] != ';') {
			return false;
		}
	}
	return trimmed.len > 0 && trimmed.at[trimmed.len - 1] == ';';
}

/* ------------------------------------------------------------ running it */

static void
shell_run(struct shell *sh, struct call *c, const struct words *words)
{
	const char **argv = calloc(words->n + 6, sizeof(*argv));
	size_t n = 0;
	pid_t pid;

	if (argv == NULL) {
		abort();
	}
	argv[n++] = sh->self;
	if (sh->ctl->store != NULL) {
		argv[n++] = "-s";
		argv[n++] = sh->ctl->store;
	}
	if (sh->ctl->format != OUT_AUTO) {
		argv[n++] = "--format";
		argv[n++] = out_format_name(sh->ctl->format);
	}
	memcpy(argv + n, words->at, words->n * sizeof(*argv));
	(void)fflush(stdout);
	int r = child_start(argv, NULL, &pid);

	if (r == 0 && prompt_was_interrupted()) {
		/* Ctrl-C between the end of the line and the start of the child reached only this process. */
		(void)kill(pid, SIGINT);
	}
	int status = r == 0 ? child_wait(pid) : 0;

	free(argv);
	if (r != 0) {
		r = r == E2BIG
			    ? call_fail(
				      c, ERR_USAGE,
				      "a word of over 128 KiB cannot be given to a command: put it "
				      "in a file (put TABLE FILE, sql @FILE)")
			    : call_fail(c, ERR_IO, "%s: %s", sh->self, strerrordesc_np(r));
		ctl_complain(sh->ctl, c);
	}
	sh->status = r != 0                ? error_exit((enum err) - r)
		     : WIFSIGNALED(status) ? SHELL_STATUS_SIGNAL + WTERMSIG(status)
					   : WEXITSTATUS(status);
	if (WIFSIGNALED(status) && sh->terminal) {
		(void)putchar('\n');
	}
}

static void
shell_sql(struct shell *sh, struct call *c, struct slice text)
{
	struct words words = {0};

	words_add(c, &words, "sql");
	words_add(c, &words, slice_cstr(&c->arena, text));
	shell_run(sh, c, &words);
}

/* What another prompt has for it is ours, else the word itself stays where it is. */
static struct slice
shell_translate(struct call *c, struct slice line, struct words *out)
{
	struct slice first = shell_word_at(line, 0);

	for (size_t i = 0; i < sizeof(shell_words) / sizeof(shell_words[0]); i++) {
		if (slice_is(first, shell_words[i].other)) {
			words_add(c, out, shell_words[i].ours);
			return slice_skip(line, first.len);
		}
	}
	return line;
}

static int
shell_split(struct call *c, struct slice line, struct words *out)
{
	return words_split(c, shell_translate(c, line, out), out);
}

static void
shell_command(struct shell *sh, struct call *c, struct slice line)
{
	struct words words = {0};

	if (line.len > 0 && line.at[line.len - 1] == ';') {
		line.len--;
	}
	if (shell_split(c, line, &words) < 0) {
		ctl_complain(sh->ctl, c);
		sh->status = error_exit(c->error.code);
		return;
	}
	if (words.n == 0) {
		return;
	}
	if (words.at[0][0] == '\0') {
		sh->ended = true;
		return;
	}
	if (strcmp(words.at[0], "describe") == 0 && words.n == 1) {
		words.at[0] = "tables";
	}
	shell_run(sh, c, &words);
}

/* ------------------------------------------------------------ lines */

static const char *
shell_prompt(const struct shell *sh, struct call *c, bool more)
{
	const char *store = sh->ctl->store == NULL ? "itemctl" : sh->ctl->store;
	const char *slash = strrchr(store, '/');
	struct buf b;

	buf_init(&b, &c->arena);
	buf_fmt(&b, "%s%s", slash == NULL || slash[1] == '\0' ? store : slash + 1,
		more ? ">> " : "> ");
	buf_char(&b, '\0');
	return b.at;
}

/* A statement may take several lines; what has been typed of it so far is in @text. */
static void
shell_line(struct shell *sh, struct call *c, struct buf *text, struct slice line)
{
	struct slice typed = ascii_trim(line);

	if (text->len == 0 && (typed.len == 0 || typed.at[0] == '#')) {
		return;
	}
	if (text->len == 0 && !shell_is_statement(typed)) {
		prompt_remember(typed);
		shell_command(sh, c, typed);
		return;
	}
	buf_str(text, text->len == 0 ? "" : "\n");
	buf_slice(text, line);
	if (shell_is_whole(buf_view(text))) {
		prompt_remember(buf_view(text));
		shell_sql(sh, c, buf_view(text));
		buf_clear(text);
	}
}

/* Standard input gives no more, and has not ended. */
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
	struct buf line = {0};
	struct buf text = {0};
	uint64_t number = 0;
	int r = PROMPT_LINE;

	while (!sh->ended && r < PROMPT_END) {
		struct call c;

		call_open(&c, 0, CTL_BUDGET);
		r = prompt_read(shell_prompt(sh, &c, text.len > 0), &line);
		number++;
		if (r == PROMPT_INTERRUPTED) {
			buf_clear(&text);
		} else if (r == PROMPT_LINE) {
			struct slice given = buf_view(&line);

			shell_line(sh, &c, &text, number == 1 ? utf8_past_mark(given) : given);
		} else if (r == PROMPT_FAILED) {
			(void)!shell_failed(failure, number, errno);
		} else if (text.len > 0) { /* the end of the input ends it, too */
			prompt_remember(buf_view(&text));
			shell_sql(sh, &c, buf_view(&text));
		}
		call_close(&c);
	}
	buf_release(&line);
	buf_release(&text);
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
			edited ? "" : " (libedit would make lines that can be edited)");
	}
	int r = shell_loop(&sh, c);

	prompt_close();
	return r < 0 ? r : sh.status;
}

const struct command cmd_shell = {
	.name = "shell",
	.no_dry = "--dry-run is an option of each command in the shell, not of the shell",
	.usage = "",
	.summary = "a prompt for commands and PartiQL, with history and completion",
	.details =
		"Lines are commands of itemctl, without that word, or PartiQL statements, which may take\n"
		"several lines and end with a semicolon. Habits of other prompts work, too: .tables,\n"
		".schema T, \\d T, help, exit. Ctrl-C ends a command or clears a line; Ctrl-D leaves.\n"
		"Lines from a pipe are run one after the other; the exit status is the last one's.",
	.examples = "itemctl shell\n"
		    "itemctl shell <commands.txt\n",
	.no_store = true,
	.run = run_shell,
};
