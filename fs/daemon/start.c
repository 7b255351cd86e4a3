/* start - the mount is made, and this process or another one serves it */
#include "fs/daemon/start.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/core/buf.h"
#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/timing.h"
#include "store/base/core/visible.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"
#include "store/open.h"
#include "store/own.h"
#include "store/wire/proto/credentials.h"
#include "store/wire/proto/endpoint.h"
#include "store/wire/proto/wire.h"

#include "fs/daemon/daemon.h"
#include "fs/daemon/dead_owner.h"
#include "fs/daemon/device.h"
#include "fs/daemon/join.h"
#include "fs/daemon/notify.h"
#include "fs/daemon/options.h"
#include "fs/daemon/owner.h"

enum {
	ATTEMPT_BUDGET = 4 * 1024 * 1024, /* bytes for one try to open the store */
	RETRY_MS = 20,
	TIMEOUT_REQUEST_S = 30, /* of an endpoint, see timeout_request= */
};

/* The connection to the kernel is made once, whoever serves it in the end; see start_forget_mount(). */
static int
start_mount_once(struct start *s)
{
	if (s->point == NULL || s->mounted) {
		return 0;
	}
	int r = device_mount(&s->call, &s->options, url_shown(&s->call.arena, s->store), s->point,
			     &s->device);

	s->mounted = r == 0;
	return r;
}

/*
 * An owner that went away without an answer may have begun to serve the mount, or somebody may have
 * aborted the connection together with those of a dead owner: the next one gets a new one.
 */
static void
start_forget_mount(struct start *s)
{
	if (!s->mounted) {
		return;
	}
	cleanup_fd(&s->device);
	s->device = -1;
	(void)device_unmount(s->point, true);
	s->mounted = false;
}

/* The server at @address, as clients on this machine name it. */
static const char *
start_url(struct start *s, const char *address)
{
	struct buf b;
	bool any = slice_starts(slice_from(address), SLICE("0.0.0.0:")) ||
		   slice_starts(slice_from(address), SLICE("[::]:"));

	buf_init(&b, &s->call.arena);
	buf_str(&b, any ? "http://localhost" : "http://");
	buf_str(&b, any ? strrchr(address, ':') : address);
	buf_char(&b, '\0');
	return b.at;
}

/* Another port than the first of several. */
static void
start_say_port(const struct start *s, const char *address)
{
	int first = endpoint_first_port(s->options.listen);

	if (first != 0 && first != endpoint_first_port(address)) {
		(void)printf("# Port %d is taken: this is the next free one.\n", first);
	}
}

/* The variables that are set and would lead an SDK elsewhere, or to other keys. */
static void
start_say_unset(bool keys)
{
	static const char *const names[] = {
		"AWS_PROFILE",
		"AWS_DEFAULT_PROFILE",
		"AWS_SESSION_TOKEN",
		"AWS_SECURITY_TOKEN",
		"AWS_IGNORE_CONFIGURED_ENDPOINT_URLS",
		"AWS_USE_FIPS_ENDPOINT",
		"AWS_USE_DUALSTACK_ENDPOINT",
		"AWS_ACCESS_KEY_ID",
		"AWS_SECRET_ACCESS_KEY", /* only with @keys */
	};
	size_t n = sizeof(names) / sizeof(names[0]) - (keys ? 0 : 2);
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets any */
		if (getenv(names[i]) != NULL) {
			(void)printf("%s %s", any ? "" : "unset", names[i]);
			any = true;
		}
	}
	(void)fputs(any ? "\n" : "", stdout);
}

