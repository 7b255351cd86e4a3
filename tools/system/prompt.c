/* prompt - see prompt.h; it uses libedit's interface of readline */
#include "tools/system/prompt.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/time.h>

#include "store/base/system/folder.h"

#include "tools/system/lines.h"

enum { HISTORY_MAX = 1000 }; /* lines */
enum { PROMPT_WAKE_MS = 20 };

typedef char *generator(const char *text, int state);
typedef char **attempt(const char *text, int start, int end);

/* The functions and variables of libedit */
static struct {
	void *library; /* NULL if it is not installed or not used */
	char *(*readline)(const char *);
	int (*add_history)(const char *);
	void (*using_history)(void);
	void (*stifle_history)(int);
	int (*read_history)(const char *);
	int (*write_history)(const char *);
	char **(*completion_matches)(const char *, generator *);
	attempt **attempted;
	int *attempted_over;
	const char **word_break;
	char **line_buffer;
} edit;

static struct {
	prompt_complete_fn *complete;
	void *arg;
	struct buf found; /* candidates for the word that is completed */
	size_t at;        /* offset of the next one */
	struct buf history;
	bool terminal;
} prompt;

static volatile sig_atomic_t interrupted;

/* Send SIGALRM repeatedly; 0 stops it. It interrupts a read(2) that began just after SIGINT and did not notice it. */
static void
prompt_wake_every_ms(long ms)
{
	struct itimerval timer = {
		.it_interval = {.tv_usec = ms * 1000},
		.it_value = {.tv_usec = ms * 1000},
	};

	(void)setitimer(ITIMER_REAL, &timer, NULL);
}

/* Handle SIGINT and SIGALRM, so that a read(2) that waits for a key returns. */
static void
prompt_interrupt(int signal_no)
{
	if (signal_no == SIGINT) {
		interrupted = 1;
		prompt_wake_every_ms(PROMPT_WAKE_MS);
	}
}

/* ------------------------------------------------------------ completion */

static char *
prompt_generate(const char *text, int state)
{
	size_t n = strlen(text);

	prompt.at = state == 0 ? 0 : prompt.at;
	while (prompt.at < prompt.found.len) {
		const char *candidate = prompt.found.at + prompt.at;

		prompt.at += strlen(candidate) + 1;
		if (strncmp(candidate, text, n) == 0) {
			return strdup(candidate);
		}
	}
	return NULL;
}

static char **
prompt_attempt(const char *text, int start, int end)
{
	struct slice line = slice_of(*edit.line_buffer, (size_t)start);

	(void)end;
	*edit.attempted_over = 1;
	buf_clear(&prompt.found);
	prompt.complete(prompt.arg, line, slice_from(text), &prompt.found);
	return edit.completion_matches(text, prompt_generate);
}

/* ------------------------------------------------------------ the library */

static bool
prompt_load(void)
{
	const struct {
		const char *name;
		void **to;
	} symbols[] = {
		{"readline", (void **)&edit.readline},
		{"add_history", (void **)&edit.add_history},
		{"using_history", (void **)&edit.using_history},
		{"stifle_history", (void **)&edit.stifle_history},
		{"read_history", (void **)&edit.read_history},
		{"write_history", (void **)&edit.write_history},
		{"rl_completion_matches", (void **)&edit.completion_matches},
		{"rl_attempted_completion_function", (void **)&edit.attempted},
		{"rl_attempted_completion_over", (void **)&edit.attempted_over},
		{"rl_completer_word_break_characters", (void **)&edit.word_break},
		{"rl_line_buffer", (void **)&edit.line_buffer},
	};

	/* The name on Debian, then on other systems. */
	edit.library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
	if (edit.library == NULL) {
		edit.library = dlopen("libedit.so.0", RTLD_NOW | RTLD_LOCAL);
	}
	for (size_t i = 0; edit.library != NULL && i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		*symbols[i].to = dlsym(edit.library, symbols[i].name);
		if (*symbols[i].to == NULL) {
			(void)dlclose(edit.library);
			edit.library = NULL;
		}
	}
	return edit.library != NULL;
}

/* Set the path of the history, $XDG_STATE_HOME/itemfs/history, and create private directories; empty if unknown. */
static void
prompt_find_history(void)
{
	/* NOLINTBEGIN(concurrency-mt-unsafe): nobody sets them */
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	/* NOLINTEND(concurrency-mt-unsafe) */
	struct buf *b = &prompt.history;

	if (state != NULL && *state == '/') {
		buf_fmt(b, "%s", state);
	} else if (home != NULL && *home == '/') {
		buf_fmt(b, "%s/.local/state", home);
	} else {
		return;
	}
	buf_str(b, "/itemfs/history");
	buf_char(b, '\0');
	folder_parents(b->at, 0700);
}

bool
prompt_open(prompt_complete_fn *complete, void *arg)
{
	struct sigaction action = {.sa_handler = prompt_interrupt};

	prompt.complete = complete;
	prompt.arg = arg;
	prompt.terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	if (!prompt.terminal || !prompt_load()) {
		return false;
	}
	(void)sigaction(SIGINT, &action, NULL);
	(void)sigaction(SIGALRM, &action, NULL);
	*edit.attempted = prompt_attempt;
	*edit.word_break = " \t\n\"'`(),=<>";
	prompt_find_history();
	edit.using_history();
	edit.stifle_history(HISTORY_MAX);
	if (prompt.history.len > 0) {
		(void)edit.read_history(prompt.history.at);
	}
	return true;
}

void
prompt_close(void)
{
	if (edit.library != NULL && prompt.history.len > 0) {
		(void)edit.write_history(prompt.history.at);
	}
	buf_release(&prompt.history);
	buf_release(&prompt.found);
}

/* ------------------------------------------------------------ lines */

static int
prompt_read_edited(const char *ask, struct buf *out)
{
	interrupted = 0;
	char *line = edit.readline(ask);

	prompt_wake_every_ms(0);
	if (line == NULL) {
		(void)putchar('\n');
		return interrupted ? PROMPT_INTERRUPTED : PROMPT_END;
	}
	buf_str(out, line);
	free(line);
	return interrupted ? PROMPT_INTERRUPTED : PROMPT_LINE;
}

void
prompt_remember(struct slice text)
{
	cleanup(buf_release) struct buf line = {0};

	if (edit.library == NULL || text.len == 0) {
		return;
	}
	bool comment = memmem(text.at, text.len, "--", 2) != NULL;

	/* Newlines become blanks, except after a comment, which would swallow the rest of the statement. */
	for (size_t i = 0; i < text.len; i++) {
		buf_char(&line, text.at[i] == '\n' && !comment ? ' ' : text.at[i]);
	}
	buf_char(&line, '\0');
	(void)edit.add_history(line.at);
}

bool
prompt_was_interrupted(void)
{
	return interrupted != 0;
}

int
prompt_read(const char *ask, struct buf *out)
{
	buf_clear(out);
	if (edit.library != NULL) {
		return prompt_read_edited(ask, out);
	}
	if (prompt.terminal) {
		(void)fputs(ask, stdout);
		(void)fflush(stdout);
	}
	ssize_t n = lines_read(stdin, out);

	if (n > 0) {
		out->len -= out->at[out->len - 1] == '\n';
	}
	errno = n < 0 ? (int)-n : errno;
	return n > 0 ? PROMPT_LINE : n == 0 ? PROMPT_END : PROMPT_FAILED;
}
