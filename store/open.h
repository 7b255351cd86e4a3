/* open - a name to an engine: the only file that knows both back ends */
#ifndef STORE_OPEN_H
#define STORE_OPEN_H

#include "store/engine/engine.h"

/**
 * store_open - the engine behind a store's name
 * @name:   a store directory, http(s)://HOST:PORT, or dynamodb:REGION (see wire/client/aws.h)
 * @create: make the store where the directory is absent or empty
 * @out:    the engine; engine_close() it
 *
 * A store that is marked (mark.h) refuses all that writes with -ERR_GUARDED, and is not made.
 *
 * A directory whose LevelDB is locked is reached through its socket; when
 * neither the lock nor the socket can be had, it waits up to 5 s for one, at the beginning and
 * whenever the owner has ended.
 *
 * Errors:  -ERR_VALIDATION   not there, not a store, no such form of a name
 *          -ERR_NOT_SUPPORTED  a client is needed, and there is no libcurl
 *          -ERR_NO_SIGNATURE dynamodb:REGION without a key
 *          -ERR_IO           a newer format, no permission (message says which)
 *          -ERR_BUSY         another process owns it and did not answer in 5 s
 *          -ERR_UNREACHABLE  a URL that does not answer is found out at the first operation, not
 * here
 */
int store_open(struct call *c, const char *name, bool create, struct engine **out)
	__attribute__((warn_unused_result));

/** store_open_within - likewise, with @wait_ms in place of the 5 s */
int store_open_within(struct call *c, const char *name, bool create, unsigned wait_ms,
		      struct engine **out) __attribute__((warn_unused_result));

/** store_open_now - likewise, but -ERR_BUSY at once; an owner that ends later is waited for */
int store_open_now(struct call *c, const char *name, bool create, struct engine **out)
	__attribute__((warn_unused_result));

/** store_answer_within - see client_answer_within() */
void store_answer_within(unsigned seconds);

/** store_shown - @name without a password, and the server where dynamodb:REGION is led to another than DynamoDB's own; in the call's arena */
const char *store_shown(struct call *c, const char *name);

/** store_is_remote - does the name mean a server, not a directory? */
bool store_is_remote(const char *name);

/** store_server - HOST:PORT that the name of a server leads to with the settings of this moment; empty: a directory, or not known */
struct slice store_server(struct call *c, const char *name);

#endif
