/* serve_process - see serve_process.h */
#include "tools/cmd/serve_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "store/base/system/folder.h"
#include "store/base/system/private.h"

#include "tools/cmd/serve_keeper.h"
#include "tools/load/seed.h"
#include "tools/out/show.h"
#include "tools/session/ctl.h"
#include "tools/system/child.h"
#include "tools/system/itemfs_program.h"
#include "tools/system/no_file.h"
#include "tools/system/scratch_store.h"
#include "tools/system/stop.h"
#include "tools/text/text_lines.h"
#include "tools/text/typed_line.h"
#include "tools/text/words.h"

/*
 * Append an option in the form that itemfs reads after -o.
 * @name:  "NAME=", or the name of an option without a value
 * @value: "" if there is no value; NULL: append nothing
 */
static void
serve_process_add_option(struct buf *b, const char *name, const char *value)
{
	if (value == NULL) {
		return;
	}
	buf_str(b, b->len == 0 ? "" : ",");
	buf_str(b, name);
	for (; *value != '\0'; value++) {
		if (*value == ',' || *value == '\\') {
			buf_char(b, '\\');
		}
		buf_char(b, *value);
	}
}

/*
 * argv[0] of the server: the typed line, so that ps and pgrep -f find it.  Because of the ":" at the end, itemfs does
 * not take it for the name mount.itemfs.
 */
static const char *
serve_process_title(struct call *c)
{
	struct buf b = {.arena = &c->arena};

	if (!typed_line_with(&b, SLICE(""), SLICE(""))) {
		buf_str(&b, "itemctl serve");
	}
	buf_char(&b, ':');
	return slice_cstr(&c->arena, buf_view(&b));
}

/* A comment about how long the store is kept; in the call's arena */
static const char *
serve_process_note(struct call *c, const struct serve_plan *p)
{
	return arena_print(&c->arena,
			   p->store == NULL
				   ? "# A store in memory: it is gone when this server ends%s."
				   : "# The store stays when this server ends%s.",
			   p->o.background ? "" : " (Ctrl-C)");
}

/* Replace this process by itemfs.  Return: only if that fails, -ERR_IO */
static int
serve_process_exec(struct call *c, const struct serve_plan *p, const char *store)
{
	const struct serve_opts *o = &p->o;
	const char *program = itemfs_program(c);
	const char *argv[] = {
		serve_process_title(c), store, "--no-mount", "-f", "--create", NULL, NULL, NULL};
	struct buf options = {.arena = &c->arena};
	sigset_t signals;
	sigset_t before;

	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGHUP);
	serve_process_add_option(&options, "listen=", o->at.listen);
	serve_process_add_option(&options,
				 "note=", o->at.listen == NULL ? NULL : serve_process_note(c, p));
	serve_process_add_option(&options, "port_file=", o->port_file);
	serve_process_add_option(&options, "credentials=", o->credentials);
	serve_process_add_option(&options, "cors=", o->cors);
	serve_process_add_option(&options, "host=", o->at.names);
	serve_process_add_option(&options, "patterns=", o->patterns);
	serve_process_add_option(&options, "request_log=", o->log);
	serve_process_add_option(&options, "ttl_sweep=", o->ttl_sweep);
	serve_process_add_option(&options, "quiet", o->at.listen != NULL && o->quiet ? "" : NULL);
	serve_process_add_option(&options, "web", o->web ? "" : NULL);
	serve_process_add_option(&options, "trust_network", o->trust_network ? "" : NULL);
	if (options.len > 0) {
		argv[5] = "-o";
		argv[6] = slice_cstr(&c->arena, buf_view(&options));
	}
	(void)dup2(open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
	(void)signal(SIGPIPE, SIG_DFL);
	private_umask_end();
	/* A signal that comes from here on stays pending, and ends itemfs. */
	(void)pthread_sigmask(SIG_BLOCK, &signals, &before);
	if (stop_asked() == 0) {
		(void)execvp(program, (char **)argv);
	}
	int error = errno;

	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return stop_asked() != 0 ? stop_check(c)
				 : call_fail(c, ERR_IO, "%s cannot be started: %s", program,
					     strerrordesc_np(error));
}

/* Make a temporary store, start the process that removes it, and become itemfs. */
static int
serve_process_temp(struct call *c, const struct serve_plan *p)
{
	struct scratch scratch;
	int r = scratch_make(c, &scratch, NULL);

	if (r < 0) {
		return r;
	}
	r = serve_keeper_start(c, p->watched, scratch.at.path);
	if (r < 0) {
		scratch_remove(&scratch);
		return r;
	}
	scratch_leave(&scratch);
	(void)fcntl(scratch.at.fd, F_SETFD, 0); /* itemfs inherits the lock of the directory */
	const char *store = scratch.at.path;

	if (seed_is_wanted(&p->o.seed)) {
		r = seed_fill(p->ctl, c, &p->o.seed, scratch.at.path, &store);
	}
	r = r < 0 ? r : serve_process_exec(c, p, store);
	free(scratch.at.path);
	return r;
}

