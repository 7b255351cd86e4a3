/* owner_open - opens a store or an endpoint for the owner */
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include "store/base/system/say.h"
#include "store/base/system/socket_path.h"
#include "store/base/system/trust.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/engine/guard.h"
#include "store/engine/sweeper.h"
#include "store/mark.h"
#include "store/open.h"
#include "store/own.h"
#include "store/wire/proto/wire.h"
#include "store/wire/server/server.h"

#include "fs/core/hub.h"
#include "fs/daemon/allowance.h"
#include "fs/daemon/daemon.h"
#include "fs/daemon/join.h"
#include "fs/daemon/options.h"
#include "fs/daemon/owner.h"
#include "fs/daemon/owner_int.h"
#include "fs/saved/state.h"

/* A path in place of a directory: no file exists or can be made below it. */
static const char no_directory[] = "/dev/null";

static int
open_doors(struct call *c, struct owner *w)
{
	char socket[SOCKET_PATH_MAX];

	w->hub = hub_new(w->engine, w->store, w->below, w->store);
	/* A read-only disk cannot have sockets, so no other process can use the store meanwhile. */
	if (access(w->store, W_OK) != 0 && errno == EROFS) {
		return 0;
	}
	int r = socket_path_below(c, w->at, WIRE_SOCKET, socket);
	const struct server_options so = {
		.socket = socket,
		.socket_shown = arena_print(&c->arena, "%s/" WIRE_SOCKET, w->store),
		.refused = hub_refused,
		.refused_arg = w->hub};

	r = r < 0 ? r : server_start(c, w->engine, &so, &w->door);

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
	return sweeper_start(c, w->engine, w->marked == NULL ? SWEEPER_BY_COST : 0, sweep_failed,
			     &w->sweeper);
}

static int
open_events(struct call *c, struct owner *w)
{
	sigset_t set;

	daemon_signals(&set);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	w->ended = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return w->signals < 0 || w->ended < 0
		       ? call_fail(c, ERR_IO, "cannot create file descriptors: %m")
		       : 0;
}

static struct owner *
owner_new(const char *store, struct engine *engine)
{
	struct owner *w = mem_new(struct owner);

	*w = (struct owner){.store = store,
			    .engine = engine,
			    .at = -1,
			    .listener = -1,
			    .signals = -1,
			    .ended = -1,
			    .reader = -1};
	return w;
}

/* Check the directory and keep it open, so that later renames do not change which files are used. */
static int
owner_pin(struct call *c, struct owner *w, const char *dir)
{
	int r = state_pin(c, dir, &w->at, &w->below);

	w->log = r < 0 ? NULL : state_path(w->below, "log");
	return r;
}

/* Refuse writes to a marked store through all front ends. */
static void
owner_open_read_mark(struct call *c, struct owner *w)
{
	const char *why = store_mark(c, w->store);

	if (why != NULL) {
		w->engine = guard_refuse(w->engine, why);
		w->marked = mem_string(why);
	}
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

	owner_open_read_mark(c, w);
	r = owner_pin(c, w, store);
	if (r == 0) {
		r = open_events(c, w);
	}
	if (r == 0) {
		r = open_doors(c, w);
	}
	if (r == 0) {
		r = open_sweeper(c, w);
	}
	if (r < 0) {
		(void)owner_close(w);
		return r;
	}
	*out = w;
	return 0;
}

/* Send the first request.  With a table, describe that: a user with access to only one table may not list tables. */
static int
owner_open_greet(struct call *c, struct engine *e, const char *table)
{
	struct describe_table_in one = {.table = slice_from(table == NULL ? "" : table)};
	struct describe_table_out described = {0};
	struct list_tables_in all = {.limit = 1};
	struct list_tables_out names = {0};

	return table != NULL ? engine_describe_table(e, c, &one, &described)
			     : engine_list_tables(e, c, &all, &names);
}

/* Send the first request for itemctl.  Its paths name their tables, so the user need not be allowed to list tables. */
static int
owner_open_greet_reader(struct call *c, struct engine *e)
{
	int r = owner_open_greet(c, e, NULL);

	if (r == -ERR_ACCESS) {
		c->error = (struct error){0};
		r = 0;
	}
	return r;
}

/* Make and open the directory of an endpoint's mount, after the first request: a failed start leaves none. */
static int
owner_open_state(struct call *c, struct owner *w, const char *state)
{
	int r = state_make(c, state);

	return r < 0 ? r : owner_pin(c, w, state);
}

int
owner_open_endpoint(struct call *c, const char *name, const char *state, const struct options *o,
		    struct owner **out)
{
	struct engine *engine;
	int r = state == NULL || access(state, F_OK) != 0 ? 0 : trust_check(c, state);

	r = r < 0 ? r : store_open(c, name, false, &engine);

	if (r < 0) {
		return r;
	}
	engine = allowance_open(engine, o);
	struct owner *w = owner_new(name, engine);

	r = open_events(c, w);
	if (r == 0 && state != NULL) {
		r = owner_open_greet(c, engine, o->table);
		r = r < 0 ? r : owner_open_state(c, w, state);
	} else if (r == 0) {
		r = owner_open_greet_reader(c, engine);
		w->below = mem_string(no_directory);
		state = no_directory;
	}
	if (r < 0) {
		(void)owner_close(w);
		return r;
	}
	w->hub = hub_new(engine, url_shown(&c->arena, name), w->below, state);
	*out = w;
	return 0;
}
