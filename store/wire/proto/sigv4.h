/*
 * sigv4 - AWS Signature Version 4: checks the signature of a request, and signs requests
 *
 * Checks are in the order of the service and fail with its messages.  The client does not let libcurl sign, because
 * libcurl 7.88 cannot be given the time (it then sends X-Amz-Date twice).
 */
#ifndef STORE_WIRE_PROTO_SIGV4_H
#define STORE_WIRE_PROTO_SIGV4_H

#include "store/wire/proto/credentials.h"

struct sigv4_header {
	struct slice name; /* in any case */
	struct slice value;
};

/* A request.  The signature covers no query, since requests of DynamoDB have none. */
struct sigv4_request {
	const char *method;
	const char *path;
	const struct sigv4_header *headers;
	size_t n_headers;
	const struct sigv4_header
		*query; /* only access.c reads it; a parameter without '=' has an empty value */
	size_t n_query;
	struct slice body; /* as sent, so possibly compressed */
};

/**
 * sigv4_check - check that one of @known signed the request, within 15 minutes of the call's time
 *
 * Accepts any region.  Sets c->region to the region that the request is signed for; it stays empty if there is none or
 * it is not a valid name.
 * Errors:  -ERR_NO_SIGNATURE     there is no signature
 *          -ERR_SIGNATURE_PARTS  a part of it is missing or malformed
 *          -ERR_BAD_SIGNATURE    expired, of another scope, without a required header, or wrong
 *          -ERR_UNKNOWN_CLIENT   the id is not among @known, or the session token is wrong
 */
int sigv4_check(struct call *c, const struct credentials *known, const struct sigv4_request *rq)
	must_check;

/**
 * sigv4_well_formed - check that a signature, if there is one, has all its parts; for servers without credentials
 *
 * Sets c->region as sigv4_check() does, without a check of the signature.
 * Errors:  -ERR_SIGNATURE_PARTS
 */
int sigv4_well_formed(struct call *c, const struct sigv4_request *rq) must_check;

/**
 * sigv4_sign - Return: the value of the header Authorization, in the call's arena
 * @rq: has the headers to sign, sorted by their names; X-Amz-Date is among them
 */
const char *sigv4_sign(struct call *c, const struct credential *who, const char *region,
		       const struct sigv4_request *rq);

/** sigv4_stamp - Return: a Unix time in the form of X-Amz-Date, "20130609T100759Z", in the call's arena */
const char *sigv4_stamp(struct call *c, int64_t seconds);

#endif
