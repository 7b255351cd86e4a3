/* sigv4_int - parts that checking a signature and computing one share */
#ifndef STORE_WIRE_PROTO_SIGV4_INT_H
#define STORE_WIRE_PROTO_SIGV4_INT_H

#include "store/wire/proto/sigv4.h"

#define SIGV4_ALGORITHM "AWS4-HMAC-SHA256"
#define SIGV4_SERVICE "dynamodb"
#define SIGV4_TERMINATOR "aws4_request"

enum { SIGV4_SCOPE = 5 }; /* parts of a Credential */

/* The signature as the headers state it; slices are borrowed from them. */
struct sigv4_claim {
	struct slice authorization;
	struct slice algorithm;
	struct slice credential;
	struct slice signed_headers;
	struct slice signature;
	struct slice date;
	struct slice token;
	struct slice scope[SIGV4_SCOPE]; /* key id, day, region, service, terminator */
};

/**
 * sigv4_next_part - remove the text up to and including the next @separator from @rest; Return: it, without @separator
 */
struct slice sigv4_next_part(struct slice *rest, char separator);

/**
 * sigv4_signature - compute the signature of @rq with the date, scope and signed headers of @cl; in the call's arena
 */
struct slice sigv4_signature(struct call *c, const struct credential *who,
			     const struct sigv4_claim *cl, const struct sigv4_request *rq);

#endif
