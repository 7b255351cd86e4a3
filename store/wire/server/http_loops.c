/* http_loops - see http_loops.h */
#include "store/wire/server/http_loops.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/core/timing.h"
#include "store/wire/server/connections.h"
#include "store/wire/server/not_http.h"
#include "store/wire/server/server_int.h"

enum {
	LOOPS_MAX = 4,
	CPUS_MAX = 16 * 1024,   /* Linux supports 8192 */
	POOL_BYTES = 20 * 1024, /* memory of a connection, for a request's head of 16 KB */
	READY_BYTES = POOL_BYTES + 4 * 1024, /* all that libmicrohttpd allocates for a connection */
	PAUSE_MS = 50,   /* until the next accept, after one that lacked descriptors or memory */
	STUCK_MS = 1000, /* after this time without room or memory, lost connections are searched */
	FOR_EVER = -1,   /* timeout of poll() */
};

struct http_loop {
	struct http_loops *all;
	struct MHD_Daemon *daemon;

	/* on TCP */
	atomic_uint open;    /* connections that were passed to it and are not closed */
	atomic_uint pending; /* those of @open that it has not begun, or has lost */
};

struct http_loops {
	struct server *s;
	struct http_loop loops[LOOPS_MAX];
	unsigned n;

	/* on TCP */
	pthread_t acceptor;
	int wake; /* eventfd for the acceptor: there is room for a connection, or @ending; -1: none */
	atomic_uint open; /* connections of all loops; only the acceptor increases it */
	atomic_bool ending;
};

/* ------------------------------------------------------------ loops */

/* Return the number of loops that TCP has.  The kernel refuses a set for fewer processors than the machine has. */
static unsigned
http_loops_wanted(void)
{
	cpu_set_t cpus[CPUS_MAX / CPU_SETSIZE];
	int n = sched_getaffinity(0, sizeof(cpus), cpus) == 0 ? CPU_COUNT_S(sizeof(cpus), cpus) : 1;

	return n < LOOPS_MAX ? (unsigned)n : LOOPS_MAX;
}

static void
acceptor_wake(struct http_loops *ls)
{
	uint64_t one = 1;

	(void)!write(ls->wake, &one, sizeof(one)); /* cannot fail */
}

/* @n connections that were passed to @l are closed. */
static void
http_loop_lost(struct http_loop *l, unsigned n)
{
	(void)atomic_fetch_sub(&l->open, n);
	if (atomic_fetch_sub(&l->all->open, n) >= l->all->s->lent) {
		acceptor_wake(l->all);
	}
}

/*
 * Return whether there is memory for a connection, and for those that their loops have not begun: a loop loses a
 * connection that finds none.
 */
static bool
http_loops_can_open(const struct http_loops *ls)
{
	size_t n = 1;

	for (unsigned i = 0; i < LOOPS_MAX; i++) {
		n += atomic_load(&ls->loops[i].pending);
	}
	return mem_spare(READY_BYTES * n);
}

/* Callback of libmicrohttpd: the loop has accepted a connection itself. */
static enum MHD_Result
connection_may_open(void *loop, const struct sockaddr *from, socklen_t n)
{
	const struct http_loop *l = loop;

	(void)n;
	return l->all->s->socket == NULL || from->sa_family == AF_UNSPEC ||
			       http_loops_can_open(l->all)
		       ? MHD_YES
		       : MHD_NO;
}

/* Callback of libmicrohttpd: a connection was opened, or is about to be closed. */
static void
connection_changed(void *loop, struct MHD_Connection *connection, void **state,
		   enum MHD_ConnectionNotificationCode what)
{
	struct http_loop *l = loop;
	struct server *s = l->all->s;
	bool counted = s->socket == NULL; /* see http_loop_pass() */
	int fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
	const struct sockaddr *from =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS)
			->client_addr;

	if (from->sa_family == AF_UNSPEC) { /* no client: http_loop_settle() */
		return;
	}
	if (what == MHD_CONNECTION_NOTIFY_STARTED) {
		*state = connection_opened(s->connections, fd, from);
		(void)atomic_fetch_sub(&l->pending, counted);
		return;
	}
	/* At the end of the server, a client's request may be about to arrive. */
	if (counted && !atomic_load(&l->all->ending) && connection_is_first(*state)) {
		not_http_say(fd, &s->said_not_http);
	}
	connection_closed(s->connections, *state);
	if (counted) {
		http_loop_lost(l, 1);
	}
}

