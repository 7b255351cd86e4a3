/*
 * owner - the main thread of the owner: guests, signals, joining processes
 *
 * owner_open.c opens the store; session.c serves each mount point, store/wire/server/server.h each address.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/system/say.h"
#include "store/engine/engine.h"
#include "store/engine/sweeper.h"
#include "store/wire/server/server.h"

#include "fs/core/hub.h"
#include "fs/core/mount_int.h"
#include "fs/daemon/daemon.h"
#include "fs/daemon/device.h"
#include "fs/daemon/join.h"
#include "fs/daemon/options.h"
#include "fs/daemon/owner_int.h"
#include "fs/daemon/session.h"
#include "fs/saved/unstored.h"

enum {
	CALL_BUDGET = 1024 * 1024, /* bytes for one request to mount */
	MS_PER_S = 1000,
};

/* ------------------------------------------------------------ guests */

static struct guest *
guest_new(struct owner *w, int conn)
{
	for (size_t i = 0; i < SLOTS; i++) {
		struct guest *g = &w->guests[i];

		if (!g->used) {
			*g = (struct guest){.used = true, .conn = conn, .reader = -1};
			call_open(&g->call, clock_now_ms(), CALL_BUDGET);
			return g;
		}
	}
	return NULL;
}

/* A process that has connected but not yet sent its request does not keep the owner running: it can try again. */
static bool
is_needed(const struct owner *w)
{
	for (size_t i = 0; i < SLOTS; i++) {
		if (w->guests[i].used && w->guests[i].asked) {
			return true;
		}
	}
	return false;
}

/*
 * End the mount and the server, then close the connection, which tells a waiting process that they have ended.  itemctl
 * waits for the end of its socket: without other guests, that is when this process has ended.
 */
static void
guest_end(struct owner *w, struct guest *g)
{
	int reader = g->reader;

	if (g->mounted) {
		session_stop(&g->session);
	}
	server_stop(g->server);
	cleanup_fd(&g->conn);
	call_close(&g->call);
	*g = (struct guest){.used = false};
	if (reader >= 0 && !is_needed(w)) {
		w->reader = reader;
	} else {
		cleanup_fd(&reader);
	}
}

/* Log the start or end of a mount.  Those of itemctl, without a mount point, are many and short. */
static void
owner_say_mount(const struct guest *g, const char *what)
{
	if (!device_is_socket(g->session.point)) {
		say("%s %s", g->session.point, what);
	}
}

static size_t
owner_count(const struct owner *w, bool and_leaving)
{
	size_t n = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		n += w->guests[i].used && (and_leaving || !w->guests[i].session.leaving);
	}
	return n;
}

static int
guest_listen(struct call *c, struct owner *w, struct guest *g, const struct options *o)
{
	const struct server_options so = {.listen = o->listen,
					  .credentials = o->credentials,
					  .trust_network = o->trust_network,
					  .cors = o->cors,
					  .host = o->host,
					  .patterns = o->patterns,
					  .log = o->request_log,
					  .token = o->token};

	return server_start(c, w->engine, &so, &g->server);
}

/*
 * Start the mount and the server of a guest.
 * @in:      the mount; its descriptor is taken over, also on failure
 * @address: set to the address of listen=, or to ""
 */
