/*
 * server - the HTTP door (libmicrohttpd): DynamoDB's protocol over an engine
 *
 * One thread reads and answers all connections; it waits for no commit
 * and no scan (operation.c).
 */
#ifndef STORE_WIRE_SERVER_SERVER_H
#define STORE_WIRE_SERVER_SERVER_H

#include "store/engine/engine.h"

struct server;

/* Answers OP_REFUSED, which only the mount can; may be NULL. */
typedef int server_refused_fn(void *arg, struct call *c, const struct refused_in *in,
			      struct refused_out *out);

struct server_options {
	const char *socket;       /* path of a Unix socket to make (mode 0600), or NULL */
	const char *socket_shown; /* what messages call it; NULL: the path */
	const char *listen; /* "ADDR:PORT", "[ADDR]:PORT"; port 0 picks one; or NULL. Exactly one of
			       the two */
	const char *credentials; /* file of the keys that may sign requests on @listen, or NULL:
				    anybody may ask, who is on this machine */
	const char *cors; /* origin of web pages that may ask on @listen, "*" for any, or NULL */
	const char *
		host; /* what else requests on @listen may call this machine: NAME[:NAME...]; or NULL */
	const char
		*token; /* on @listen pages for a browser are below "/TOKEN/"; NULL: at "/", or with
			      credentials nowhere */
	const char *patterns; /* file of access patterns for the pages (page_patterns.h), or NULL */
	const char *log;      /* file that gets a line for each request, or NULL */
	server_refused_fn *refused;
	void *refused_arg;
	uint64_t (*now_ms)(void); /* Unix time of a request; NULL: clock_now_ms */
	struct {
		unsigned head_ms;    /* for a request's head to arrive; 0: TIMING_HEAD */
		unsigned arrival_ms; /* for all of it; 0: WIRE_ARRIVAL_S */
		unsigned most;       /* connections; 0: WIRE_CONNECTIONS_MAX, or what the
					descriptors allow */
		unsigned fresh_ms;   /* a write waits for mounts to hear of it; 0: WIRE_FRESH_S */
		unsigned stop_ms; /* server_stop() waits for answers to be read; 0: WIRE_STOP_S */
	} limits;
};

/**
 * server_start - listen and answer until server_stop()
 * @e: borrowed until server_stop()
 *
 * ItemFS_1 operations are answered on the Unix socket only.  When WIRE_CONNECTIONS_MAX are connected, a
 * new one replaces the one that has been idle longest.  A request is answered 503 when
 * WIRE_BODIES_MAX bytes are on their way, when WIRE_ANSWERS_MAX bytes of answers are not read yet, or when
 * WIRE_ADDRESS_MAX others of its address are under way.
 * Errors:  -ERR_IO  the address cannot be had, the credentials cannot be read (message says why),
 * -ERR_VALIDATION  not an address, not loopback without credentials, no keys in the file,
 * not an origin, no name of a host, no token
 */
int server_start(struct call *c, struct engine *e, const struct server_options *o,
		 struct server **out) __attribute__((warn_unused_result));

/** server_check - what server_start() refuses of @listen, @cors and @host, before there is an engine; Errors: -ERR_VALIDATION */
int server_check(struct call *c, const struct server_options *o)
	__attribute__((warn_unused_result));

/** server_port - the TCP port it listens on; 0 on a Unix socket */
int server_port(const struct server *s);

/** server_address - @listen, as "[::1]:0" or "127.0.0.1:0", with the port that the kernel chose; in the call's arena */
const char *server_address(struct call *c, const struct server *s, const char *listen);

/** server_stop - finish the requests in flight, close, free; NULL is harmless */
void server_stop(struct server *s);

#endif
