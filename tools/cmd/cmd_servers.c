/* cmd_servers - status, wait, stop: list, await and end servers of this machine */
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>

#include "store/base/core/clock.h"
#include "store/base/text/url.h"
#include "store/engine/engine.h"
#include "store/open.h"
#include "store/wire/proto/endpoint.h"

#include "tools/cmd/cmd.h"
#include "tools/out/out.h"
#include "tools/session/ctl.h"
#include "tools/system/find_store.h"
#include "tools/system/other_store.h"
#include "tools/system/servers.h"
#include "tools/system/stop.h"
#include "tools/text/row.h"

enum {
	SERVERS_PAUSE_MS = 50,  /* between two requests of wait */
	SERVERS_END_MS = 30000, /* how long stop waits */
	SERVERS_WAIT_S = 60,    /* default of --timeout */
	SERVERS_MS = 1000,      /* in a second */
	SERVERS_NAMED = 8,      /* servers that a message names */
};

struct servers_opts {
	struct opt_count port;
	struct opt_count timeout;
	bool env;
};

static const struct opt status_opts[] = {
	{"port", 'p', OPT_COUNT, "N", offsetof(struct servers_opts, port), "the server on port N"},
	{"env", 0, OPT_FLAG, NULL, offsetof(struct servers_opts, env),
	 "print the variables that SDKs need for it: eval \"$(itemctl status --env)\""},
	OPTS_END(struct servers_opts),
};

static const struct opt servers_opts[] = {
	{"port", 'p', OPT_COUNT, "N", offsetof(struct servers_opts, port), "the server on port N"},
	OPTS_END(struct servers_opts),
};

static const struct opt wait_opts[] = {
	{"port", 'p', OPT_COUNT, "N", offsetof(struct servers_opts, port), "the server on port N"},
	{"timeout", 0, OPT_COUNT, "SEC", offsetof(struct servers_opts, timeout),
	 "give up after SEC seconds (60); the exit status is 1"},
	OPTS_END(struct servers_opts),
};

/* Set ctl->store to the URL or the store directory of the server that a word or --port names, if there is one. */
static int
servers_named(struct ctl *ctl, struct call *c, const struct words *words,
	      const struct servers_opts *o)
{
	if (words->n + o->port.given + ctl->store_given > 1) {
		return call_fail(c, ERR_USAGE, "%s: give only one of -s, --port and a word",
				 ctl->command->name);
	}
	if (o->port.given && (o->port.n == 0 || o->port.n > UINT16_MAX)) {
		return call_fail(c, ERR_USAGE, "--port must be 1 to %d", UINT16_MAX);
	}
	if (o->port.given) {
		ctl->store = servers_url(c, (unsigned)o->port.n);
	}
	return words->n == 0 ? 0 : find_store(c, words->at[0], &ctl->store);
}

/* Return true if @named is the URL or the store of the server @s. */
static bool
servers_is(struct call *c, const struct server *s, const char *named)
{
	if (named == NULL) {
		return true;
	}
	if (store_is_remote(named)) {
		return slice_eq(url_server(&c->arena, servers_url(c, s->port)),
				url_server(&c->arena, named));
	}
	const char *store = servers_store_of(c, s->pid);

	return store != NULL && other_store_same(store, named);
}

/* Find the servers that ctl->store names, or all.  Return: their number */
static size_t
servers_meant(const struct ctl *ctl, struct call *c, struct server *out)
{
	size_t all = servers_find(out);
	size_t n = 0;

	for (size_t i = 0; i < all; i++) {
		if (servers_is(c, &out[i], ctl->store)) {
			out[n++] = out[i];
		}
	}
	return n;
}

/* Send one request.  Return: false if no server listens or it cannot answer yet; the error is in @own */
static bool
servers_answer(const struct ctl *ctl, struct call *own)
{
	struct ctl there = ctl_of_store(ctl, ctl->store);
	struct list_tables_in in = {.limit = 1};
	struct list_tables_out out = {0};
	int r = store_open(own, ctl->store, false, &there.engine);

	r = r < 0 ? r : engine_list_tables(there.engine, own, &in, &out);
	engine_close(there.engine);
	return r != -ERR_UNREACHABLE && r != -ERR_IO;
}

