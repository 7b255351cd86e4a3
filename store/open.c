/*
 * open - the only file that knows both back ends
 *
 *   DIR                   the embedded engine; if another process owns the store, a client on its socket
 *   http(s)://HOST:PORT   the remote engine
 *   dynamodb:REGION       the remote engine, for DynamoDB's own endpoint or the configured one
 *
 * Each attempt runs in a call of its own, since a call keeps its first failure,
 * and "locked" is a failure only if the socket does not answer either.  shared.c handles owners
 * that end later.
 */
#include "store/open.h"

#include <sys/stat.h>

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/timing.h"
#include "store/base/system/trust.h"
#include "store/base/text/url.h"
#include "store/engine/guard.h"
#include "store/mark.h"
#include "store/own.h"
#include "store/shared.h"
#include "store/wire/client/aws.h"
#include "store/wire/client/client.h"
#include "store/wire/proto/wire.h"

enum {
	STEP_MS = 20,
	ATTEMPT_BUDGET = 64 * 1024 * 1024,
	OWNED_BY_ANOTHER = 1, /* the opened engine is a client */
};

/* Tries once to own the store. If it is busy, @busy gets the message about its owner; other failures go to @c. */
static int
attempt_local(struct call *c, const char *dir, bool create, struct buf *busy, struct engine **out)
{
	cleanup(call_close) struct call attempt;

	call_open(&attempt, c->now_ms, ATTEMPT_BUDGET);
	int r = store_own(&attempt, dir, create, out);

	if (r == -ERR_BUSY) {
		buf_set(busy, slice_from(attempt.error.message));
	}
	return r == 0 || r == -ERR_BUSY ? r : call_adopt(c, &attempt);
}

/* Tries once to connect to the owner's socket. Returns -ERR_GONE, with no failure in @c, if nobody answers yet. */
static int
attempt_socket(struct call *c, const char *dir, struct engine **out)
{
	cleanup(cleanup_fd) int fd = -1;
	cleanup(call_close) struct call attempt;

	call_open(&attempt, c->now_ms, ATTEMPT_BUDGET);
	/* The owner of the directory decides who answers on its socket. */
	int r = trust_open(&attempt, dir, &fd);

	r = r < 0 ? r : client_open_below(&attempt, fd, WIRE_SOCKET, dir, out);
	return r == 0 || r == -ERR_GONE ? r : call_adopt(c, &attempt);
}

/* Tries both until @until_ms. Returns 0, OWNED_BY_ANOTHER, or -ERR_*. */
static int
attempt_both(struct call *c, const char *dir, bool create, uint64_t until_ms, struct engine **out)
{
	struct buf busy;
	bool dead;
	int r;

	buf_init(&busy, &c->arena);
	do {
		r = attempt_local(c, dir, create, &busy, out);
		if (r != -ERR_BUSY) {
			return r;
		}
		/* The socket of a dead owner accepts connections but never answers. */
		dead = store_dead_owner(dir) != 0;
		r = dead ? -ERR_GONE : attempt_socket(c, dir, out);
		if (r != -ERR_GONE) {
			return r < 0 ? r : OWNED_BY_ANOTHER;
		}
	} while (pause_ms(c, STEP_MS) && clock_steady_ms() < until_ms);
	r = dead ? store_refuse_dead(c, dir) : 0;
	return r < 0 ? r
		     : call_fail(
			       c, ERR_BUSY,
			       "%.*s, which does not share it: try again when that process has "
			       "ended. A store that is mounted (itemfs) or served (itemctl serve) "
			       "can be used by many",
			       SLICE_ARG(buf_view(&busy)));
}

static int
store_open_next(struct call *c, const char *dir, uint64_t until_ms, struct engine **out)
{
	int r = attempt_both(c, dir, false, until_ms, out);

	return r < 0 ? r : 0;
}

static int
open_directory(struct call *c, const char *dir, bool create, unsigned wait_ms, struct engine **out)
{
	int r = attempt_both(c, dir, create, clock_steady_ms() + wait_ms, out);

	if (r == OWNED_BY_ANOTHER) {
		*out = shared_new(dir, *out, store_open_next);
		r = 0;
	}
	return r;
}

static int
open_url(struct call *c, const char *name, struct engine **out)
{
	struct client_options remote = {0};
	int r = aws_find(c, mark_env, name, &remote);

	return r < 0 ? r : client_open_url(c, &remote, out);
}

static bool
is_store(struct call *c, const char *dir)
{
	struct stat st;

	return stat(arena_print(&c->arena, "%s/FORMAT", dir), &st) == 0;
}

/* @wait_ms: maximum time to wait for the lock or the socket of an owner that starts or ends */
static int
open_named(struct call *c, const char *name, bool create, unsigned wait_ms, struct engine **out)
{
	const char *why = store_mark(c, name);

	if (why != NULL && create && !aws_named(name) && !is_store(c, name)) {
		return call_fail(c, ERR_GUARDED, "%s", why);
	}
	int r = aws_named(name) ? open_url(c, name, out)
				: open_directory(c, name, create, wait_ms, out);

	if (r == 0 && why != NULL) {
		*out = guard_refuse(*out, why);
	}
	return r;
}

void
store_answer_within(unsigned seconds)
{
	client_answer_within(seconds);
}

int
store_open(struct call *c, const char *name, bool create, struct engine **out)
{
	return open_named(c, name, create, timing_ms(TIMING_OPEN), out);
}

int
store_open_now(struct call *c, const char *name, bool create, struct engine **out)
{
	return open_named(c, name, create, 0, out);
}

const char *
store_shown(struct call *c, const char *name)
{
	struct aws_place place = aws_place(c, mark_env, name);

	return !aws_named(name) || place.region.len == 0 || place.server_region.len > 0
		       ? url_shown(&c->arena, name)
		       : arena_print(&c->arena, "%s (%.*s)", name, SLICE_ARG(place.server));
}

bool
store_is_remote(const char *name)
{
	return aws_named(name);
}

struct slice
store_server(struct call *c, const char *name)
{
	return aws_named(name) ? aws_place(c, mark_env, name).server : SLICE("");
}
