/*
 * server - the HTTP front end (libmicrohttpd): DynamoDB's protocol over an engine
 *
 * Threads, the loops, read and answer connections (http_loops.h).  They do not wait for the engine while several
 * clients are connected (operation.c).
 */
#ifndef STORE_WIRE_SERVER_SERVER_H
#define STORE_WIRE_SERVER_SERVER_H

#include "store/engine/engine.h"

struct server;

/* Executes OP_REFUSED, which only the mount can. */
typedef int server_refused_fn(void *arg, struct call *c, const struct refused_in *in,
			      struct refused_out *out);

struct server_options {
	/* Exactly one of @socket and @listen is set. */
	const char *socket;       /* path of a Unix socket to create, of mode 0600 */
	const char *socket_shown; /* the path in messages; NULL: @socket */
	const char *listen;       /* TCP address, see endpoint_listen_tcp() */

	/* With @listen; each may be NULL. */
	const char *credentials; /* file of keys, one of which must sign each request; NULL: no
				    signature is needed */
	bool trust_network; /* without @credentials: any address is allowed, and any Host header except
			       that of a browser's request; otherwise only loopback addresses, and
			       names of this machine */
	const char *cors;     /* origin of web pages that may send requests; "*": any */
	const char *host;     /* further names of this machine in Host headers: NAME[:NAME...] */
	const char *token;    /* pages for browsers are below "/TOKEN/"; NULL: they are at "/", and
				    with @credentials there are none */
	const char *patterns; /* file of access patterns for the pages (page_patterns.h) */

	const char *log;            /* file that gets a line for each request, or NULL */
	server_refused_fn *refused; /* or NULL */
	void *refused_arg;
	uint64_t (*now_ms)(void); /* Unix time of a request; NULL: clock_now_ms */
	struct {
		unsigned head_ms;    /* for receiving a request's head; 0: TIMING_HEAD */
		unsigned arrival_ms; /* for receiving the whole request; 0: WIRE_ARRIVAL_S */
		unsigned most;       /* connections; 0: WIRE_CONNECTIONS_MAX, or what the
					descriptors allow */
		unsigned fresh_ms;   /* wait of a write until mounts know of it; 0: WIRE_FRESH_S */
		unsigned stop_ms; /* wait of server_stop() for the last answers; 0: WIRE_STOP_S */
	} limits;
};

/**
 * server_start - listen and answer until server_stop()
 * @e: borrowed until server_stop()
 *
 * Operations of itemfs itself (ItemFS_1) are accepted on the Unix socket only.  If there are WIRE_CONNECTIONS_MAX
 * connections, a new one replaces the one that has been idle longest.  A request is answered 503 if all bodies together
 * have more than WIRE_BODIES_MAX bytes, if unread answers have WIRE_ANSWERS_MAX bytes, or if WIRE_ADDRESS_MAX other
 * connections of its address are in use.
 *
 * Errors:  -ERR_IO          listening fails, or a file cannot be read
 *          -ERR_ACCESS      the credentials file is not private
 *          -ERR_VALIDATION  @listen is not an address, or not loopback without @credentials and @trust_network; the
 *                           credentials file has no keys; @cors, @host or @token is invalid
 */
int server_start(struct call *c, struct engine *e, const struct server_options *o,
		 struct server **out) must_check;

/**
 * server_check - check options as server_start() does, before there is an engine: @cors, @host, @credentials, @patterns
 * and @listen
 *
 * Errors:  as server_start()
 */
int server_check(struct call *c, const struct server_options *o) must_check;

/** server_port - Return: the TCP port that the server listens on; 0 for a Unix socket */
int server_port(const struct server *s);

/** server_address - Return: @listen ("[::1]:0", "127.0.0.1:0") with the port that is in use; in the call's arena */
const char *server_address(struct call *c, const struct server *s, const char *listen);

/** server_stop - finish the requests in flight, close all connections and free the server; NULL is harmless */
void server_stop(struct server *s);

#endif
