/*
 * call - the state of one request: its memory, its first error, its time and its requester
 *
 * A front end opens a call, all lower layers take it as their first argument, and
 * the front end closes it after it has sent the reply.
 */
#ifndef STORE_BASE_CORE_CALL_H
#define STORE_BASE_CORE_CALL_H

#include <stdbool.h>
#include <stdint.h>

#include "store/base/core/arena.h"
#include "store/base/core/error.h"
#include "store/base/core/slice.h"

struct call {
	struct arena arena; /* all request memory */
	struct error error; /* the first failure, if any */
	uint64_t now_ms;    /* Unix time in ms, read once by the front end */
	const void *origin; /* front end; a mount is not notified of its own changes; may be NULL */
	struct slice region; /* the region that the request is signed for; empty: none */
	bool (*given_up)(const void *asker); /* the front end's, see call_given_up(); may be NULL */
	const void *asker;                   /* argument of given_up() */
	uint32_t uid;     /* user of a mount's request; 0: the program's own work */
	bool older;       /* the service's older layer validates the values, see op_is_older() */
	bool comes_again; /* the requester repeats a request that is refused for now */
	bool patient; /* a mount's request that may be delayed: its requester can give up meanwhile */
};

/**
 * call_given_up - return true if the requester no longer waits for the reply
 *
 * Work that may take long calls it between its steps.
 */
static inline bool
call_given_up(const struct call *c)
{
	return c->given_up != NULL && c->given_up(c->asker);
}

/**
 * call_open - start a request
 * @now_ms: Unix time in milliseconds; tests pass a constant
 * @budget: soft memory limit in bytes, see arena_over()
 */
void call_open(struct call *c, uint64_t now_ms, size_t budget);

/** call_for - copy the time and the requester of @of to @c (user, origin, given_up()), but neither memory nor error */
void call_for(struct call *c, const struct call *of);

/** call_close - free all memory of the request */
void call_close(struct call *c);

/** call_clear - forget the error and all request memory, for reuse; see arena_clear() */
void call_clear(struct call *c);

/**
 * call_fail - record why the request fails
 *
 * Keeps the first failure: a later one on the same call changes nothing.
 * Return: -@code, so that callers write "return call_fail(...)".
 */
#define call_fail(c, code, ...) call_fail_at((c), (code), __FILE__, __LINE__, __VA_ARGS__)
int call_fail_at(struct call *c, enum err code, const char *file, int line, const char *fmt, ...)
	__attribute__((format(printf, 5, 6), nonnull(5), warn_unused_result));

/**
 * call_fail_over - fail after arena_over(): ERR_BUSY if memory is low, else ERR_VALIDATION
 * @what: subject of the message: "... needs more than N bytes"
 */
int call_fail_over(struct call *c, const char *what) __attribute__((nonnull, warn_unused_result));

/**
 * call_adopt - copy the failure of another call, which may end before @c: code, message, place, throttling reasons
 * @from: a call that has failed
 *
 * Keeps the first failure, as call_fail() does.
 * Return: -ERR_* of @from.
 */
int call_adopt(struct call *c, const struct call *from) must_check;

/** call_whole - mark the failure @r, just recorded, as one that rejects a transaction as a whole; Return: @r */
static inline int
call_whole(struct call *c, int r)
{
	c->error.whole = true;
	return r;
}

/**
 * call_prefix - insert a prefix (a file, a line) before the message of the failure, which must be recorded
 *
 * Return: -ERR_* of the failure.
 */
int call_prefix(struct call *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), nonnull(2)));

#endif
