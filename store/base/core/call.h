/*
 * call - everything that lives exactly as long as one request
 *
 * A door opens a call, every layer below takes it as its first argument, and
 * the door closes it after the reply is out.
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
	uint64_t now_ms;    /* Unix time in ms, read once by the door */
	const void
		*origin; /* which door asks: a mount is not told of its own changes; may be NULL */
	struct slice region;                 /* that the request is signed for; empty: none */
	bool (*given_up)(const void *asker); /* the door's, see call_given_up(); may be NULL */
	const void *asker;
	uint32_t uid; /* of a mount's request: whose it is; 0: the program's own work */
	bool older; /* the operation judges values in the service's older layer, see op_is_older() */
	bool comes_again; /* whoever asks will ask again for what is refused for now */
	bool patient; /* a mount's request that may be held up: whoever asks can go away meanwhile */
};

/** call_given_up - does whoever asked not wait any longer? For work that may take long, between its steps */
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

/** call_for - @c asks for what @of asks for: the same user, origin, and who waits for it and how */
void call_for(struct call *c, const struct call *of);

/** call_close - free every byte of the request */
void call_close(struct call *c);

/** call_clear - forget everything and begin again with the same memory, see arena_clear() */
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

/** call_fail_over - fail as arena_over() says: for its budget, or as there is no memory; @what: has needed more */
int call_fail_over(struct call *c, const char *what) __attribute__((nonnull, warn_unused_result));

/**
 * call_adopt - fail as another call has failed, which may end before this one: message, place, why it was throttled
 *
 * Keeps the first failure, as call_fail().
 * Return: -ERR_* of @from, which must have failed.
 */
int call_adopt(struct call *c, const struct call *from) __attribute__((warn_unused_result));

/** call_whole - the failure @r just recorded refuses a transaction as a whole; returns @r */
static inline int
call_whole(struct call *c, int r)
{
	c->error.whole = true;
	return r;
}

/**
 * call_prefix - the same failure with more in front of its message: a file, a line
 *
 * Return: -ERR_* of it.
 */
int call_prefix(struct call *c, const char *fmt, ...)
	__attribute__((format(printf, 2, 3), nonnull(2)));

#endif
