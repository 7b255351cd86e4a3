/*
 * sigv4 - is a request signed by somebody we know?  AWS Signature Version 4
 *
 * Checks in the service's order and in its words.  The client does not need
 * this: libcurl signs.
 */
#ifndef STORE_WIRE_SIGV4_H
#define STORE_WIRE_SIGV4_H

#include "store/wire/credentials.h"

struct sigv4_header {
	struct slice name; /* in any case */
	struct slice value;
};

/* A request without a query; DynamoDB's have none. */
struct sigv4_request {
	const char *method;
	const char *path;
	const struct sigv4_header *headers;
	size_t n_headers;
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

#endif
