/*
 * The owner's thread.  Before this: main.c has read the options and found that nobody else
 * owns the store.  Below: session.c for each mount point, store/wire/server.h for each address.
 */
#include "fs/owner.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/mem.h"
#include "store/base/say.h"
#include "store/base/url.h"
#include "store/engine/sweeper.h"
#include "store/open.h"
#include "store/own.h"
#include "store/wire/server.h"
#include "store/wire/wire.h"

#include "fs/daemon.h"
#include "fs/device.h"
#include "fs/join.h"
#include "fs/mount.h"
#include "fs/notify.h"
#include "fs/session.h"

enum {
	GUESTS_MAX = 64,           /* mounts and servers of one daemon */
	SLOTS = GUESTS_MAX + 1,    /* and one to tell the next that there is no room */
	CALL_BUDGET = 1024 * 1024, /* bytes for one request to mount */
	MS_PER_S = 1000,
};

/*
 * Somebody for whom this process works: a mount, a server on TCP, or both.
 * A mount ends when the kernel unmounts; a guest without one when its
 * connection closes; the owner's own server only with the process.
 */
struct guest {
	bool used;
	bool mounted;          /* session is alive */
	bool asked;            /* the request has been read */
	int conn;              /* to the process that joined, or -1 */
	struct server *server; /* listen=, or NULL */
	struct session session;
	struct call call; /* memory of the strings; closed with the guest */
};

struct owner {
	const char *store;
	struct engine *engine;
	struct hub *hub;
	/* Not of an endpoint: */
	struct sweeper *sweeper;
	struct server *door; /* the HTTP door on STORE/socket */
	int listener;        /* STORE/mount; or -1 */
	int signals;         /* signalfd */
	int ended;           /* eventfd: a session is over */
	bool term;           /* SIGTERM or SIGINT came */
	char address[128];   /* of the owner's own listen=, or "" */
	struct guest guests[SLOTS];
};

/* ------------------------------------------------------------ guests */

static struct guest *
guest_new(struct owner *w, int conn)
{
	for (size_t i = 0; i < SLOTS; i++) {
		struct guest *g = &w->guests[i];

		if (!g->used) {
			*g = (struct guest){.used = true, .conn = conn};
			call_open(&g->call, clock_now_ms(), CALL_BUDGET);
			return g;
		}
	}
	return NULL;
}

/* Its mount and its server end; then whoever waits at the other end learns of it. */
static void
guest_end(struct guest *g)
{
	if (g->mounted) {
		session_stop(&g->session);
	}
	server_stop(g->server);
	if (g->conn >= 0) {
		(void)close(g->conn);
	}
	call_close(&g->call);
	*g = (struct guest){.used = false};
}

static size_t
count(const struct owner *w, bool and_leaving)
{
	size_t n = 0;

	for (size_t i = 0; i < SLOTS; i++) {
		n += w->guests[i].used && (and_leaving || !w->guests[i].session.leaving);
	}
	return n;
}

/* Who has only connected is nobody yet: he may never ask. When this process ends, he asks the next. */
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

/* "[::1]:0" and "127.0.0.1:0" with the port that the kernel chose. */
static const char *
address_got(struct call *c, const char *listen, const struct server *s)
{
	const char *colon = strrchr(listen, ':');
	size_t host = colon == NULL ? strlen(listen) : (size_t)(colon - listen);
	size_t size = host + sizeof(":65535");
	char *text = arena_new(&c->arena, char, size);

	(void)snprintf(text, size, "%.*s:%d", (int)host, listen, server_port(s));
	return text;
}

static int
guest_listen(struct call *c, struct owner *w, struct guest *g, const struct options *o)
{
	const struct server_options so = {
		.listen = o->listen, .credentials = o->credentials, .cors = o->cors};

	return server_start(c, w->engine, &so, &g->server);
}

/*
 * What one set of options asks for; the descriptor is taken, also on failure.
 * @in:      the mount
 * @address: "", or where listen= listens now
 */
