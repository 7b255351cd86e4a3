/*
 * aws_fetch - one small HTTP request to a service that issues keys
 *
 * The request and the answer may contain secrets and never appear in messages.
 */
#ifndef STORE_WIRE_CLIENT_AWS_FETCH_H
#define STORE_WIRE_CLIENT_AWS_FETCH_H

#include "store/wire/client/aws_profile.h"

enum { AWS_FETCH_MAX = 256 * 1024 }; /* bytes of an answer */

struct aws_fetch {
	const char *method; /* GET, PUT, POST */
	const char *url;
	const char *header;            /* "Name: value", or NULL */
	const char *body;              /* of a POST, otherwise NULL */
	const struct aws_trust *trust; /* NULL: a local service, which is asked without a proxy */
	unsigned connect_ms;           /* time limit for connecting */
	unsigned ms;                   /* time limit for the whole request */
};

struct aws_fetched {
	long status;       /* of HTTP */
	struct slice body; /* in the call's arena */
};

/**
 * aws_fetch - send a request and wait for the answer, of any status
 *
 * Errors:  -ERR_UNREACHABLE  no answer, or one longer than AWS_FETCH_MAX
 *          those of libcurl_load()
 */
int aws_fetch(struct call *c, const struct aws_fetch *f, struct aws_fetched *out) must_check;

#endif
