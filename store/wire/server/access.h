/* access - who may ask the HTTP door: by the Host he names, by his signature */
#ifndef STORE_WIRE_SERVER_ACCESS_H
#define STORE_WIRE_SERVER_ACCESS_H

#include "store/wire/proto/sigv4.h"
#include "store/wire/server/server_int.h"

/** access_header - of a request, "" when it is missing */
const char *access_header(struct MHD_Connection *connection, const char *name);

/** access_host_is_here - does the request name this machine?  Any name will do on a Unix socket, and where requests must be signed */
bool access_host_is_here(const struct server *s, struct MHD_Connection *connection);

/**
 * access_gather - the headers of a request, for access_check().  Thread: the loop
 *
 * Memory: in the call's arena, with slices borrowed from the connection until its answer is out.
 */
void access_gather(const struct server *s, struct call *c, struct MHD_Connection *connection,
		   struct sigv4_request *rq);

/**
 * access_check - may this request be carried out?
 *
 * Never a question on the Unix socket: who can open it owns the store.
 * Errors: those of sigv4_check()
 */
int access_check(const struct server *s, struct call *c, const struct sigv4_request *rq)
	__attribute__((warn_unused_result));

/* ------------------------------------------------------------ web pages of which origin a browser may let ask the HTTP door */

/** cors_check_origin - is it "*" or an origin as browsers write it?  Errors: -ERR_VALIDATION */
int cors_check_origin(struct call *c, const char *origin) __attribute__((warn_unused_result));

/** cors_is_preflight - the question whether a page of an allowed origin may send a request */
bool cors_is_preflight(const struct server *s, struct MHD_Connection *connection,
		       const char *method);

/**
 * cors_allow - add what lets a page of an allowed origin read the answer
 * @preflight: and what it may send
 *
 * Return: MHD_NO without memory
 */
enum MHD_Result cors_allow(const struct server *s, struct MHD_Connection *connection,
			   struct MHD_Response *response, bool preflight);

#endif
