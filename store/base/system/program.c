/* program - posix_spawn(3), two pipes, poll(2) */
#include "store/base/system/program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"

enum {
	STEP_MS = 50,       /* between two checks of call_given_up() */
	MESSAGES_MAX = 4096 /* bytes of standard error after which the older ones are dropped */
};

struct program {
	struct call *c;
	pid_t pid;
	bool group; /* it leads its own process group */
	int out[2]; /* ends of pipes; -1: closed */
	int err[2];
	size_t most;
	uint64_t until_ms;
	struct buf printed;
	struct buf messages;
};

/* Returns true if our process group is in the terminal's foreground: only its members can read the terminal. */
static bool
program_in_foreground(void)
{
	cleanup(cleanup_fd) int tty = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);

	return tty >= 0 && tcgetpgrp(tty) == getpgrp();
}

static int
program_spawn(struct program *p, const char *const argv[])
{
	short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t defaults;
	sigset_t none;

	(void)sigfillset(&defaults);
	(void)sigemptyset(&none);
	p->group = !program_in_foreground();
	if (p->group) {
		flags |= POSIX_SPAWN_SETPGROUP;
	}
	(void)posix_spawnattr_init(&attr);
	(void)posix_spawnattr_setsigdefault(&attr, &defaults);
	(void)posix_spawnattr_setsigmask(&attr, &none);
	(void)posix_spawnattr_setflags(&attr, flags);
	(void)posix_spawn_file_actions_init(&actions);
	(void)posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	(void)posix_spawn_file_actions_adddup2(&actions, p->out[1], STDOUT_FILENO);
	(void)posix_spawn_file_actions_adddup2(&actions, p->err[1], STDERR_FILENO);
	int r = posix_spawnp(&p->pid, argv[0], &actions, &attr, (char *const *)argv, environ);

	(void)posix_spawn_file_actions_destroy(&actions);
	(void)posix_spawnattr_destroy(&attr);
	return r;
}

static void
program_close(int *fd)
{
	cleanup_fd(fd);
	*fd = -1;
}

/* Reads once from a pipe. Returns false if the program has printed too much. */
static bool
program_read(struct program *p, int *fd, struct buf *into)
{
	char bytes[4096];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n <= 0) {
		if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
			program_close(fd);
		}
		return true;
	}
	if (into == &p->messages && into->len > MESSAGES_MAX) {
		buf_clear(into);
	}
	buf_put(into, bytes, (size_t)n);
	return into != &p->printed || into->len <= p->most;
}

/* Reads until both pipes are closed. */
static enum program_end
program_listen(struct program *p)
{
	while (p->out[0] >= 0 || p->err[0] >= 0) {
		struct pollfd fds[] = {{.fd = p->out[0], .events = POLLIN},
				       {.fd = p->err[0], .events = POLLIN}};

		if (call_given_up(p->c) || clock_steady_ms() >= p->until_ms) {
			return PROGRAM_HUNG;
		}
		(void)poll(fds, 2, STEP_MS);
		if (fds[1].revents != 0) {
			(void)program_read(p, &p->err[0], &p->messages);
		}
		if (fds[0].revents != 0 && !program_read(p, &p->out[0], &p->printed)) {
			return PROGRAM_TOO_LONG;
		}
	}
	return PROGRAM_DONE;
}

/* Waits for the end of the program, which may run on after it has closed its pipes. */
static enum program_end
program_wait(struct program *p, int *status)
{
	while (waitpid(p->pid, status, WNOHANG) == 0) {
		if (clock_steady_ms() >= p->until_ms || !pause_ms(p->c, 1)) {
			return PROGRAM_HUNG;
		}
	}
	return PROGRAM_DONE;
}

static void
program_kill(const struct program *p)
{
	(void)kill(p->group ? -p->pid : p->pid, SIGKILL);
	while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR) {
	}
}

static void
program_attend(struct program *p, struct program_result *out)
{
	int status = 0;

	out->end = program_listen(p);
	if (out->end == PROGRAM_DONE) {
		out->end = program_wait(p, &status);
	}
	if (out->end != PROGRAM_DONE) {
		program_kill(p);
	} else if (status != 0) {
		out->end = PROGRAM_FAILED;
		out->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	out->out = buf_view(&p->printed);
	out->err = buf_view(&p->messages);
}

void
program_run(struct call *c, const char *const argv[], size_t most, unsigned ms,
	    struct program_result *out)
{
	struct program p = {.c = c,
			    .out = {-1, -1},
			    .err = {-1, -1},
			    .most = most,
			    .until_ms = clock_steady_ms() + ms};
	assert(argv[0] != NULL);
	bool started = pipe2(p.out, O_CLOEXEC) == 0 && pipe2(p.err, O_CLOEXEC) == 0 &&
		       program_spawn(&p, argv) == 0;

	*out = (struct program_result){.end = PROGRAM_MISSING};
	buf_init(&p.printed, &c->arena);
	buf_init(&p.messages, &c->arena);
	program_close(&p.out[1]);
	program_close(&p.err[1]);
	if (started) {
		program_attend(&p, out);
	}
	program_close(&p.out[0]);
	program_close(&p.err[0]);
}
