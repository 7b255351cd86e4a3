/*
 * itemfs: mount a store, or serve it.  Reads the options, then either becomes the owner of the
 * store (owner.c) or hands its mount to the process that is (join.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/buf.h"
#include "store/base/clock.h"
#include "store/base/descriptors.h"
#include "store/base/mem.h"
#include "store/base/pause.h"
#include "store/base/private.h"
#include "store/base/stdfd.h"
#include "store/base/url.h"
#include "store/base/visible.h"
#include "store/open.h"
#include "store/wire/server.h"
#include "store/wire/wire.h"

#include "fs/daemon.h"
#include "fs/device.h"
#include "fs/join.h"
#include "fs/notify.h"
#include "fs/options.h"
#include "fs/owner.h"
#include "fs/state.h"

enum {
	CALL_BUDGET = 4 * 1024 * 1024, /* bytes for all of the start */
	PATIENCE_MS = 5000,            /* for a store that is neither free nor served */
	RETRY_MS = 20,
	MOUNT_USAGE = 1,    /* mount(8): incorrect invocation */
	MOUNT_FAILURE = 32, /* mount(8): mount failure */
};

static const char usage[] =
	"usage: itemfs STORE MOUNTPOINT [--create] [-o OPTION,...]\n"
	"       itemfs STORE --no-mount [-f] [--create] [-o listen=ADDR:PORT[,credentials=FILE]]\n";

static const char help[] =
	"\n"
	"Mount a store of items as a tree of files: partition keys are directories, items are files.\n"
	"A further itemfs on the same store joins the one that runs.  fusermount3 -u MOUNTPOINT ends it.\n"
	"STORE is a directory, or an endpoint: http://HOST:PORT, https://HOST, dynamodb:REGION.\n"
	"\n"
	"  -o table=T            this table is the root\n"
	"  -o index=I            with table=: this index, read-only\n"
	"  -o ro                 read-only\n"
	"  -o suffix=S           suffix of item files (.json)\n"
	"  -o pretty             items as indented JSON\n"
	"  -o typed              items as DynamoDB JSON\n"
	"  -o sync               every close is durable\n"
	"  -o listen=ADDR:PORT   serve DynamoDB's protocol there too; port 0 picks one\n"
	"  -o credentials=FILE   with listen=: only who signs with a key of FILE; needed beyond loopback\n"
	"  -o cors=ORIGIN        with listen=: web pages of that origin may ask; * for any\n"
	"  -o conflict=fail      a write over what others have changed meanwhile fails\n"
	"  -o timeout=SEC        kernel cache time of names and attributes; 1 of an endpoint\n"
	"  -o ttl_sweep=SEC      seconds between two sweeps of expired items (60); 0: none\n"
	"  -o uid=N,gid=N,umask=M   owner and mode shown\n"
	"  -o allow_other,...    words of FUSE and mount(8)\n"
	"  -f                    stay in the foreground\n"
	"  -d, -o debug          print every request; implies -f\n"
	"  -s, -o single_thread  one thread\n"
	"  --create              make the store where there is none\n"
	"  --no-mount            only serve\n"
	"  -h, --help            this text\n"
	"  -V, --version         the version\n";

/* What the start has found out. */
struct start {
	struct call call;
	struct options options;
	const char *store; /* absolute, or an endpoint */
	const char *state; /* of an endpoint: its directory; else NULL */
	const char *point; /* absolute; NULL with --no-mount */
	const char *log;   /* absolute */
	int device;        /* of device_mount(), while nobody has taken it; or -1 */
	bool mounted;      /* device_mount() has been called */
	int parent;        /* of daemon_fork(); -1 in the foreground */
};

/* ------------------------------------------------------------ what is asked */

static int
find_store(struct start *s)
{
	struct call *c = &s->call;
	struct stat st;

	if (s->options.create && mkdir(s->options.store, 0700) != 0 && errno != EEXIST) {
		return call_fail(c, error_of_path(errno), "store %s: %m", s->options.store);
	}
	char *real = realpath(s->options.store, NULL);

	if (real == NULL && errno == ENOENT) {
		return call_fail(c, ERR_VALIDATION,
				 "there is no store at %s: itemctl create-table, or itemfs "
				 "--create, makes one",
				 s->options.store);
	}
	if (real == NULL) {
		return call_fail(c, error_of_path(errno), "store %s: %m", s->options.store);
	}
	s->store = slice_cstr(&c->arena, slice_from(real));
	free(real);
	if (stat(s->store, &st) != 0 || !S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "store %s is not a directory", s->store);
	}
	return 0;
}

static int
find_endpoint(struct start *s)
{
	s->store = s->options.store;
	s->state = state_name(&s->call, url_shown(&s->call.arena, s->store));
	return 0;
}

static void
name_log(struct start *s)
{
	const char *dir = s->state == NULL ? s->store : s->state;
	size_t size = strlen(dir) + sizeof("/log");
	char *log = arena_new(&s->call.arena, char, size);

	(void)snprintf(log, size, "%s/log", dir);
	s->log = log;
}

