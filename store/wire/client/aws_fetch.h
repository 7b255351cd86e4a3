/*
 * aws_fetch - one small HTTP request to whoever hands out keys
 *
 * Nothing of the answer or of what was sent gets into a message: both may be secrets.
 */
#ifndef STORE_WIRE_CLIENT_AWS_FETCH_H
#define STORE_WIRE_CLIENT_AWS_FETCH_H

#include "store/base/core/call.h"
#include "store/wire/client/aws_trust.h"

enum { AWS_FETCH_MAX = 256 * 1024 }; /* bytes of an answer */

struct aws_fetch {
	const char *method; /* GET, PUT, POST */
	const char *url;
	const char *header[2];         /* "Name: value", or NULL */
	const char *body;              /* of a POST, else NULL */
	const struct aws_trust *trust; /* NULL: a neighbour, who is asked without a proxy */
	unsigned connect_ms;           /* how long to wait for a connection */
	unsigned ms;                   /* and for all of it */
};

struct aws_fetched {
	long status;       /* HTTP's */
	struct slice body; /* in the call's arena */
};

/**
 * aws_fetch - the answer, whatever its status is
 *
 * Errors:  -ERR_UNREACHABLE  there is none, or a longer one;  those of libcurl_load()
 */
int aws_fetch(struct call *c, const struct aws_fetch *f, struct aws_fetched *out)
	__attribute__((warn_unused_result));

#endif
