/*
 * cors - web pages of which origin a browser may let ask the HTTP door
 *
 * A browser asks first (OPTIONS), since no request of DynamoDB's protocol is one that
 * any page may send; so a page of another origin gets nothing carried out.
 */
#ifndef STORE_WIRE_SERVER_CORS_H
#define STORE_WIRE_SERVER_CORS_H

#include "store/wire/server/server_int.h"

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