/* Fail because there is no such server, or more than one; list the lines that apply the command @what to one. */
static int
servers_which(const struct ctl *ctl, struct call *c, const char *what, const struct server *servers,
	      size_t n)
{
	struct buf b = {.arena = &c->arena};

	assert(n != 1);
	for (size_t i = 0; i < n && i < SERVERS_NAMED; i++) {
		buf_fmt(&b, "%sitemctl %s %u", i == 0 ? ": " : ", ", what, servers[i].port);
	}
	return call_fail(c, ERR_USAGE, "%s%s%.*s",
			 n > 0 ? "more than one server is running" : "no server is running",
			 n > 0 || ctl->store == NULL
				 ? ""
				 : arena_print(&c->arena, " at %s: there is nothing to stop",
					       url_shown(&c->arena, ctl->store)),
			 SLICE_ARG(buf_view(&b)));
}

/* ------------------------------------------------------------ status */

/* Append export lines for a shell; they do not change keys and region that are set. */
static void
servers_env(struct buf *out, const char *url)
{
	static const char *const rows[][2] = {{"AWS_ACCESS_KEY_ID", "local"},
					      {"AWS_SECRET_ACCESS_KEY", "local"},
					      {"AWS_REGION", "us-east-1"},
					      {"AWS_DEFAULT_REGION", "us-east-1"}};

	buf_fmt(out,
		"export AWS_ENDPOINT_URL_DYNAMODB=%s\n"
		"export AWS_ENDPOINT_URL_DYNAMODB_STREAMS=%s\n"
		"export ITEMFS_STORE=%s\n",
		url, url, url);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		buf_fmt(out, "export %s=\"${%s:-%s}\"\n", rows[i][0], rows[i][0], rows[i][1]);
	}
}

/*
 * No server of this user was found; one that is named by a URL may answer nevertheless.
 *
 * Return: exit status; -ERR_*
 */
static int
servers_other(struct ctl *ctl, struct call *c, bool env)
{
	if (ctl->store != NULL && store_is_remote(ctl->store)) {
		struct attr url = row_text("Url", slice_from(url_shown(&c->arena, ctl->store)));

		ctl->unopened = true;
		int r = servers_answer(ctl, c) ? 0 : -(int)c->error.code;
		c->error = r < 0 ? c->error : (struct error){0};
		if (r == 0 && env) {
			servers_env(&ctl->out.sink.buf, ctl->store);
			return 0;
		}
		return r < 0 ? r : out_one(&ctl->out, &(struct item){.at = &url, .n = 1});
	}
	ctl_note(ctl, "no server is running%s%s; to start one: itemctl serve",
		 ctl->store == NULL ? "" : " for ", ctl->store == NULL ? "" : ctl->store);
	return 1;
}

static int
run_status(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct servers_opts *o = opts;
	struct server servers[SERVERS_MAX];
	int r = servers_named(ctl, c, words, o);
	size_t n = r < 0 ? 0 : servers_meant(ctl, c, servers);

	if (n > 1 && o->env) {
		return servers_which(ctl, c, "status --env", servers, n);
	}
	for (size_t i = 0; i < n && ctl->store != NULL; i++) {
		if (!servers_answers(servers[i].port)) {
			return call_fail(c, ERR_UNREACHABLE,
					 "the server on port %u does not answer (process %d)",
					 servers[i].port, (int)servers[i].pid);
		}
	}
	for (size_t i = 0; i < n && !o->env; i++) {
		const char *store = servers_store_of(c, servers[i].pid);
		struct attr attrs[] = {
			row_text("Url", slice_from(servers_url(c, servers[i].port))),
			row_count(&c->arena, "Process", (uint64_t)servers[i].pid),
			row_text("Store", slice_from(store == NULL ? "" : store)),
		};

		(void)out_one(&ctl->out, &(struct item){.at = attrs, .n = 3});
	}
	if (n == 1 && o->env) {
		servers_env(&ctl->out.sink.buf, servers_url(c, servers[0].port));
	}
	return r < 0 || n > 0 ? r : servers_other(ctl, c, o->env);
}

const struct command cmd_status = {
	.name = "status",
	.no_dry = "status changes nothing: it takes no --dry-run",
	.usage = "[PORT | URL | STORE] [--env]",
	.summary = "list the running servers, or test one",
	.details =
		"A row for each server of this user. The exit status of one that is named is 0 if\n"
		"it answers.",
	.examples = "itemctl status\n"
		    "itemctl status 8000\n",
	.opts = status_opts,
	.max_words = 1,
	.no_store = true,
	.run = run_status,
};

