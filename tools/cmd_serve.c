/*
 * cmd_serve - the store without a mount: becomes the program itemfs
 *
 * With --temp it leaves a process behind that waits for the end of itemfs,
 * whatever that is, and takes the store away.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "store/base/folder.h"
#include "store/base/private.h"
#include "store/base/url.h"
#include "store/open.h"
#include "store/wire/endpoint.h"

#include "tools/command.h"
#include "tools/ctl.h"
#include "tools/scratch.h"

enum { SERVE_PORTS = 100 }; /* tried from ENDPOINT_PORT on */

struct serve_opts {
	const char *listen;
	struct opt_count port;
	const char *credentials;
	const char *cors;
	const char *ttl_sweep;
	bool temp;
};

static const struct opt serve_opts[] = {
	{"listen", 0, OPT_TEXT, "ADDR:PORT", offsetof(struct serve_opts, listen),
	 "there, not on 127.0.0.1:8000 or the next free port; port 0 picks one; none: only on the "
	 "store's own socket"},
	{"port", 'p', OPT_COUNT, "N", offsetof(struct serve_opts, port), "on 127.0.0.1:N"},
	{"credentials", 0, OPT_TEXT, "FILE", offsetof(struct serve_opts, credentials),
	 "answer only who signs with a key of FILE; needed beyond loopback"},
	{"cors", 0, OPT_TEXT, "ORIGIN", offsetof(struct serve_opts, cors),
	 "web pages of that origin may ask, as in http://localhost:3000; * for any"},
	{"ttl-sweep", 0, OPT_TEXT, "SEC", offsetof(struct serve_opts, ttl_sweep),
	 "seconds between two sweeps of expired items (60); 0: none"},
	{"temp", 0, OPT_FLAG, NULL, offsetof(struct serve_opts, temp),
	 "a store in memory-backed storage, gone at exit; the default without a store"},
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
become_itemfs(struct call *c, const char *program, const char *store, const struct serve_opts *o,
	      const char *note)
{
	const char *argv[] = {"itemfs", store, "--no-mount", "-f", "--create", NULL, NULL, NULL};
	struct buf options;

	buf_init(&options, &c->arena);
	add_option(&options, "listen=", o->listen);
	add_option(&options, "note=", o->listen == NULL ? NULL : note);
	add_option(&options, "credentials=", o->credentials);
	add_option(&options, "cors=", o->cors);
	add_option(&options, "ttl_sweep=", o->ttl_sweep);
	if (options.len > 0) {
		argv[5] = "-o";
		argv[6] = slice_cstr(&c->arena, buf_view(&options));
	}
	(void)signal(SIGPIPE, SIG_DFL);
	private_umask_end();
	(void)execvp(program, (char **)argv);
	return call_fail(c, ERR_IO, "%s cannot be started: %s", program, strerrordesc_np(errno));
}

/* ------------------------------------------------------------ --temp */

/*
 * The process that takes @dir away when nobody has the other end of @server's pipe any more.  No
 * signal but KILL ends it before, as all are blocked, no terminal's either, and it holds no output open that somebody
 * reads to its end.
 */
static void
remove_when_ended(const char *dir, const int server[2])
{
	char nothing;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	(void)setsid();
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		(void)dup2(null, fd);
	}
	(void)close(server[1]);
	while (read(server[0], &nothing, 1) < 0 && errno == EINTR) {
	}
	folder_remove(dir);
	_exit(0);
}

static int
serve_temp(struct call *c, const char *program, const struct serve_opts *o, const char *note)
{
	struct scratch scratch;
	int server[2]; /* a pipe: its writing end is itemfs's as long as that lives */
	int r = scratch_make(c, &scratch);

	if (r < 0) {
		return r;
	}
	pid_t child = pipe(server) == 0 ? fork() : -1;

	if (child == 0) {
		remove_when_ended(scratch.path, server);
	}
	if (child < 0) {
		r = call_fail(c, ERR_IO, "no process to take a temporary store away: %s",
			      strerrordesc_np(errno));
		scratch_remove(&scratch);
		return r;
	}
	scratch_leave(&scratch);
	(void)close(server[0]);
	return become_itemfs(c, program, scratch.path, o, note);
}