/* The region of the environment, where it can be pasted; any will do. */
static const char *
start_region(void)
{
	static const char *const names[] = {"AWS_REGION", "AWS_DEFAULT_REGION"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody sets any */
		const char *region = getenv(names[i]);

		if (region != NULL && *region != '\0' &&
		    region[strspn(region, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0') {
			return region;
		}
	}
	return "us-east-1";
}

/* The first key of the file, as SDKs find it. */
static void
start_say_credentials(struct start *s)
{
	const char *file = s->options.credentials;
	struct credentials known = {0};
	struct call own;
	struct buf b;

	call_open(&own, clock_now_ms(), ATTEMPT_BUDGET);
	buf_init(&b, &own.arena);
	if (credentials_read(&own, file, &known) == 0 &&
	    credentials_of_profile(&known, SLICE("default")) == NULL) {
		buf_str(&b, " AWS_PROFILE=");
		shell_word(&b, known.all[0].profile);
	}
	buf_str(&b, " AWS_SHARED_CREDENTIALS_FILE=");
	shell_word(&b, slice_from(file));
	(void)printf("export%.*s\n", SLICE_ARG(buf_view(&b)));
	call_close(&own);
}

/* What a shell needs to know of the server at @url, to be pasted; SDKs then need nothing else. */
static void
start_say_exports(struct start *s, const char *url)
{
	const char *region = start_region();

	(void)puts("");
	start_say_unset(s->options.credentials != NULL);
	(void)printf("export AWS_ENDPOINT_URL_DYNAMODB=%s\n"
		     "export AWS_ENDPOINT_URL_DYNAMODB_STREAMS=%s\n",
		     url, url);
	if (s->options.credentials == NULL) {
		(void)fputs("export AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local", stdout);
	} else {
		start_say_credentials(s);
		(void)fputs("export", stdout);
	}
	(void)printf(" AWS_REGION=%s AWS_DEFAULT_REGION=%s\n"
		     "export ITEMFS_STORE=%s\n",
		     region, region, url);
	if (s->options.note != NULL) {
		(void)puts(s->options.note);
	}
}

/* Where a browser finds the pages, if it does. */
static void
start_say_page(const struct start *s, const char *url)
{
	if (s->options.token != NULL) {
		(void)printf("# In a browser: %s/%s/\n", url, s->options.token);
	} else if (s->options.credentials == NULL && !s->options.quiet) {
		(void)printf("# In a browser: %s/\n", url);
	}
}

/* What was written and is no item, of this mount and those before it. */
static void
start_say_kept(const struct start *s)
{
	struct buf path = {0};
	size_t n = 0;
	DIR *dir;

	buf_fmt(&path, "%s/rejected", s->state == NULL ? s->store : s->state);
	buf_char(&path, '\0');
	dir = opendir(path.at);
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads this stream */
	for (const struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
		n += e->d_name[0] != '.';
	}
	if (dir != NULL) {
		(void)closedir(dir);
	}
	if (n > 0) {
		(void)printf("not stored, but kept: %zu text%s in %s\n", n, n == 1 ? "" : "s",
			     path.at);
	}
	buf_release(&path);
}

/* To somebody who has just mounted it by hand: what no listing shows. */
static void
start_say_hints(struct start *s)
{
	const struct options *o = &s->options;

	/* Who has asked for writing is told in any case. */
	if (o->ro_why != NULL && (o->write || isatty(STDOUT_FILENO))) {
		(void)fprintf(o->write ? stderr : stdout, "%s: %s\n",
			      s->point == NULL ? s->store : s->point, o->ro_why);
	}
	if (s->fresh && s->point != NULL && !o->helper) {
		(void)printf(
			"%s is empty: itemctl -s %s create-table NAME --key PK,SK makes a table; "
			"%s/.itemfs/README says what can be done here\n",
			s->point, s->point, s->point);
	}
	if (s->point == NULL || o->helper || !isatty(STDOUT_FILENO)) {
		return;
	}
	(void)printf(
		"%s: %s .index (a table's indexes) and .itemfs/README\n"
		"a query is a path: ls PARTITION/.begins_with/X, .filter/EXPR; see itemctl help paths\n",
		s->point, s->options.dotdirs ? "also listed:" : "not listed:");
	start_say_kept(s);
}

/* The file is there only when it is complete. */
static void
start_write_port(const char *file, const char *address)
{
	struct buf part = {0};

	buf_fmt(&part, "%s.part-%d", file, (int)getpid());
	buf_char(&part, '\0');
	FILE *f = fopen(part.at, "we");
	bool written = f != NULL && fprintf(f, "%s\n", strrchr(address, ':') + 1) > 0;

	written = f != NULL && fclose(f) == 0 && written;
	if (!written || rename(part.at, file) != 0) {
		(void)fprintf(stderr, "itemfs: %s: %m\n", file);
		(void)unlink(part.at);
	}
	buf_release(&part);
}

/* Where somebody can ask; @address: what became of listen=, or "". */
static void
start_say_address(struct start *s, const char *address)
{
	if (address[0] != '\0') {
		const char *url = start_url(s, address);

		if (s->options.port_file != NULL) {
			start_write_port(s->options.port_file, address);
		}
		(void)printf("listening on %s\n", address);
		if (s->point == NULL && !s->options.quiet) {
			start_say_exports(s, url);
			start_say_port(s, address);
		}
		start_say_page(s, url);
	} else if (s->point == NULL) {
		(void)printf("listening on %s/" WIRE_SOCKET "\n", s->store);
	}
	start_say_hints(s);
	(void)fflush(stdout);
}

/* Whoever waits for the mount goes on now. */
static void
start_say_ready(const struct start *s, const char *log)
{
	if (s->parent >= 0) {
		daemon_ready(s->parent, log);
	} else {
		notify("READY=1");
	}
}

static int
start_own(struct start *s, struct owner *w)
{
	int r = start_mount_once(s);

	if (r == 0) {
		r = owner_start(&s->call, w, &s->options, s->point, s->device,
				s->parent >= 0 ? s->terminal : "");
		s->device = -1;
	}
	if (r == 0) {
		start_say_address(s, owner_address(w));
		start_say_ready(s, owner_log(w));
		owner_run(w, s->parent >= 0);
	}
	owner_close(w);
	return r;
}

/* Nobody has it to himself: each mount is served by a process of its own. */
int
start_own_endpoint(struct start *s)
{
	struct owner *w;

	s->call.given_up = daemon_is_told_to_end;
	store_answer_within(s->options.has_timeout_request ? s->options.timeout_request_s
							   : TIMEOUT_REQUEST_S);
	int r = owner_open_endpoint(&s->call, s->store, s->state, &s->options, &w);

	s->call.given_up = NULL;

	return r < 0 ? r : start_own(s, w);
}

/* Unmount and wait until the owner has committed; true when there is nothing to wait for. */
static bool
start_leave(const struct start *s)
{
	return s->point == NULL ||
	       (device_unmount(s->point, false) != 0 && device_unmount(s->point, true) == 0);
}

/* A signal to a process that only waits; true when it need not wait any longer. */
static bool
start_hear_signal(const struct start *s, int signals, bool again)
{
	struct signalfd_siginfo info;

	notify("STOPPING=1");
	return read(signals, &info, sizeof(info)) == sizeof(info) && (again || start_leave(s));
}

/*
 * -f, a server that lives as long as this process, or a mount that its owner
 * may not unmount: until the owner closes the connection.
 */
static int
start_wait_for_end(struct start *s, int conn)
{
	sigset_t set;
	bool asked = false;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	struct pollfd fds[2] = {
		{.fd = conn, .events = POLLIN},
		{.fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK), .events = POLLIN}};

	int r = 0;

	do {
		int n = poll(fds, 2, (int)timing_ms(TIMING_LOOK));

		if (fds[1].revents != 0 && start_hear_signal(s, fds[1].fd, asked)) {
			break;
		}
		asked = asked || fds[1].revents != 0;
		if (n == 0 && join_is_deserted(conn)) {
			r = dead_owner_end(&s->call, s->store);
		}
	} while (fds[0].revents == 0 && r >= 0);
	(void)close(fds[1].fd);
	if (r < 0) {
		return r;
	}
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
start_join(struct start *s, int conn)
{
	struct call *c = &s->call;
	struct join_request in = {.point = s->point == NULL ? "" : s->point,
				  .options = options_format(c, &s->options),
				  .terminal = s->terminal};
	struct join_answer answer;
	struct stat st;
	int r = start_mount_once(s);

	if (r < 0) {
		return r;
	}
	in.device = s->device;
	in.number = s->point == NULL ? 0 : device_number(s->point);
	c->given_up = daemon_is_told_to_end;
	r = join_ask(c, conn, &in, &answer);
	c->given_up = NULL;
	if (r == JOIN_NOBODY) {
		start_forget_mount(s);
	}
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
	start_say_address(s, answer.sentence);
	if (s->options.foreground || s->point == NULL || join_is_foreign(conn)) {
		start_say_ready(s, s->log);
		return start_wait_for_end(s, conn);
	}
	return 0;
}

static int
start_try_join(struct start *s)
{
	int conn;
	int r = join_connect(&s->call, s->store, &conn);

	if (r == 0) {
		r = start_join(s, conn);
		(void)close(conn);
	}
	return r;
}

/* How long start_own_or_join() tries: steady times. */
struct start_wait {
	uint64_t until_ms;
	uint64_t say_ms; /* it is said then what is waited for */
	bool said;
};

static void
start_wait_begin(struct start_wait *w)
{
	uint64_t now = clock_steady_ms();

	w->until_ms = now + timing_ms(TIMING_START);
	w->say_ms = now + timing_ms(TIMING_WAITING);
}

/* To the terminal or file that the errors of this start go to. */
static void
start_say_wait(const struct start *s, struct start_wait *w)
{
	cleanup(buf_release) struct buf owner = {0};

	if (w->said || clock_steady_ms() < w->say_ms || !store_put_owner(s->store, &owner)) {
		return;
	}
	w->said = true;

	cleanup(buf_release) struct buf shown = {0};

	(void)visible_put(&shown, buf_view(&owner), SIZE_MAX);
	(void)fprintf(stderr, "itemfs: waiting for %.*s, which has the store open\n",
		      SLICE_ARG(buf_view(&shown)));
}

/*
 * Own the store, or join its owner.  An owner may end between two looks, and
 * one that starts has the lock before it listens: so try for a while.
 */
int
start_own_or_join(struct start *s)
{
	const struct call waits = {.given_up = daemon_is_told_to_end};
	struct start_wait wait = {0};
	struct buf busy; /* who has it */

	start_wait_begin(&wait);
	buf_init(&busy, &s->call.arena);
	for (;;) {
		struct call attempt;
		struct owner *w;

		call_open(&attempt, clock_now_ms(), ATTEMPT_BUDGET);
		int r = owner_open(&attempt, s->store, s->options.create, &w);

		if (r < 0) {
			r = call_adopt(&s->call, &attempt);
		}
		if (r == OWNER_TAKEN) {
			buf_clear(&busy);
			buf_str(&busy, attempt.error.message);
		}
		call_close(&attempt);
		if (r == 0) {
			return start_own(s, w);
		}
		if (r == OWNER_TAKEN) {
			r = dead_owner_end(&s->call, s->store);
		}
		if (r == DEAD_OWNER_ENDED) {
			start_wait_begin(&wait);
			continue;
		}
		if (r == 0) {
			r = start_try_join(s);
		}
		if (r != JOIN_NOBODY) {
			return r;
		}
		if (clock_steady_ms() > wait.until_ms) {
			return call_fail(&s->call, ERR_BUSY,
					 "%.*s, which does not share it: try again when that has "
					 "ended",
					 SLICE_ARG(buf_view(&busy)));
		}
		start_say_wait(s, &wait);
		if (!pause_ms(&waits, RETRY_MS)) {
			return call_fail(&s->call, ERR_BUSY, "interrupted");
		}
	}
}
