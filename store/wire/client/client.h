/* client - the remote back end: an engine that asks another process or machine over HTTP */
#ifndef STORE_WIRE_CLIENT_CLIENT_H
#define STORE_WIRE_CLIENT_CLIENT_H

#include "store/engine/engine.h"
#include "store/wire/client/aws_keys.h"

/**
 * client_open_below - the engine behind a Unix socket, which stays found when its directory gets another name
 * @dir:    the directory that it is in; stays the caller's
 * @socket: its name there
 * @name:   the store's, for messages
 *
 * Operations fail with -ERR_GONE when whoever listened has ended, and the same can be asked of another:
 * nobody has had all of the request, or it changes nothing.
 *
 * Errors:  -ERR_GONE  nobody listens there, -ERR_NOT_SUPPORTED  there is no libcurl
 * Thread:  any number; each thread in flight has a connection of its own, kept for the next call
 */
int client_open_below(struct call *c, int dir, const char *socket, const char *name,
		      struct engine **out) __attribute__((warn_unused_result));

/** client_open_socket - likewise of a path, which need not be short */
int client_open_socket(struct call *c, const char *path, const char *name, struct engine **out)
	__attribute__((warn_unused_result));

/* Another's server; all but the keys is copied. */
struct client_options {
	const char *url;          /* http(s)://HOST:PORT */
	const char *streams_url;  /* where streams are read; NULL: there too */
	struct aws_keys *keys;    /* that sign; NULL: nobody does */
	const char *region;       /* for which; with @keys */
	const char *trust_file;   /* certificates, see aws_trust.h; NULL: the system's */
	const char *trust_folder; /* likewise */
};

/**
 * client_answer_within - each operation at another's server that begins from now on, in this process, fails
 * after so many @seconds, its repetitions included; 0: no such limit
 */
void client_answer_within(unsigned seconds);

/** client_open_url - the engine behind a URL; found unreachable at the first operation; the keys are its own, also on failure */
int client_open_url(struct call *c, const struct client_options *o, struct engine **out)
	__attribute__((warn_unused_result));

#endif