static int
guest_begin(struct owner *w, struct guest *g, const struct options *o,
	    const struct join_request *in, const char **address)
{
	struct call *c = &g->call;
	int r = 0;

	*address = "";
	if (o->has_ttl_sweep) {
		sweeper_every(w->sweeper, (uint64_t)o->ttl_sweep_s * MS_PER_S);
	}
	if (o->listen != NULL) {
		r = guest_listen(c, w, g, o);
		if (r < 0) {
			cleanup_fd(&in->device);
			return r;
		}
		*address = address_got(c, o->listen, g->server);
	}
	if (in->device >= 0) {
		r = session_start(c, w->hub, o, in->point, in->number, in->device, w->ended,
				  &g->session);
		g->mounted = r == 0;
	}
	return r;
}

/* ------------------------------------------------------------ joining processes */

static int
guest_serve(struct owner *w, struct guest *g, const struct join_request *in, const char **address)
{
	struct options o = {.kernel = ""};
	int r = options_read(&g->call, in->options, &o);

	if (r == 0 && count(w, false) > GUESTS_MAX) {
		r = call_fail(&g->call, ERR_LIMIT,
			      "the store's daemon has no room for more mounts");
	}
	if (r < 0) {
		cleanup_fd(&in->device);
		return r;
	}
	return guest_begin(w, g, &o, in, address);
}

/* The connection is readable: the request, or its end. */
static void
guest_hear(struct owner *w, struct guest *g)
{
	struct join_request in;
	struct join_answer answer = {.sentence = ""};
	int r = 0;

	if (g->asked && g->mounted) {
		/* The joining process has ended; its mount goes on without it. */
		(void)close(g->conn);
		g->conn = -1;
		return;
	}
	r = g->asked ? JOIN_NOBODY : join_receive(&g->call, g->conn, &in);
	if (r == JOIN_NOBODY) {
		guest_end(g);
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
		guest_end(g);
	} else if (g->mounted) {
		say("%s joins", g->session.point);
	}
}

static void
let_in(struct owner *w)
{
	int conn = join_accept(w->listener);

	if (conn >= 0 && guest_new(w, conn) == NULL) {
		(void)close(conn);
	}
}

/* ------------------------------------------------------------ start and end */

static int
open_doors(struct call *c, struct owner *w)
{
	size_t size = strlen(w->store) + sizeof("/" WIRE_SOCKET);
	char *socket = arena_new(&c->arena, char, size);

	w->hub = hub_new(w->engine, w->store, w->store);
	(void)snprintf(socket, size, "%s/%s", w->store, WIRE_SOCKET);

	const struct server_options so = {
		.socket = socket, .refused = hub_refused, .refused_arg = w->hub};

	int r = server_start(c, w->engine, &so, &w->door);

	return r < 0 ? r : join_listen(c, w->store, &w->listener);
}

static void
sweep_failed(const struct error *e)
{
	say("the TTL sweep ended early: %s", e->message);
}

static int
open_sweeper(struct call *c, struct owner *w)
{
	const struct sweeper_options o = {.every_ms = SWEEPER_EVERY_MS, .failed = sweep_failed};

	return sweeper_start(c, w->engine, &o, &w->sweeper);
}

static int
open_events(struct call *c, struct owner *w)
{
	sigset_t set;

	daemon_signals(&set);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	w->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return w->signals < 0 || w->ended < 0 ? call_fail(c, ERR_IO, "no descriptors: %m") : 0;
}

static struct owner *
owner_new(const char *store, struct engine *engine)
{
	struct owner *w = mem_new(struct owner);

	*w = (struct owner){
		.store = store, .engine = engine, .listener = -1, .signals = -1, .ended = -1};
	return w;
}

int
owner_open(struct call *c, const char *store, bool create, struct owner **out)
{
	struct engine *engine;
	int r = store_own(c, store, create, &engine);

	if (r == -ERR_BUSY) {
		return OWNER_TAKEN;
	}
	if (r < 0) {
		return r;
	}
	struct owner *w = owner_new(store, engine);

	r = open_events(c, w);
	if (r == 0) {
		r = open_doors(c, w);
	}
	if (r == 0) {
		r = open_sweeper(c, w);
	}
	if (r < 0) {
		owner_close(w);
		return r;
	}
	*out = w;
	return 0;
}