/* Start the keeper of a server that another process ends, and become itemfs. */
static int
serve_process_watched(struct call *c, const struct serve_plan *p)
{
	sigset_t all;
	sigset_t before;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	int r = serve_keeper_start(c, p->watched, NULL);

	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r < 0 ? r : serve_process_exec(c, p, p->store);
}

static void
serve_process_end(int signal_no)
{
	enum { STATUS_SIGNAL = 128 }; /* as in a shell */

	_exit(STATUS_SIGNAL + signal_no);
}

int
serve_process_become(struct call *c, const struct serve_plan *p)
{
	const struct sigaction ends = {.sa_handler = serve_process_end};

	/* Signals do not end process 1, that of a container, unless it handles them.  itemfs reads them later. */
	if (getpid() == 1) {
		(void)sigaction(SIGTERM, &ends, NULL);
		(void)sigaction(SIGINT, &ends, NULL);
	}
	return p->store == NULL  ? serve_process_temp(c, p)
	       : p->watched >= 0 ? serve_process_watched(c, p)
				 : serve_process_exec(c, p, p->store);
}

/* ------------------------------------------------------------ in the background */

enum { BACKGROUND_NO_PROGRAM = 127, BACKGROUND_SIGNAL = 128 }; /* exit status, as in a shell */

static const char ready[] = "listening on ";

/* Run in the child: new session, output to @out and @errors.  Keeps standard input, which the seed may read. */
static _Noreturn void
background_be(struct call *c, const struct serve_plan *p, int out, int errors)
{
	(void)setsid();
	(void)dup2(out, STDOUT_FILENO);
	(void)dup2(errors, STDERR_FILENO);
	int r = serve_process_become(c, p);

	(void)fprintf(stderr, "itemctl: %s\n", c->error.message);
	(void)fflush(stderr);
	_exit(r < 0 ? error_exit(c->error.code) : 0);
}

/* Read from the server until it listens.  Return: false if it ends before */
static bool
background_wait(int out, struct buf *said)
{
	char piece[4096];
	ssize_t n;

	while ((n = read(out, piece, sizeof(piece))) != 0) {
		if (n < 0 && errno != EINTR) {
			return false;
		}
		buf_slice(said, slice_of(piece, n < 0 ? 0 : (size_t)n));
		if (said->len > 0 && said->at[said->len - 1] == '\n' &&
		    memmem(said->at, said->len, ready, sizeof(ready) - 1) != NULL) {
			return true;
		}
	}
	return false;
}

/* Print what the server has written to standard error so far.  It may continue to write to the file. */
static void
background_show(int errors)
{
	char piece[4096];
	off_t at = 0;
	ssize_t n;

	while ((n = pread(errors, piece, sizeof(piece), at)) > 0) {
		(void)fwrite(piece, 1, (size_t)n, stderr);
		at += n;
	}
}

/* The exit status of a server that ended before it listened; never 0. */
static int
background_failed(pid_t pid)
{
	int status = child_wait(pid);

	return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? WEXITSTATUS(status)
							     : error_exit(ERR_IO);
}

