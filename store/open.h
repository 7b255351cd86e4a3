/* open - opens the engine of a store by the store's name */
#ifndef STORE_OPEN_H
#define STORE_OPEN_H

#include "store/engine/engine.h"

/**
 * store_open - open the engine of a store
 * @name:   a store directory, http(s)://HOST:PORT, or dynamodb:REGION (see wire/client/aws.h)
 * @create: create the store if the directory is missing or empty
 * @out:    the engine; the caller closes it with engine_close()
 *
 * A marked store (mark.h) refuses all writes with -ERR_GUARDED and is not created.
 *
 * If another process has locked the LevelDB of a directory, the engine is a client on that process's socket.  If
 * neither the lock nor the socket is available, the engine waits for one of them up to 5 s (TIMING_OPEN), here and
 * whenever the owner has ended.  Nothing is sent to a URL here: if it is unreachable, the first operation fails.
 *
 * Errors:  -ERR_VALIDATION     missing, not a store, or an invalid name
 *          -ERR_NOT_SUPPORTED  a client is needed, but there is no libcurl
 *          -ERR_NO_SIGNATURE   dynamodb:REGION without a key
 *          -ERR_IO             a newer format, no permission (the message says which)
 *          -ERR_BUSY           another process owns it and did not answer in time
 *          -ERR_GUARDED        it is marked and would have to be created
 */
int store_open(struct call *c, const char *name, bool create, struct engine **out) must_check;

/** store_open_now - as store_open(), but -ERR_BUSY without waiting; the engine still waits if an owner ends later */
int store_open_now(struct call *c, const char *name, bool create, struct engine **out) must_check;

/** store_answer_within - see client_answer_within() */
void store_answer_within(unsigned seconds);

/**
 * store_shown - @name for messages: without a password
 *
 * Appends the server if dynamodb:REGION is configured to use another one than DynamoDB's own.
 * Return: in the call's arena, or @name itself
 */
const char *store_shown(struct call *c, const char *name);

/** store_is_remote - return true if @name means a server, not a directory */
bool store_is_remote(const char *name);

/** store_server - HOST:PORT of the server that @name means with the present settings; empty: a directory, or unknown */
struct slice store_server(struct call *c, const char *name);

#endif