/* ------------------------------------------------------------ serve */

/* Who cannot listen makes no new store: itemfs learns of it when the store is there. */
static int
check_listen(struct ctl *ctl, struct call *c, const struct serve_opts *o)
{
	int fd = -1;
	int port;

	if (o->listen == NULL || !ctl_store_is_new(ctl, c)) {
		return 0;
	}
	int r = endpoint_listen_tcp(c, o->listen, o->credentials != NULL, &fd, &port);

	ctl->unopened = r < 0;
	if (r == 0) {
		(void)close(fd);
	}
	return r;
}

static const char *
address_of(struct call *c, int port)
{
	char address[sizeof("127.0.0.1:65535")];

	(void)snprintf(address, sizeof(address), "127.0.0.1:%d", port);
	return slice_cstr(&c->arena, slice_from(address));
}

/* The first free port from ENDPOINT_PORT on, of 127.0.0.1. */
static int
choose_port(struct call *c, struct serve_opts *o, bool *next)
{
	int fd = -1;
	int port;

	for (int i = 0; i < SERVE_PORTS; i++) {
		const char *address = address_of(c, ENDPOINT_PORT + i);

		c->error = (struct error){0};
		if (endpoint_listen_tcp(c, address, false, &fd, &port) == 0) {
			(void)close(fd);
			o->listen = address;
			*next = i > 0;
			return 0;
		}
	}
	return -(int)c->error.code;
}

/* @next: the usual port is taken, this is another one. */
static int
choose_address(struct call *c, struct serve_opts *o, bool *next)
{
	*next = false;
	if (o->port.given && o->listen != NULL) {
		return call_fail(c, ERR_USAGE, "--port and --listen: one of them");
	}
	if (o->port.given && o->port.n > UINT16_MAX) {
		return call_fail(c, ERR_USAGE, "--port is 0 to %d", UINT16_MAX);
	}
	if (o->port.given) {
		o->listen = address_of(c, (int)o->port.n);
		return 0;
	}
	if (o->listen == NULL) {
		return choose_port(c, o, next);
	}
	o->listen = strcmp(o->listen, "none") == 0 ? NULL : endpoint_address(c, o->listen);
	return 0;
}

static const char *
note_of(struct call *c, bool temp, bool next)
{
	struct buf b;

	buf_init(&b, &c->arena);
	buf_str(&b, temp ? "# A store in memory: it is gone when this server ends (Ctrl-C)."
			 : "# The store stays when this server ends (Ctrl-C).");
	if (next) {
		buf_fmt(&b, "\n# Port %d is taken: this is the next free one.", ENDPOINT_PORT);
	}
	buf_char(&b, '\0');
	return b.at;
}

static int
run_serve(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct serve_opts o = *(const struct serve_opts *)opts;
	const char *program = find_itemfs(c);
	bool next;

	(void)words;
	if (o.temp && ctl->store_given) {
		return call_fail(c, ERR_USAGE, "--temp serves a store of its own: leave out -s");
	}
	int r = choose_address(c, &o, &next);

	if (r < 0) {
		return r;
	}
	if (o.temp || ctl->store == NULL || *ctl->store == '\0') {
		return serve_temp(c, program, &o, note_of(c, true, next));
	}
	if (store_is_remote(ctl->store)) {
		r = call_fail(c, ERR_USAGE, "serve wants a store directory, not %s",
			      url_shown(&c->arena, ctl->store));
	}
	r = r < 0 ? r : check_listen(ctl, c, &o);
	return r < 0 ? r : become_itemfs(c, program, ctl->store, &o, note_of(c, false, next));
}

const struct command cmd_serve = {
	.name = "serve",
	.usage = "[--port N | --listen ADDR:PORT] [--credentials FILE] [--cors ORIGIN] [--temp]\n"
		 "[--ttl-sweep SEC]",
	.summary = "DynamoDB's protocol from a store, or from one in memory",
	.details =
		"Listens on 127.0.0.1:8000, or the next free port, until a signal, and prints what\n"
		"a shell needs for the SDKs. Without a store it serves an empty one in memory.",
	.opts = serve_opts,
	.opts_bytes = sizeof(struct serve_opts),
	.no_store = true,
	.run = run_serve,
};
