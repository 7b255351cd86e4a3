/*
 * aws_keys - the key of a client, for as long as it is open: looked for once, renewed before it ends
 *
 * One thread renews; the others go on with the old key until it ends.  The clock of the server
 * is here, too, since times of signatures and ends of keys are its.
 */
#ifndef STORE_WIRE_CLIENT_AWS_KEYS_H
#define STORE_WIRE_CLIENT_AWS_KEYS_H

#include "store/wire/client/aws_key.h"

struct aws_keys;

/**
 * aws_keys_new - nothing is looked for yet
 * @env:      is asked again at each renewal
 * @region:   of the client; copied
 * @instance: is the machine's own role meant, too?
 */
struct aws_keys *aws_keys_new(aws_env_fn *env, const char *region, bool instance)
	__attribute__((returns_nonnull));

/** aws_keys_fixed - always this key; copied, NULL: nobody signs */
struct aws_keys *aws_keys_fixed(const struct credential *key, const char *who)
	__attribute__((returns_nonnull));

/** aws_keys_free - NULL: nothing */
void aws_keys_free(struct aws_keys *k);

/**
 * aws_keys_get - a key that has not ended; without an id where there is none
 * @out: in the call's arena
 *
 * Errors:  those of aws_provider_fn, -ERR_BUSY: nobody waits for the call any more
 * Thread:  any
 */
int aws_keys_get(struct aws_keys *k, struct call *c, struct aws_key *out)
	__attribute__((warn_unused_result));

/**
 * aws_keys_after - another key than @refused, which the server did not accept
 *
 * Return: true: @out; false: there is none
 */
bool aws_keys_after(struct aws_keys *k, struct call *c, const struct aws_key *refused,
		    struct aws_key *out) __attribute__((warn_unused_result));

/** aws_keys_correct - the server has told its time; true: ours is so wrong that signatures fail, and is corrected from now on */
bool aws_keys_correct(struct aws_keys *k, uint64_t server_ms);

/** aws_keys_ahead_ms - what has to be added to this machine's time; 0: nothing */
int64_t aws_keys_ahead_ms(const struct aws_keys *k);

#endif
