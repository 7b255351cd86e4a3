/*
 * start - the mount of a start, and the process that serves it
 *
 * This process mounts.  Then it either becomes the owner of the store, or asks the owner to serve the mount.
 */
#include "fs/daemon/start.h"

#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/core/escape.h"
#include "store/base/core/pause.h"
#include "store/base/core/timing.h"
#include "store/base/text/url.h"
#include "store/open.h"
#include "store/own.h"

#include "fs/daemon/daemon.h"
#include "fs/daemon/device.h"
#include "fs/daemon/join.h"
#include "fs/daemon/options.h"
#include "fs/daemon/owner.h"

enum {
	ATTEMPT_BUDGET = 4 * 1024 * 1024, /* bytes for one try to open the store */
	RETRY_MS = 20,
	MS_PER_S = 1000,
};

static bool
start_is_socket(const struct start *s)
{
	return s->point != NULL && device_is_socket(s->point);
}

/* Return: whether a signal ends this process, or itemctl at the other end of the socket has ended; for call.given_up */
static bool
start_is_given_up(const void *asker)
{
	const struct start *s = asker;
	struct pollfd end = {.fd = start_is_socket(s) ? s->device : -1};

	return daemon_is_told_to_end(NULL) || poll(&end, 1, 0) > 0; /* POLLHUP */
}

/* Mount, unless an earlier attempt has mounted already; see start_forget_mount(). */
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
 * Unmount, so that the next attempt mounts again.  An owner that ended without an answer may have begun to serve the
 * mount.
 */
static void
start_forget_mount(struct start *s)
{
	if (!s->mounted || start_is_socket(s)) {
		return;
	}
	cleanup_fd(&s->device);
	s->device = -1;
	(void)device_unmount(s->point, true);
	s->mounted = false;
}

