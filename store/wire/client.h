/* client - the remote back end: an engine that asks another process or machine over HTTP */
#ifndef STORE_WIRE_CLIENT_H
#define STORE_WIRE_CLIENT_H

#include "store/engine/engine.h"

/**
 * client_open_socket - the engine behind a Unix socket
 * @path: C string; over 107 bytes it is reached through /proc/self/fd
 *
 * Errors:  -ERR_UNREACHABLE  nobody listens there
 * Thread:  any number; each thread in flight has a connection of its own, kept for the next call
 */
int client_open_socket(struct call *c, const char *path, struct engine **out)
	__attribute__((warn_unused_result));

/** client_open_url - the engine behind http(s)://HOST:PORT; found unreachable at the first
 * operation */
int client_open_url(struct call *c, const char *url, struct engine **out)
	__attribute__((warn_unused_result));

#endif
