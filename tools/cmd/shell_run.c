/* shell_run - see shell_run.h */
#include "tools/cmd/shell_run.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/error.h"
#include "store/base/core/mem.h"

#include "tools/out/out.h"
#include "tools/session/complaint.h"
#include "tools/session/ctl.h"
#include "tools/system/child.h"
#include "tools/system/prompt.h"
#include "tools/text/words.h"

enum { SHELL_STATUS_SIGNAL = 128 }; /* added to the number of a signal, as in a shell */

void
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

void
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

void
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

void
shell_run_sql(struct shell *sh, struct call *c, struct slice text)
{
	struct words words = {0};

	words_add(c, &words, "sql");
	words_add(c, &words, slice_cstr(&c->arena, text));
	shell_run_words(sh, c, &words);
}
