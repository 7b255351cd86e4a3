/*
 * aws - key, region, endpoint and certificates of a client, found as the AWS command line finds them
 *
 * Settings are read from the environment, then from ~/.aws/credentials and ~/.aws/config.  See aws_keys.h on keys.
 */
#ifndef STORE_WIRE_CLIENT_AWS_H
#define STORE_WIRE_CLIENT_AWS_H

#include "store/wire/client/aws_keys.h"
#include "store/wire/client/client.h"

/** aws_named - Return: whether @name is the name of a remote store: http(s)://... or dynamodb:... */
bool aws_named(const char *name);

/**
 * aws_find - find the options of a client
 * @name: http(s)://HOST:PORT, whose requests are signed if there is a key; dynamodb:REGION, which needs a key;
 *        dynamodb: for the configured region
 * @env:  is called as long as the client is open
 * @out:  borrows @name and the call's arena, except for the keys, which the caller owns
 *
 * Errors:  -ERR_VALIDATION    no or an invalid region; an incomplete key; no such profile; a URL with a path
 *          -ERR_NO_SIGNATURE  no key for dynamodb:REGION
 *          -ERR_IO            a file of profiles or certificates cannot be read
 *          those of aws_keys_get()
 */
int aws_find(struct call *c, aws_env_fn *env, const char *name, struct client_options *out)
	must_check;

/* The server that a name leads to, as far as it is known without a key; empty: unknown. */
struct aws_place {
	struct slice region;        /* of dynamodb:REGION, or the configured one */
	struct slice server;        /* HOST:PORT, see url_server() */
	struct slice server_region; /* the region whose DynamoDB that is */
};

/**
 * aws_place - find the server of @name, as aws_find() does
 * @env: NULL: use only the name, without environment and files
 *
 * Return: slices in the call's arena.
 */
struct aws_place aws_place(struct call *c, aws_env_fn *env, const char *name);

#endif