/* ------------------------------------------------------------ wait */

static int
run_wait(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	const struct servers_opts *o = opts;
	uint64_t seconds = o->timeout.given ? o->timeout.n : SERVERS_WAIT_S;
	uint64_t end = clock_steady_ms() + seconds * SERVERS_MS;
	int r = servers_named(ctl, c, words, o);
	bool answers = false;

	ctl_endpoint(ctl, c);
	ctl->store = ctl->store == NULL ? servers_url(c, ENDPOINT_PORT) : ctl->store;
	if (r < 0 || !store_is_remote(ctl->store)) {
		return r < 0 ? r
			     : call_fail(c, ERR_USAGE,
					 "wait needs a port or a URL, not %s: itemctl wait %d",
					 ctl->store, ENDPOINT_PORT);
	}
	stop_listen();
	do {
		call_scope(own, c->now_ms);
		answers = servers_answer(ctl, &own);
	} while (!answers && stop_pause(SERVERS_PAUSE_MS) && clock_steady_ms() < end);
	r = stop_check(c);
	if (r == 0 && !answers) {
		ctl_note(ctl, "nothing answers at %s after %lu s", url_shown(&c->arena, ctl->store),
			 (unsigned long)seconds);
		r = 1;
	}
	return r;
}

const struct command cmd_wait = {
	.name = "wait",
	.no_dry = "wait changes nothing: it takes no --dry-run",
	.usage = "[PORT | URL] [--timeout SEC]",
	.summary = "wait until a server answers",
	.details =
		"Without a word it is the server of -s, ITEMFS_STORE or AWS_ENDPOINT_URL_DYNAMODB, else\n"
		"the one on port 8000.",
	.examples = "itemctl wait 8000\n"
		    "itemctl wait http://localhost:8000 --timeout 10\n",
	.opts = wait_opts,
	.max_words = 1,
	.no_store = true,
	.run = run_wait,
};

/* ------------------------------------------------------------ stop */

static int
servers_end(struct ctl *ctl, struct call *c, const struct server *s)
{
	cleanup(cleanup_fd) int fd = (int)syscall(SYS_pidfd_open, s->pid, 0);
	struct pollfd ends = {.fd = fd, .events = POLLIN};

	/* ESRCH: the process has ended meanwhile. */
	if ((fd >= 0 ? kill(s->pid, SIGTERM) : fd) < 0 && errno != ESRCH) {
		return call_fail(c, ERR_IO, "cannot end process %d: %m", (int)s->pid);
	}
	if (fd >= 0 && poll(&ends, 1, SERVERS_END_MS) <= 0) {
		return call_fail(c, ERR_BUSY, "the server on port %u still runs: kill -9 %d",
				 s->port, (int)s->pid);
	}
	ctl_note(ctl, "the server on port %u has stopped", s->port);
	return 0;
}

static int
run_stop(struct ctl *ctl, struct call *c, const struct words *words, const void *opts)
{
	struct server servers[SERVERS_MAX];
	int r = servers_named(ctl, c, words, opts);
	size_t n = r < 0 ? 0 : servers_meant(ctl, c, servers);

	if (r < 0 || n != 1) {
		return r < 0 ? r : servers_which(ctl, c, "stop", servers, n);
	}
	if (!servers_only_serves(servers[0].pid)) {
		return call_fail(c, ERR_USAGE,
				 "port %u belongs to a mount; to unmount it: fusermount3 -u "
				 "MOUNTPOINT",
				 servers[0].port);
	}
	return servers_end(ctl, c, &servers[0]);
}

const struct command cmd_stop = {
	.name = "stop",
	.no_dry = "stop changes no store: it takes no --dry-run",
	.usage = "[PORT | URL | STORE]",
	.summary = "stop a server",
	.details =
		"Returns when it has stopped. Without a word it is the server of -s or ITEMFS_STORE,\n"
		"else the only one of this user.",
	.examples = "itemctl stop\n"
		    "itemctl stop 8000\n",
	.opts = servers_opts,
	.max_words = 1,
	.no_store = true,
	.run = run_stop,
};
