/*
 * cmd_serve - the store without a mount: becomes the program itemfs
 *
 * With --temp it stays behind as a parent, which hands signals on and takes
 * the store away at the end.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/command.h"
#include "tools/ctl.h"

struct serve_opts {
	const char *listen;
	const char *credentials;
	bool temp;
};

static const struct opt serve_opts[] = {
	{"listen", 0, OPT_TEXT, "ADDR:PORT", offsetof(struct serve_opts, listen),
	 "DynamoDB's protocol there; port 0 picks one and prints it"},
	{"credentials", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, credentials),
	 "answer only who signs with a key of FILE; needed beyond loopback"},
	{"temp", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, temp),
	 "a store in memory-backed storage, gone at exit (no -s)"},
	{NULL, 0, OPT_FLAG, NULL, 0, NULL},
};

/* ------------------------------------------------------------ finding itemfs */

static const char *
joined(struct call *c, const char *a, const char *b)
{
	struct buf out;

	buf_init(&out, &c->arena);
	buf_str(&out, a);
	buf_str(&out, b);
	buf_char(&out, '\0');
	return out.at;
}

/* itemfs beside this very program, or where the build leaves it; else whatever PATH has. */
static const char *
find_itemfs(struct call *c)
{
	char self[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (n > 0) {
		self[n] = '\0';
		char *slash = strrchr(self, '/');

		*slash = '\0';
		const char *beside = joined(c, self, "/itemfs");
		const char *built = joined(c, self, "/../fs/itemfs");

		if (access(beside, X_OK) == 0) {
			return beside;
		}
		if (access(built, X_OK) == 0) {
			return built;
		}
	}
	return "itemfs";
}

/* NAME=VALUE as itemfs reads it behind -o, after those before it; NULL: nothing to add. */
static void
add_option(struct buf *b, const char *name, const char *value)
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

/* Never returns when it works. */
static int
become_itemfs(struct call *c, const char *program, const char *store, const struct serve_opts *o)
{
	const char *argv[] = {"itemfs", store, "--no-mount", "-f", NULL, NULL, NULL};
	struct buf options;

	buf_init(&options, &c->arena);
	add_option(&options, "listen=", o->listen);
	add_option(&options, "credentials=", o->credentials);
	if (options.len > 0) {
		argv[4] = "-o";
		argv[5] = slice_cstr(&c->arena, buf_view(&options));
	}
	(void)signal(SIGPIPE, SIG_DFL);
	(void)execvp(program, (char **)argv);
	return call_fail(c, ERR_IO, "%s cannot be started: %s", program, strerrordesc_np(errno));
}

/* The store is made here, so that a wrong name is told before itemfs begins. */
static int
make_store(struct ctl *ctl, struct call *c)
{
	int r = ctl_open_store(ctl, c, true);

	engine_close(ctl->engine);
	ctl->engine = NULL;
	return r;
}

/* ------------------------------------------------------------ --temp */

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *walk)
{
	(void)st;
	(void)type;
	(void)walk;
	return remove(path);
}

static int
make_temp(struct ctl *ctl, struct call *c, char *dir, size_t size)
{
	static const char *const places[] = {"/dev/shm", "/tmp"};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		(void)snprintf(dir, size, "%s/itemfs-XXXXXX", places[i]);
		if (mkdtemp(dir) != NULL) {
			ctl->store = dir;
			return make_store(ctl, c);
		}
	}
	return call_fail(c, ERR_IO, "no place for a temporary store: %s", strerrordesc_np(errno));
}

/* Wait for the child; signals that would end us are its to decide on. */
static int
wait_for(pid_t child, const sigset_t *signals)
{
	int status = 0;

	for (;;) {
		int sig = sigwaitinfo(signals, NULL);

		if (sig == SIGCHLD && waitpid(child, &status, WNOHANG) == child) {
			break;
		}
		if (sig > 0 && sig != SIGCHLD) {
			(void)kill(child, sig);
		}
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int
serve_temp(struct ctl *ctl, struct call *c, const char *program, const struct serve_opts *o)
{
	char dir[64];
	sigset_t signals;
	sigset_t before;

	(void)sigemptyset(&signals);
	(void)sigaddset(&signals, SIGINT);
	(void)sigaddset(&signals, SIGTERM);
	(void)sigaddset(&signals, SIGHUP);
	(void)sigaddset(&signals, SIGCHLD);
	/* Before the store is made: whatever thread that leaves must not take a signal. */
	(void)pthread_sigmask(SIG_BLOCK, &signals, &before);
	int r = make_temp(ctl, c, dir, sizeof(dir));
	if (r < 0) {
		return r;
	}
	pid_t child = fork();

	if (child == 0) {
		(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
		(void)!become_itemfs(c, program, dir, o);
		(void)fprintf(stderr, "%s: %s\n", error_wire(c->error.code), c->error.message);
		_exit(error_exit(c->error.code));
	}
	r = child < 0 ? call_fail(c, ERR_IO, "fork: %s", strerrordesc_np(errno))
		      : wait_for(child, &signals);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else changes the working directory */
	(void)nftw(dir, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	return r;
}

/* ------------------------------------------------------------ serve */

static int
run_serve(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct serve_opts *o = opts;
	const char *program = find_itemfs(c);

	(void)words;
	if (o->temp) {
		return serve_temp(ctl, c, program, o);
	}
	if (ctl->store != NULL && strstr(ctl->store, "://") != NULL) {
		return call_fail(c, ERR_VALIDATION, "serve wants a store directory, not %s",
				 ctl->store);
	}
	int r = make_store(ctl, c);
	if (r == 0 && o->listen == NULL) {
		ctl_note(ctl, "serving %s/socket", ctl->store);
	}
	return r < 0 ? r : become_itemfs(c, program, ctl->store, o);
}

const struct command cmd_serve = {
	.name = "serve",
	.usage = "[--listen ADDR:PORT [--credentials FILE]] [--temp]",
	.summary = "DynamoDB's protocol from a store, without a mount",
	.details =
		"Runs itemfs in the foreground until a signal. Without --listen only the store's\n"
		"own socket is served.",
	.opts = serve_opts,
	.opts_bytes = sizeof(struct serve_opts),
	.no_store = true,
	.run = run_serve,
};