/* Return whether a descriptor is that of the socket @was: libmicrohttpd closes the listener after some errors only. */
static bool
http_loop_has_socket(int fd, const struct stat *was)
{
	struct stat is;

	return fstat(fd, &is) == 0 && is.st_dev == was->st_dev && is.st_ino == was->st_ino;
}

static bool
http_loop_start(struct http_loops *ls, struct http_loop *l)
{
	struct server *s = ls->s;
	struct stat listener_is;
	bool own = s->socket != NULL; /* it accepts connections itself */
	struct MHD_OptionItem listener[] = {
		{own ? MHD_OPTION_LISTEN_SOCKET : MHD_OPTION_END, s->listener, NULL},
		{MHD_OPTION_END, 0, NULL},
	};

	if (fstat(s->listener, &listener_is) < 0) {
		return false;
	}
	/* On TCP the acceptor keeps the limit; libmicrohttpd also counts a connection that it is closing. */
	l->all = ls;
	l->daemon = MHD_start_daemon(
		MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME |
			(own ? 0 : MHD_USE_NO_LISTEN_SOCKET),
		0, connection_may_open, l, request_access, s, MHD_OPTION_ARRAY, listener,
		MHD_OPTION_CONNECTION_LIMIT, own ? s->lent : s->lent + 1,
		MHD_OPTION_CONNECTION_TIMEOUT, timing_ms(TIMING_IDLE) / 1000,
		MHD_OPTION_NOTIFY_CONNECTION, connection_changed, l, MHD_OPTION_URI_LOG_CALLBACK,
		request_line, s, MHD_OPTION_NOTIFY_COMPLETED, request_completed, s,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_END);
	if (l->daemon == NULL && !http_loop_has_socket(s->listener, &listener_is)) {
		s->listener = -1;
	}
	return l->daemon != NULL;
}

/* Pass a connection to @l, which closes @fd.  On TCP it is counted.  Return: false if it was closed at once */
static bool
http_loop_pass(struct http_loop *l, int fd, const struct sockaddr *from, socklen_t n)
{
	bool counted = l->all->s->socket == NULL;

	(void)atomic_fetch_add(&l->open, counted);
	(void)atomic_fetch_add(&l->all->open, counted);
	(void)atomic_fetch_add(&l->pending, counted);
	bool passed = MHD_add_connection(l->daemon, fd, from, n) == MHD_YES;

	if (counted && !passed) {
		(void)atomic_fetch_sub(&l->pending, 1);
		http_loop_lost(l, 1);
	}
	return passed;
}

/*
 * Wait until the loop has begun, or lost, all connections that were passed to it before, or that it has accepted: it
 * takes them in order, and closes one more, which has no client and is not counted.  The wait lasts as long as the
 * requests that the loop executes.
 *
 * Return: false if that is not known
 */
static bool
http_loop_settle(struct http_loop *l)
{
	const struct sockaddr nobody = {.sa_family = AF_UNSPEC};
	int ends[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) < 0) {
		return false;
	}
	(void)shutdown(ends[0], SHUT_WR);
	bool passed = MHD_add_connection(l->daemon, ends[1], &nobody, sizeof(nobody)) == MHD_YES;

	if (passed) {
		(void)!read(ends[0], &byte, 1);
	}
	(void)close(ends[0]);
	return passed;
}

/* ------------------------------------------------------------ the acceptor */

static bool
acceptor_has_room(struct http_loops *ls)
{
	return atomic_load(&ls->open) < ls->s->lent;
}

/* Return the loop that has the fewest connections. */
static struct http_loop *
acceptor_choose(struct http_loops *ls)
{
	struct http_loop *l = &ls->loops[0];

	for (unsigned i = 1; i < ls->n; i++) {
		if (atomic_load(&ls->loops[i].open) < atomic_load(&l->open)) {
			l = &ls->loops[i];
		}
	}
	return l;
}

/*
 * Stop counting connections that loops have lost: a loop that has no memory for a connection closes it, and
 * libmicrohttpd reports neither its start nor its end.  No client is accepted meanwhile, also for other loops.
 */