/* Report to the parent process, or to the service manager, that the mount is ready. */
static void
start_say_ready(const struct start *s, const char *log)
{
	if (s->parent >= 0) {
		daemon_ready(s->parent, log);
	} else {
		daemon_notify("READY=1");
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
	(void)owner_close(w);
	return r;
}

int
start_own_endpoint(struct start *s)
{
	struct owner *w;

	s->call.given_up = start_is_given_up;
	s->call.asker = s;
	store_answer_within(s->options.has_timeout_request ? s->options.timeout_request_s
							   : timing_ms(TIMING_REQUEST) / MS_PER_S);
	int r = owner_open_endpoint(&s->call, s->store, start_is_socket(s) ? NULL : s->state,
				    &s->options, &w);

	s->call.given_up = NULL;
	s->call.asker = NULL;

	return r < 0 ? r : start_own(s, w);
}

int
start_await_dead(struct start *s)
{
	const struct call waits = {.given_up = start_is_given_up, .asker = s};
	uint64_t until = clock_steady_ms() + timing_ms(TIMING_START);

	while (store_dead_owner(s->store) != 0) {
		if (clock_steady_ms() >= until) {
			return store_refuse_dead(&s->call, s->store);
		}
		if (!pause_ms(&waits, RETRY_MS)) {
			return call_fail(&s->call, ERR_BUSY, "interrupted");
		}
	}
	return 0;
}

/* Unmount; the owner then commits and closes the connection.  true: there is nothing to wait for */
static bool
start_leave(const struct start *s)
{
	return s->point == NULL || start_is_socket(s) ||
	       (device_unmount(s->point, false) != 0 && device_unmount(s->point, true) == 0);
}

/* Handle a signal while waiting for the owner.  true: do not wait any longer; @again: it is not the first signal */
static bool
start_hear_signal(const struct start *s, int signals, bool again)
{
	struct signalfd_siginfo info;

	daemon_notify("STOPPING=1");
	return read(signals, &info, sizeof(info)) == sizeof(info) && (again || start_leave(s));
}

/*
 * Wait until the owner closes the connection.  For -f, for a server that ends with this process, and for a mount that
 * its owner may not unmount.
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
			r = start_await_dead(s);
		}
	} while (fds[0].revents == 0 && r >= 0);
	(void)close(fds[1].fd);
	if (r < 0) {
		return r;
	}
	/* An owner that was killed, or that may not unmount here, leaves a dead mount point. */
	if (s->point != NULL && !start_is_socket(s) && device_is_dead(s->point)) {
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
	c->given_up = start_is_given_up;
	c->asker = s;
	r = join_ask(c, conn, &in, &answer);
	c->given_up = NULL;
	c->asker = NULL;
	if (r == JOIN_NOBODY) {
		start_forget_mount(s);
	}
	if (r != 0) {
		return r;
	}
	if (answer.status > 0 && answer.status < ERR_COUNT) {
		return call_fail(c, (enum err)answer.status, "%s", answer.sentence);
	}
	cleanup_fd(&s->device);
	s->device = -1;
	if (s->point != NULL && !start_is_socket(s) && stat(s->point, &st) != 0) {
		return call_fail(c, ERR_IO, "%s does not answer: %m", s->point);
	}
	start_say_address(s, answer.sentence);
	if (s->options.foreground || s->point == NULL || join_is_foreign(conn)) {
		start_say_ready(s, s->log);
		return start_wait_for_end(s, conn);
	}
	return 0;
}

/* Try once to own the store.  If it is taken, @busy gets the message about its owner. */
static int
start_try_own(struct start *s, struct buf *busy, struct owner **out)
{
	struct call attempt;

	call_open(&attempt, clock_now_ms(), ATTEMPT_BUDGET);
	int r = owner_open(&attempt, s->store, s->options.create, out);

	if (r < 0) {
		r = call_adopt(&s->call, &attempt);
	}
	if (r == OWNER_TAKEN) {
		buf_clear(busy);
		buf_str(busy, attempt.error.message);
	}
	call_close(&attempt);
	return r;
}

/* Try to join the owner.  A mount that is one too many is refused; itemctl tries again, unless it is the @last time. */
static int
start_try_join(struct start *s, bool last)
{
	struct arena_mark before = arena_mark(&s->call.arena);
	int conn;
	int r = join_connect(&s->call, s->store, &conn);

	if (r == 0) {
		r = start_join(s, conn);
		(void)close(conn);
	}
	if (r == -ERR_LIMIT && !last && start_is_socket(s)) {
		arena_reset(&s->call.arena, before);
		s->call.error = (struct error){0};
		r = JOIN_NOBODY;
	}
	return r;
}

/* How long start_own_or_join() tries, in steady time. */
struct start_wait {
	uint64_t until_ms;
	uint64_t say_ms; /* when to print the process that it waits for */
	bool said;
};

static void
start_wait_begin(struct start_wait *w)
{
	uint64_t now = clock_steady_ms();

	w->until_ms = now + timing_ms(TIMING_START);
	w->say_ms = now + timing_ms(TIMING_WAITING);
}

/* Print once, to standard error, which process has the store open. */
static void
start_say_wait(const struct start *s, struct start_wait *w)
{
	cleanup(buf_release) struct buf owner = {0};

	if (w->said || clock_steady_ms() < w->say_ms || !store_put_owner(s->store, &owner)) {
		return;
	}
	w->said = true;

	cleanup(buf_release) struct buf shown = {0};

	(void)escape_put(&shown, buf_view(&owner), SIZE_MAX);
	(void)fprintf(stderr, "itemfs: waiting for %.*s, which has the store open\n",
		      SLICE_ARG(buf_view(&shown)));
}

/* The owner may have been killed while this process waited for its answer. */
static int
start_refuse_busy(struct start *s, const struct buf *busy)
{
	int r = store_refuse_dead(&s->call, s->store);

	return r < 0 ? r
		     : call_fail(
			       &s->call, ERR_BUSY,
			       "%.*s, which does not share it: try again when that process has ended",
			       SLICE_ARG(buf_view(busy)));
}

/*
 * An owner may end between the attempt to own the store and the attempt to join, and a new owner has the lock before it
 * listens.  So both are tried repeatedly, for a limited time.
 */
int
start_own_or_join(struct start *s)
{
	const struct call waits = {.given_up = start_is_given_up, .asker = s};
	struct start_wait wait = {0};
	struct buf busy; /* the process that has the store, for the message */

	start_wait_begin(&wait);
	buf_init(&busy, &s->call.arena);
	for (;;) {
		/* The owner may end while it is asked, after the time is over: then this process tries once more. */
		bool last = clock_steady_ms() > wait.until_ms;
		struct owner *w;
		int r = start_try_own(s, &busy, &w);

		if (r == 0) {
			return start_own(s, w);
		}
		if (r == OWNER_TAKEN && store_dead_owner(s->store) != 0) {
			r = start_await_dead(s);
			if (r < 0) {
				return r;
			}
			start_wait_begin(&wait);
			continue;
		}
		if (r == OWNER_TAKEN) {
			r = start_try_join(s, last);
		}
		if (r != JOIN_NOBODY) {
			return r;
		}
		if (last) {
			return start_refuse_busy(s, &busy);
		}
		start_say_wait(s, &wait);
		if (!pause_ms(&waits, RETRY_MS)) {
			return call_fail(&s->call, ERR_BUSY, "interrupted");
		}
	}
}
