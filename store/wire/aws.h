/*
 * aws - whose key signs, for which region, and where to: found as the AWS command line does
 *
 * In the environment, then in ~/.aws/credentials and ~/.aws/config.  Roles,
 * single sign-on, programs that hand out keys and the machine's own role are
 * not followed; who needs them exports the keys that they lead to.
 */
#ifndef STORE_WIRE_AWS_H
#define STORE_WIRE_AWS_H

#include "store/wire/client.h"

/* The value of a variable of the environment, or NULL. */
typedef const char *aws_env_fn(const char *name);

/** aws_named - is it the name of a store elsewhere: http(s)://..., dynamodb:...? */
bool aws_named(const char *name);

/**
 * aws_find - how to be a client of what @name says
 * @name: http(s)://HOST:PORT: signed when there is a key; dynamodb:REGION: only with one;
 *        dynamodb: for the region that is configured
 * @out:  in the call's arena
 *
 * Errors:  -ERR_VALIDATION    no region, or none that can be; half a key; no such profile; a URL with a path
 *          -ERR_NO_SIGNATURE  no key for dynamodb:REGION
 *          -ERR_IO            a file of profiles cannot be read
 */
int aws_find(struct call *c, aws_env_fn *env, const char *name, struct client_options *out)
	__attribute__((warn_unused_result));

#endif
