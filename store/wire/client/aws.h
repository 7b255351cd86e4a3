/*
 * aws - whose key signs, for which region, and where to: found as the AWS command line does
 *
 * In the environment, then in ~/.aws/credentials and ~/.aws/config.  Where keys come from is
 * aws_keys.h's.
 */
#ifndef STORE_WIRE_CLIENT_AWS_H
#define STORE_WIRE_CLIENT_AWS_H

#include "store/wire/client/aws_keys.h"
#include "store/wire/client/client.h"

/** aws_named - is it the name of a store elsewhere: http(s)://..., dynamodb:...? */
bool aws_named(const char *name);

/**
 * aws_find - how to be a client of what @name says
 * @name: http(s)://HOST:PORT: signed when there is a key; dynamodb:REGION: only with one;
 *        dynamodb: for the region that is configured
 * @env:  is asked as long as the client is open
 * @out:  in the call's arena, but for its keys, which are the caller's
 *
 * Errors:  -ERR_VALIDATION    no region, or none that can be; half a key; no such profile; a URL with a path
 *          -ERR_NO_SIGNATURE  no key for dynamodb:REGION
 *          -ERR_IO            a file of profiles or certificates cannot be read
 *          those of aws_keys_get()
 */
int aws_find(struct call *c, aws_env_fn *env, const char *name, struct client_options *out)
	__attribute__((warn_unused_result));

/* What a name leads to, as far as it is known without a key; empty: not known. */
struct aws_place {
	struct slice region;        /* that the name says */
	struct slice server;        /* HOST:PORT, see url_server() */
	struct slice server_region; /* of which that is DynamoDB's */
};

/** aws_place - of @name, as aws_find() would find it; @env NULL: of the name alone, which may be a region; in the call's arena */
struct aws_place aws_place(struct call *c, aws_env_fn *env, const char *name);

#endif
