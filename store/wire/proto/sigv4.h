/*
 * sigv4 - is a request signed by somebody we know?  And our own: AWS Signature Version 4
 *
 * Checks in the service's order and in its words.  The client signs itself: libcurl 7.88 cannot be
 * told the time (it sends X-Amz-Date twice then).
 */
#ifndef STORE_WIRE_PROTO_SIGV4_H
#define STORE_WIRE_PROTO_SIGV4_H

#include "store/wire/proto/credentials.h"

struct sigv4_header {
	struct slice name; /* in any case */
	struct slice value;
};

/* What is signed has no query; DynamoDB's requests have none. */
struct sigv4_request {
	const char *method;
	const char *path;
	const struct sigv4_header *headers;
	size_t n_headers;
	const struct sigv4_header
		*query; /* looked at by access.c; empty where only a name stands */
	size_t n_query;
	struct slice body; /* as it was sent: compressed */
};

/**
 * sigv4_check - at the time of the call, which may be 15 minutes wrong
 *
 * Any region will do.
 * Errors:  -ERR_NO_SIGNATURE  -ERR_SIGNATURE_PARTS  -ERR_BAD_SIGNATURE  -ERR_UNKNOWN_CLIENT
 */
int sigv4_check(struct call *c, const struct credentials *known, const struct sigv4_request *rq)
	__attribute__((warn_unused_result));

/** sigv4_region - the region that the request is signed for, also wrongly; empty: none that could be one */
struct slice sigv4_region(const struct sigv4_request *rq);

/**
 * sigv4_well_formed - where nobody is known: a signature, if there is one, has all its parts
 *
 * Errors:  -ERR_SIGNATURE_PARTS
 */
int sigv4_well_formed(struct call *c, const struct sigv4_request *rq)
	__attribute__((warn_unused_result));

/**
 * sigv4_sign - the value of Authorization
 * @date: as in X-Amz-Date, which is among the headers
 * @rq:   with the headers that are signed, their names in lower case and in order
 */
const char *sigv4_sign(struct call *c, const struct credential *who, const char *region,
		       struct slice date, const struct sigv4_request *rq);

#endif