static int
guest_begin(struct owner *w, struct guest *g, const struct options *o,
	    const struct join_request *in, const char **address)
{
	struct call *c = &g->call;
	int r = 0;

	*address = "";
	if (o->has_ttl_sweep && w->marked == NULL) {
		sweeper_every(w->sweeper, (uint64_t)o->ttl_sweep_s * MS_PER_S);
	}
	if (o->listen != NULL) {
		r = guest_listen(c, w, g, o);
		if (r < 0) {
			cleanup_fd(&in->device);
			return r;
		}
		*address = server_address(c, g->server, o->listen);
	}
	if (in->device >= 0 && device_is_socket(in->point)) {
		g->reader = fcntl(in->device, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	}
	if (in->device >= 0) {
		r = session_start(c, w->hub, o, in->point, in->number, in->device, w->ended,
				  &g->session);
		g->mounted = r == 0;
	}
	if (g->mounted) {
		unstored_on(&g->session.mount->unstored, in->terminal);
	}
	return r;
}

/* ------------------------------------------------------------ joining processes */

/* Wait for an older mount at @point that is ending, so that the new mount shows everything that was written to it. */
static void
await_end(struct owner *w, const char *point)
{
	for (size_t i = 0; i < SLOTS; i++) {
		struct guest *g = &w->guests[i];

		if (g->used && g->session.leaving && strcmp(g->session.point, point) == 0) {
			owner_say_mount(g, "is unmounted");
			guest_end(w, g);
		}
	}
}

static int
guest_serve(struct owner *w, struct guest *g, const struct join_request *in, const char **address)
{
	struct options o = {.kernel = ""};
	int r = options_read(&g->call, in->options, &o);

	if (r == 0 && owner_count(w, false) > GUESTS_MAX) {
		r = call_fail(&g->call, ERR_LIMIT,
			      "the store's daemon already serves the maximum number of mounts");
	}
	if (r < 0) {
		cleanup_fd(&in->device);
		return r;
	}
	if (in->device >= 0 && !device_is_socket(in->point)) {
		await_end(w, in->point);
	}
	if (w->marked != NULL) {
		o.ro = true;
		o.ro_why = w->marked;
	}
	return guest_begin(w, g, &o, in, address);
}

/* The connection is readable: read the request, or note that the connection was closed. */
static void
guest_hear(struct owner *w, struct guest *g)
{
	struct join_request in;
	struct join_answer answer = {.sentence = ""};
	int r = 0;

	if (g->asked && g->mounted) {
		/* The joining process has ended; its mount stays. */
		(void)close(g->conn);
		g->conn = -1;
		return;
	}
	r = g->asked ? JOIN_NOBODY : join_receive(&g->call, g->conn, &in);
	if (r == JOIN_NOBODY) {
		guest_end(w, g);
		return;
	}
	g->asked = true;
	if (r == 0) {
		r = guest_serve(w, g, &in, &answer.sentence);
	}
	if (r < 0) {
		answer = (struct join_answer){-r, g->call.error.message};
	}
	join_reply(g->conn, &answer);
	if (r < 0) {
		guest_end(w, g);
	} else if (g->mounted) {
		owner_say_mount(g, "joins");
	}
}

static void
owner_let_in(struct owner *w)
{
	int conn = join_accept(w->listener);

	if (conn >= 0 && guest_new(w, conn) == NULL) {
		(void)close(conn);
	}
}

/* ------------------------------------------------------------ start and end */

int
owner_start(struct call *c, struct owner *w, const struct options *o, const char *point, int device,
	    const char *terminal)
{
	assert((device >= 0) == (point != NULL));
	struct guest *g = guest_new(w, -1);
	struct join_request in = {.device = device, .terminal = terminal};
	const char *address = "";
	struct stat st;

	if (g == NULL) {
		return call_fail(c, ERR_LIMIT,
				 "the store's daemon already serves the maximum number of mounts");
	}
	g->asked = true;
	if (point != NULL) {
		in.point = slice_cstr(&g->call.arena, slice_from(point));
		in.number = device_number(point);
	}
	int r = guest_begin(w, g, o, &in, &address);

	if (r < 0) {
		return call_fail(c, (enum err) - r, "%s", g->call.error.message);
	}
	(void)snprintf(w->address, sizeof(w->address), "%s", address);
	/* The first lookup.  Other threads answer it; the process accesses its own mounts only here. */
	if (point != NULL && !device_is_socket(point) && stat(point, &st) != 0) {
		return call_fail(c, ERR_IO, "%s does not answer: %m", point);
	}
	return 0;
}

const char *
owner_log(const struct owner *w)
{
	return w->log;
}

const char *
owner_address(const struct owner *w)
{
	return w->address;
}

int
owner_close(struct owner *w)
{
	if (w == NULL) {
		return -1;
	}
	/* Stop accepting first: a process that cannot connect tries again, and soon gets the lock. */
	if (w->listener >= 0) {
		join_unlink(w->at);
		(void)close(w->listener);
	}
	for (size_t i = 0; i < SLOTS; i++) {
		struct guest *g = &w->guests[i];

		if (!g->used) {
			continue;
		}
		if (g->mounted && w->term) {
			owner_say_mount(g,
					"is unmounted because this process ends: mount it again");
		}
		guest_end(w, g);
	}
	daemon_let_signals_end_it();
	sweeper_stop(w->sweeper);
	server_stop(w->door);
	hub_free(w->hub);
	engine_close(w->engine);
	cleanup_fd(&w->signals);
	cleanup_fd(&w->ended);
	cleanup_fd(&w->at);
	int reader = w->reader;

	free(w->below);
	free(w->log);
	free(w->marked);
	free(w);
	return reader;
}

/* ------------------------------------------------------------ the main loop */

static void
hear_signals(struct owner *w, bool daemon)
{
	struct signalfd_siginfo info;

	while (read(w->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP) {
			w->term = true;
			daemon_notify("STOPPING=1");
		} else if (daemon) {
			daemon_reopen(w->log);
		}
	}
}

static void
reap(struct owner *w)
{
	uint64_t count;

	if (read(w->ended, &count, sizeof(count)) != sizeof(count)) {
		return;
	}
	for (size_t i = 0; i < SLOTS; i++) {
		struct guest *g = &w->guests[i];

		if (g->used && g->mounted && session_reap(&g->session)) {
			owner_say_mount(g, "is unmounted");
			guest_end(w, g);
		}
	}
}

static nfds_t
owner_gather(struct owner *w, struct pollfd *fds, struct guest **who)
{
	nfds_t n = 0;

	fds[n++] = (struct pollfd){.fd = w->signals, .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = w->ended, .events = POLLIN};
	/* When all slots are in use, further connections wait in the queue of the socket. */
	fds[n++] = (struct pollfd){w->listener, owner_count(w, true) < SLOTS ? POLLIN : 0, 0};
	for (size_t i = 0; i < SLOTS; i++) {
		if (w->guests[i].used && w->guests[i].conn >= 0) {
			who[n] = &w->guests[i];
			fds[n++] = (struct pollfd){.fd = w->guests[i].conn, .events = POLLIN};
		}
	}
	return n;
}

void
owner_run(struct owner *w, bool daemon)
{
	hub_report(w->hub);
	struct pollfd fds[3 + SLOTS];
	struct guest *who[3 + SLOTS];

	while (!w->term && is_needed(w)) {
		nfds_t n = owner_gather(w, fds, who);

		if (poll(fds, n, -1) < 0) {
			continue;
		}
		/* Guests first: owner_let_in() may reuse slots that were freed in this round. */
		for (nfds_t i = 3; i < n; i++) {
			/* One guest may have ended another one in this round: see await_end(). */
			if (fds[i].revents != 0 && who[i]->used) {
				guest_hear(w, who[i]);
			}
		}
		if (fds[0].revents != 0) {
			hear_signals(w, daemon);
		}
		if (fds[1].revents != 0) {
			reap(w);
		}
		if (fds[2].revents != 0) {
			owner_let_in(w);
		}
	}
}