/* Is somebody there, who lets us in?  Who may use one table only may not list them. */
static int
greet(struct call *c, struct engine *e, const char *table)
{
	struct describe_table_in one = {.table = slice_from(table == NULL ? "" : table)};
	struct describe_table_out described = {0};
	struct list_tables_in all = {.limit = 1};
	struct list_tables_out names = {0};

	return table != NULL ? engine_describe_table(e, c, &one, &described)
			     : engine_list_tables(e, c, &all, &names);
}

int
owner_open_endpoint(struct call *c, const char *name, const char *state, const char *table,
		    struct owner **out)
{
	struct engine *engine;
	int r = store_open(c, name, false, &engine);

	if (r < 0) {
		return r;
	}
	struct owner *w = owner_new(name, engine);

	w->hub = hub_new(engine, url_shown(&c->arena, name), state);
	r = open_events(c, w);
	if (r == 0) {
		r = greet(c, engine, table);
	}
	if (r < 0) {
		owner_close(w);
		return r;
	}
	*out = w;
	return 0;
}

int
owner_start(struct call *c, struct owner *w, const struct options *o, const char *point, int device)
{
	struct guest *g = guest_new(w, -1);
	struct join_request in = {.device = device};
	const char *address = "";
	struct stat st;

	if (g == NULL) {
		return call_fail(c, ERR_LIMIT, "no room for a mount");
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
	/* The threads of the session answer: this is the only time that this process looks. */
	if (point != NULL && stat(point, &st) != 0) {
		return call_fail(c, ERR_IO, "%s does not answer: %m", point);
	}
	return 0;
}

const char *
owner_address(const struct owner *w)
{
	return w->address;
}

void
owner_close(struct owner *w)
{
	if (w == NULL) {
		return;
	}
	/* Nobody new first: who is refused now finds the lock free a moment later. */
	if (w->listener >= 0) {
		join_unlink(w->store);
		(void)close(w->listener);
	}
	for (size_t i = 0; i < SLOTS; i++) {
		if (w->guests[i].used) {
			guest_end(&w->guests[i]);
		}
	}
	daemon_let_signals_end_it();
	sweeper_stop(w->sweeper);
	server_stop(w->door);
	hub_free(w->hub);
	engine_close(w->engine);
	if (w->signals >= 0) {
		(void)close(w->signals);
	}
	if (w->ended >= 0) {
		(void)close(w->ended);
	}
	free(w);
}

/* ------------------------------------------------------------ the thread's life */

static void
hear_signals(struct owner *w, const char *log)
{
	struct signalfd_siginfo info;

	while (read(w->signals, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP) {
			w->term = true;
			notify("STOPPING=1");
		} else if (log != NULL) {
			daemon_reopen(log);
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
			say("%s is unmounted", g->session.point);
			guest_end(g);
		}
	}
}

static nfds_t
gather(struct owner *w, struct pollfd *fds, struct guest **who)
{
	nfds_t n = 0;

	fds[n++] = (struct pollfd){.fd = w->signals, .events = POLLIN};
	fds[n++] = (struct pollfd){.fd = w->ended, .events = POLLIN};
	/* Who finds all slots taken waits in the listener's queue. */
	fds[n++] = (struct pollfd){w->listener, count(w, true) < SLOTS ? POLLIN : 0, 0};
	for (size_t i = 0; i < SLOTS; i++) {
		if (w->guests[i].used && w->guests[i].conn >= 0) {
			who[n] = &w->guests[i];
			fds[n++] = (struct pollfd){.fd = w->guests[i].conn, .events = POLLIN};
		}
	}
	return n;
}

void
owner_run(struct owner *w, const char *log)
{
	struct pollfd fds[3 + SLOTS];
	struct guest *who[3 + SLOTS];

	while (!w->term && is_needed(w)) {
		nfds_t n = gather(w, fds, who);

		if (poll(fds, n, -1) < 0) {
			continue;
		}
		/* Guests that end in reap() have their slot reused by let_in() only afterwards. */
		for (nfds_t i = 3; i < n; i++) {
			if (fds[i].revents != 0) {
				guest_hear(w, who[i]);
			}
		}
		if (fds[0].revents != 0) {
			hear_signals(w, log);
		}
		if (fds[1].revents != 0) {
			reap(w);
		}
		if (fds[2].revents != 0) {
			let_in(w);
		}
	}
}