static void
acceptor_find_lost(struct http_loops *ls)
{
	for (unsigned i = 0; i < ls->n; i++) {
		struct http_loop *l = &ls->loops[i];

		/* When the loop has settled, those that are still pending are lost. */
		if (atomic_load(&l->pending) > 0 && http_loop_settle(l)) {
			http_loop_lost(l, atomic_exchange(&l->pending, 0));
		}
	}
}

/* Accept the clients that wait.  Return false if there are not enough descriptors or not enough memory. */
static bool
acceptor_accept(struct http_loops *ls)
{
	while (acceptor_has_room(ls) && !atomic_load(&ls->ending)) {
		struct sockaddr_storage from = {0};
		socklen_t n = sizeof(from);

		if (!http_loops_can_open(ls)) {
			return false;
		}
		int fd = accept4(ls->s->listener, (struct sockaddr *)&from, &n,
				 SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0) {
			return errno != EMFILE && errno != ENFILE && errno != ENOBUFS &&
			       errno != ENOMEM;
		}
		(void)http_loop_pass(acceptor_choose(ls), fd, (const struct sockaddr *)&from, n);
	}
	return true;
}

/* Wait for acceptor_wake(), or for a client if @client is true, at most @timeout_ms. */
static void
acceptor_wait(struct http_loops *ls, bool client, int timeout_ms)
{
	struct pollfd fds[] = {
		{.fd = ls->wake, .events = POLLIN},
		{.fd = client ? ls->s->listener : -1, .events = POLLIN},
	};
	uint64_t times;

	(void)poll(fds, sizeof(fds) / sizeof(fds[0]), timeout_ms);
	(void)!read(ls->wake, &times, sizeof(times));
}

static void *
acceptor_run(void *arg)
{
	struct http_loops *ls = arg;
	bool pause = false;    /* there were not enough descriptors or not enough memory */
	uint64_t since_ns = 0; /* start of the time without room or memory, or the last search */

	while (!atomic_load(&ls->ending)) {
		bool full = !acceptor_has_room(ls);

		acceptor_wait(ls, !full && !pause, full ? STUCK_MS : pause ? PAUSE_MS : FOR_EVER);
		if (!full && !pause) {
			since_ns = clock_steady_ns();
		} else if (clock_steady_ns() - since_ns >= STUCK_MS * NS_PER_MS) {
			acceptor_find_lost(ls);
			since_ns = clock_steady_ns();
		}
		pause = !acceptor_accept(ls);
	}
	return NULL;
}

static bool
acceptor_start(struct http_loops *ls)
{
	ls->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return ls->wake >= 0 && fcntl(ls->s->listener, F_SETFL, O_NONBLOCK) == 0 &&
	       thread_start(&ls->acceptor, acceptor_run, ls) == 0;
}

/* ------------------------------------------------------------ interface */

struct http_loops *
http_loops_start(struct server *s)
{
	struct http_loops *ls = mem_new(struct http_loops);
	unsigned wanted = s->socket != NULL ? 1 : http_loops_wanted();

	ls->s = s;
	ls->wake = -1;
	while (ls->n < wanted && http_loop_start(ls, &ls->loops[ls->n])) {
		ls->n++;
	}
	if (ls->n == 0 || (s->socket == NULL && !acceptor_start(ls))) {
		http_loops_free(ls);
		return NULL;
	}
	return ls;
}

void
http_loops_end_accepting(struct http_loops *ls)
{
	if (ls->s->socket != NULL) {
		(void)MHD_quiesce_daemon(ls->loops[0].daemon);
		return;
	}
	atomic_store(&ls->ending, true);
	acceptor_wake(ls);
	(void)pthread_join(ls->acceptor, NULL);
	(void)close(ls->s->listener);
	ls->s->listener = -1;
}

void
http_loops_drain(struct http_loops *ls)
{
	const struct sockaddr_un unnamed = {.sun_family = AF_UNIX};
	int fd;

	(void)shutdown(ls->s->listener, SHUT_RD);
	while ((fd = accept4(ls->s->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		(void)http_loop_pass(&ls->loops[0], fd, (const struct sockaddr *)&unnamed,
				     sizeof(unnamed.sun_family));
	}
	(void)http_loop_settle(&ls->loops[0]);
}

void
http_loops_free(struct http_loops *ls)
{
	for (unsigned i = 0; i < ls->n; i++) {
		MHD_stop_daemon(ls->loops[i].daemon);
	}
	if (ls->wake >= 0) {
		(void)close(ls->wake);
	}
	free(ls);
}