int
background_start(struct call *c, const struct serve_plan *p, bool tied, struct background *out)
{
	int errors = child_memory("errors", MFD_CLOEXEC);
	int ends[2];

	pid_t self = getpid();

	buf_init(&out->said, &c->arena);
	out->pid = errors >= 0 && pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
	if (out->pid == 0) {
		if (tied) {
			(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
			if (getppid() != self) { /* it ended before, without a signal to us */
				_exit(BACKGROUND_SIGNAL + SIGTERM);
			}
		}
		background_be(c, p, ends[1], errors);
	}
	if (out->pid < 0) {
		return call_fail(c, ERR_IO, "cannot start a process for the server: %m");
	}
	(void)close(ends[1]);
	int r = background_wait(ends[0], &out->said) ? 0 : background_failed(out->pid);

	background_show(errors);
	(void)close(ends[0]);
	(void)close(errors);
	return r;
}

int
background_exports(struct call *c, const struct background *b)
{
	struct text_lines lines = {.rest = buf_view(&b->said)};

	while (lines.rest.len > 0) {
		struct slice line = text_lines_next(&lines);
		struct words words = {0};
		int r = slice_starts(line, SLICE("export ")) || slice_starts(line, SLICE("unset "))
				? words_split(c, line, &words)
				: 0;

		if (r < 0) {
			return r;
		}
		/* NOLINTBEGIN(concurrency-mt-unsafe): there are no threads */
		for (size_t i = 1; i < words.n; i++) {
			char *value = (char *)strchr(words.at[i], '=');

			if (value == NULL) {
				(void)unsetenv(words.at[i]);
			} else {
				*value = '\0';
				(void)setenv(words.at[i], value + 1, 1);
			}
		}
		/* NOLINTEND(concurrency-mt-unsafe) */
	}
	/* Some programs read only AWS_ENDPOINT_URL.  Keep an existing one: it may be that of other services. */
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads */
	const char *url = getenv("AWS_ENDPOINT_URL_DYNAMODB");

	/* NOLINTNEXTLINE(concurrency-mt-unsafe) */
	(void)(url != NULL && setenv("AWS_ENDPOINT_URL", url, 0));
	return 0;
}

/* The process that gets the signals of this process; 0: not started.  @background_early: a signal that came before */
static volatile sig_atomic_t background_program;
static volatile sig_atomic_t background_early;

static void
background_pass_on(int signal_no)
{
	if (background_program > 0) {
		(void)kill((pid_t)background_program, signal_no);
	} else {
		background_early = signal_no;
	}
}

/* Pass on @signal_no, unless it is ignored, as by nohup(1): the program inherits that. */
static void
background_hear(int signal_no)
{
	const struct sigaction passes = {.sa_handler = background_pass_on};
	struct sigaction inherited;

	if (sigaction(signal_no, NULL, &inherited) == 0 && inherited.sa_handler != SIG_IGN) {
		(void)sigaction(signal_no, &passes, NULL);
	}
}

/* Suggest a correction for a program that could not be started: a shell line in one word ('a && b') or a wrong name. */
static void
background_no_program(const char *const argv[], int error)
{
	call_scope(own, 0);
	struct buf b = {.arena = &own.arena};
	bool line = argv[1] == NULL && strpbrk(argv[0], " ;|&$<>") != NULL;

	buf_str(&b, line ? "to run a command line of a shell: " : "");
	if (line ? typed_line_insert(&b, slice_from(argv[0]), SLICE("sh -c"))
		 : error == ENOENT && no_file_program(&own, argv[0], &b)) {
		buf_char(&b, '\n');
		show_lines(buf_view(&b));
	}
}

int
background_run(const struct background *b, const char *const argv[])
{
	pid_t pid;

	assert(b->pid > 0);
	(void)signal(SIGINT, SIG_IGN); /* the terminal also sends it to the program */
	background_hear(SIGTERM);
	background_hear(SIGHUP);
	private_umask_end();
	int error = child_start(argv, NULL, CHILD_PLAIN, &pid);
	int result = BACKGROUND_NO_PROGRAM;

	if (error != 0) {
		(void)fprintf(stderr, "itemctl: %s: %s\n", argv[0], strerrordesc_np(error));
		background_no_program(argv, error);
	} else {
		background_program = pid;
		if (background_early != 0) {
			(void)kill(pid, background_early);
		}
		int status = child_wait(pid);

		result = WIFEXITED(status) ? WEXITSTATUS(status)
					   : BACKGROUND_SIGNAL + WTERMSIG(status);
	}
	(void)kill(b->pid, SIGTERM);
	(void)child_wait(b->pid);
	return result;
}

void
background_tell(struct ctl *ctl, struct call *c, const struct background *server, bool port_only,
		bool chosen)
{
	struct text_lines lines = {.rest = buf_view(&server->said)};
	struct slice first = text_lines_next(&lines);
	const char *colon = slice_rchr(first, ':');
	struct buf *out = &ctl->out.sink.buf;
	struct slice port =
		colon == NULL ? SLICE("") : slice_skip(first, (size_t)(colon + 1 - first.at));
	struct buf b = {.arena = &c->arena};

	if (port_only) {
		buf_fmt(out, "%.*s\n", SLICE_ARG(port));
		return;
	}
	buf_fmt(out, "# %.*sexport ITEMFS_SERVER_PID=%ld\n", SLICE_ARG(buf_view(&server->said)),
		(long)server->pid);
	if (port.len == 0 || !chosen) {
		return;
	}
	buf_fmt(out, "export ITEMFS_SERVER_PORT=%.*s\n", SLICE_ARG(port));
	if (typed_line_insert(&b, SLICE("--"), SLICE("--print-port"))) {
		ctl_note(ctl, "port %.*s; to set a variable: PORT=$(%.*s)", SLICE_ARG(port),
			 SLICE_ARG(buf_view(&b)));
	}
}
