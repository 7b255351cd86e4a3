/* client - the remote engine, which sends its operations to another process or machine over HTTP */
#ifndef STORE_WIRE_CLIENT_CLIENT_H
#define STORE_WIRE_CLIENT_CLIENT_H

#include "store/engine/engine.h"
#include "store/wire/client/post.h"

/**
 * client_open_below - open the engine at a Unix socket, which is found even after its directory is renamed
 * @dir:    the directory of the socket; the caller keeps it
 * @socket: the socket's name in @dir
 * @name:   the name of the store, for messages
 *
 * An operation fails with -ERR_GONE if the process that listened has ended and another one can be asked instead: the
 * request was not sent completely, or it changes nothing.
 *
 * Errors:  -ERR_GONE           no process listens at the socket
 *          -ERR_NOT_SUPPORTED  libcurl is missing
 *          -ERR_IO             another error of connecting
 * Thread:  any number may execute operations; each request in flight has a connection, which is kept for the next one
 */
int client_open_below(struct call *c, int dir, const char *socket, const char *name,
		      struct engine **out) must_check;

/**
 * client_answer_within - set the time limit of operations at foreign servers that begin from now on in this process
 * @seconds: for all tries of an operation together; 0: no limit
 *
 * Thread:  any
 */
void client_answer_within(unsigned seconds);

/**
 * client_open_url - open the engine at a URL, without connecting
 * @o: without a socket; the engine owns the keys, even if opening fails
 *
 * Errors:  -ERR_VALIDATION     not http(s)://HOST:PORT
 *          -ERR_NOT_SUPPORTED  libcurl is missing
 */
int client_open_url(struct call *c, const struct client_options *o, struct engine **out) must_check;

#endif
