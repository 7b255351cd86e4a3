/*
 * aws_keys - the key of a client: found when it is first needed, and renewed before it expires
 *
 * One thread renews the key; other threads use the old one until it expires.  The difference to the server's clock is
 * here, too, since signatures and expirations use the server's time.
 */
#ifndef STORE_WIRE_CLIENT_AWS_KEYS_H
#define STORE_WIRE_CLIENT_AWS_KEYS_H

#include "store/wire/client/aws_key.h"

struct aws_keys;

/**
 * aws_keys_new - create the object, without looking for a key
 * @env:      is called at each renewal
 * @region:   of the client; copied
 * @instance: also use the machine's own role
 */
struct aws_keys *aws_keys_new(aws_env_fn *env, const char *region, bool instance)
	__attribute__((returns_nonnull));

/** aws_keys_free - free the object; NULL is harmless */
void aws_keys_free(struct aws_keys *k);

/**
 * aws_keys_get - get a key that has not expired; may look for one, or wait for the thread that does
 * @out: in the call's arena; without an id if no provider has a key
 *
 * Errors:  -ERR_BUSY  the call was given up
 *          those of aws_provider_fn
 * Thread:  any
 */
int aws_keys_get(struct aws_keys *k, struct call *c, struct aws_key *out) must_check;

/**
 * aws_keys_after - get another key than @refused, which the server did not accept
 *
 * Keeps the error in @c.
 * Return: whether there is one, in @out.
 * Thread: any
 */
bool aws_keys_after(struct aws_keys *k, struct call *c, const struct aws_key *refused,
		    struct aws_key *out) must_check;

/**
 * aws_keys_correct - compare the server's time with this machine's, and correct the latter from now on if it differs
 *
 * Return: whether the difference is so large that signatures fail.
 * Thread: any
 */
bool aws_keys_correct(struct aws_keys *k, uint64_t server_ms);

/** aws_keys_ahead_ms - Return: the milliseconds to add to this machine's time; Thread: any */
int64_t aws_keys_ahead_ms(const struct aws_keys *k);

#endif