/* Who mounts is the owner of the files unless he says otherwise. */
static void
fill_defaults(struct options *o)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	if (!o->has_uid) {
		o->uid = getuid();
	}
	if (!o->has_gid) {
		o->gid = getgid();
	}
	if (!o->has_umask) {
		o->umask = mask & 0777;
	}
	o->has_uid = o->has_gid = o->has_umask = true;
}

/* The process that reads the file of credentials may work in another directory. */
static int
check_listen(struct start *s)
{
	const char **path = &s->options.credentials;
	char *real = *path == NULL ? NULL : realpath(*path, NULL);

	if (*path != NULL && real == NULL) {
		return call_fail(&s->call, ERR_VALIDATION, "credentials %s: %m", *path);
	}
	*path = real == NULL ? NULL : slice_cstr(&s->call.arena, slice_from(real));
	free(real);
	return server_check(&s->call, &(struct server_options){.listen = s->options.listen,
							       .credentials = *path,
							       .cors = s->options.cors});
}

/* Who is refused leaves no new store behind. */
static int
prepare(struct start *s)
{
	int r = check_listen(s);

	if (r == 0) {
		r = store_is_remote(s->options.store) ? find_endpoint(s) : find_store(s);
	}
	if (r < 0) {
		return r;
	}
	name_log(s);
	fill_defaults(&s->options);
	if (r == 0 && s->options.mountpoint != NULL) {
		r = device_point(&s->call, s->options.mountpoint, &s->point);
		if (r == 0) {
			r = device_apart(&s->call, s->state == NULL ? s->store : s->state,
					 s->point);
		}
	}
	return r;
}

/* ------------------------------------------------------------ the two ways */

/* The connection to the kernel is made once, whoever serves it in the end. */
static int
mount_once(struct start *s)
{
	if (s->point == NULL || s->mounted) {
		return 0;
	}
	int r = device_mount(&s->call, &s->options, url_shown(&s->call.arena, s->store), s->point,
			     &s->device);

	s->mounted = r == 0;
	return r;
}

/* Where somebody can ask; @address: what became of listen=, or "". */
static void
say_address(const struct start *s, const char *address)
{
	if (address[0] != '\0') {
		(void)printf("listening on %s\n", address);
	} else if (s->point == NULL) {
		(void)printf("listening on %s/" WIRE_SOCKET "\n", s->store);
	}
	(void)fflush(stdout);
}

/* Whoever waits for the mount goes on now. */
static void
say_ready(const struct start *s)
{
	if (s->parent >= 0) {
		daemon_ready(s->parent, s->log);
	} else {
		notify("READY=1");
	}
}

static int
own(struct start *s, struct owner *w)
{
	int r = mount_once(s);

	if (r == 0) {
		r = owner_start(&s->call, w, &s->options, s->point, s->device);
		s->device = -1;
	}
	if (r == 0) {
		say_address(s, owner_address(w));
		say_ready(s);
		owner_run(w, s->parent >= 0 ? s->log : NULL);
	}
	owner_close(w);
	return r;
}

/* Nobody has it to himself: each mount is served by a process of its own. Who is not there leaves no trace. */
static int
own_endpoint(struct start *s)
{
	struct owner *w;

	s->call.given_up = daemon_is_told_to_end;
	int r = owner_open_endpoint(&s->call, s->store, s->state, s->options.table, &w);

	s->call.given_up = NULL;

	if (r < 0) {
		return r;
	}
	r = state_make(&s->call, s->state);
	if (r < 0) {
		owner_close(w);
		return r;
	}
	return own(s, w);
}

/* Unmount and wait until the owner has committed; true when there is nothing to wait for. */
static bool
leave(const struct start *s)
{
	return s->point == NULL ||
	       (device_unmount(s->point, false) != 0 && device_unmount(s->point, true) == 0);
}

/* A signal to a process that only waits; true when it need not wait any longer. */
static bool
hear_signal(const struct start *s, int signals, bool again)
{
	struct signalfd_siginfo info;

	notify("STOPPING=1");
	return read(signals, &info, sizeof(info)) == sizeof(info) && (again || leave(s));
}

/*
 * -f, a server that lives as long as this process, or a mount that its owner
 * may not unmount: until the owner closes the connection.
 */
static int
wait_for_end(struct start *s, int conn)
{
	sigset_t set;
	bool asked = false;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	struct pollfd fds[2] = {
		{.fd = conn, .events = POLLIN},
		{.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), .events = POLLIN}};

	do {
		(void)poll(fds, 2, -1);
		if (fds[1].revents != 0 && hear_signal(s, fds[1].fd, asked)) {
			break;
		}
		asked = asked || fds[1].revents != 0;
	} while (fds[0].revents == 0);
	(void)close(fds[1].fd);
	/* An owner that was killed, or may not unmount here, leaves a dead mount point behind. */
	if (s->point != NULL && device_is_dead(s->point)) {
		(void)device_unmount(s->point, true);
		s->mounted = false;
		return call_fail(&s->call, ERR_IO, "the process that served %s has ended",
				 s->point);
	}
	return 0;
}

