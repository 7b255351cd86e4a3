/* access - which requests are allowed: checks the Host header, the signature and the origin of web pages (CORS) */
#ifndef STORE_WIRE_SERVER_ACCESS_H
#define STORE_WIRE_SERVER_ACCESS_H

#include "store/wire/proto/sigv4.h"
#include "store/wire/server/server_int.h"

/** access_header - Return: the value of a request's header, or "" */
const char *access_header(struct MHD_Connection *connection, const char *name);

/**
 * access_host_is_here - Return: whether the Host header names this machine
 *
 * Any name is accepted on a Unix socket, if requests must be signed, and in a trusted network from programs that are no
 * browser.
 */
bool access_host_is_here(const struct server *s, struct MHD_Connection *connection,
			 const char *method);

/**
 * access_gather - store the headers and the query of a request in @rq, for access_check()
 *
 * The arrays are in the call's arena; their slices are borrowed from the connection until the answer was sent.  Does
 * nothing on the Unix socket.
 * Thread:  the loop
 */
void access_gather(const struct server *s, struct call *c, struct MHD_Connection *connection,
		   struct sigv4_request *rq);

/**
 * access_check - check that a request may be carried out
 *
 * On the Unix socket every request may, since only users with access to the store can open it.
 * Errors:  those of sigv4_check()
 */
int access_check(const struct server *s, struct call *c, const struct sigv4_request *rq) must_check;

/* ------------------------------------------------------------ cross-origin resource sharing */

/** cors_check_origin - check that @origin is "*" or an origin as browsers write it; Errors: -ERR_VALIDATION */
int cors_check_origin(struct call *c, const char *origin) must_check;

/** cors_is_preflight - Return: whether a request asks if a page of an allowed origin may send one */
bool cors_is_preflight(const struct server *s, struct MHD_Connection *connection,
		       const char *method);

/**
 * cors_allow - add the headers that let a page of an allowed origin read the answer
 * @preflight: also add the headers that let it send requests
 *
 * Return: MHD_YES, or MHD_NO if memory is exhausted.
 */
enum MHD_Result cors_allow(const struct server *s, struct MHD_Connection *connection,
			   struct MHD_Response *response, bool preflight);

#endif