static int
join(struct start *s, int conn)
{
	struct call *c = &s->call;
	struct join_request in = {.point = s->point == NULL ? "" : s->point,
				  .options = options_format(c, &s->options)};
	struct join_answer answer;
	struct stat st;
	int r = mount_once(s);

	if (r < 0) {
		return r;
	}
	in.device = s->device;
	in.number = s->point == NULL ? 0 : device_number(s->point);
	c->given_up = daemon_is_told_to_end;
	r = join_ask(c, conn, &in, &answer);
	c->given_up = NULL;
	if (r != 0) {
		return r;
	}
	if (s->device >= 0) {
		(void)close(s->device);
		s->device = -1;
	}
	if (answer.status > 0 && answer.status < ERR_COUNT) {
		return call_fail(c, (enum err)answer.status, "%s", answer.sentence);
	}
	if (s->point != NULL && stat(s->point, &st) != 0) {
		return call_fail(c, ERR_IO, "%s does not answer: %m", s->point);
	}
	say_address(s, answer.sentence);
	if (s->options.foreground || s->point == NULL || join_is_foreign(conn)) {
		say_ready(s);
		return wait_for_end(s, conn);
	}
	return 0;
}

static int
try_join(struct start *s)
{
	int conn;
	int r = join_connect(&s->call, s->store, &conn);

	if (r == 0) {
		r = join(s, conn);
		(void)close(conn);
	}
	return r;
}

/*
 * Own the store, or join its owner.  An owner may end between two looks, and
 * one that starts has the lock before it listens: so try for a while.
 */
static int
own_or_join(struct start *s)
{
	const struct call waits = {.given_up = daemon_is_told_to_end};
	uint64_t until = clock_steady_ms() + PATIENCE_MS;
	struct buf busy; /* who has it */

	buf_init(&busy, &s->call.arena);
	for (;;) {
		struct call attempt;
		struct owner *w;

		call_open(&attempt, clock_now_ms(), CALL_BUDGET);
		int r = owner_open(&attempt, s->store, s->options.create, &w);

		if (r < 0) {
			r = call_fail(&s->call, attempt.error.code, "%s", attempt.error.message);
		}
		if (r == OWNER_TAKEN) {
			buf_clear(&busy);
			buf_str(&busy, attempt.error.message);
		}
		call_close(&attempt);
		if (r == 0) {
			return own(s, w);
		}
		if (r == OWNER_TAKEN) {
			r = try_join(s);
		}
		if (r != JOIN_NOBODY) {
			return r;
		}
		if (clock_steady_ms() > until) {
			return call_fail(&s->call, ERR_BUSY,
					 "%.*s, which does not share it: try again when that has "
					 "ended",
					 SLICE_ARG(buf_view(&busy)));
		}
		if (!pause_ms(&waits, RETRY_MS)) {
			return call_fail(&s->call, ERR_BUSY, "interrupted");
		}
	}
}

/* ------------------------------------------------------------ the program */

static int
run(struct start *s)
{
	int r = prepare(s);

	if (r < 0) {
		return r;
	}
	private_umask();
	if (!s->options.foreground) {
		s->parent = daemon_fork();
		if (s->parent < 0) {
			return call_fail(&s->call, ERR_IO, "no daemon");
		}
	}
	daemon_block_signals();
	r = s->state != NULL ? own_endpoint(s) : own_or_join(s);
	if (r < 0 && s->mounted) {
		if (s->device >= 0) {
			(void)close(s->device);
		}
		(void)device_unmount(s->point, true);
	}
	return r;
}

static bool
is_mount_helper(const char *program)
{
	const char *slash = strrchr(program, '/');

	return strcmp(slash == NULL ? program : slash + 1, "mount.itemfs") == 0;
}

static int
exit_status(const char *program, enum err code)
{
	if (!is_mount_helper(program)) {
		return error_exit(code);
	}
	return code == ERR_VALIDATION || code == ERR_NOT_SUPPORTED ? MOUNT_USAGE : MOUNT_FAILURE;
}

int
main(int argc, char **argv)
{
	struct start s = {.device = -1, .parent = -1};

	stdfd_reserve();
	descriptors_raise();
	mem_few_heaps();
	call_open(&s.call, clock_now_ms(), CALL_BUDGET);
	int r = options_parse(&s.call, argc, argv, &s.options);
	bool words_are_wrong = r < 0;

	if (r == 0 && s.options.help) {
		(void)printf("%s%s", usage, help);
	} else if (r == 0 && s.options.version) {
		(void)printf("itemfs %s\n", ITEMFS_VERSION);
	} else if (r == 0 && !s.options.fake) {
		r = run(&s);
	}
	int status = 0;

	if (r < 0) {
		struct buf shown;

		buf_init(&shown, NULL);
		visible_lines(&shown, slice_from(s.call.error.message), false);
		(void)fprintf(stderr, "itemfs: %.*s\n", SLICE_ARG(buf_view(&shown)));
		buf_release(&shown);
		status = exit_status(argv[0], s.call.error.code);
	}
	if (words_are_wrong && s.call.error.code == ERR_VALIDATION) {
		(void)fputs(usage, stderr);
	}
	call_close(&s.call);
	return fflush(stdout) == 0 ? status : 1;
}
