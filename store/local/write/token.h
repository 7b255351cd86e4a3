/*
 * token - records of the idempotency tokens of transactions: the value of the key 'k' token
 *
 * Shape:  done_ms:u64be digest:32 bytes (SHA-256 of the request in canonical form)
 */
#ifndef STORE_LOCAL_WRITE_TOKEN_H
#define STORE_LOCAL_WRITE_TOKEN_H

#include "store/base/text/sha256.h"
#include "store/op/op.h"

struct token {
	uint64_t done_ms; /* time of the transaction, Unix time */
	uint8_t digest[SHA256_BYTES];
};

/** token_encode - append the value of a token's key */
void token_encode(struct buf *out, const struct token *t);

/** token_decode - decode the value of a token's key; Errors: -ERR_CORRUPT */
int token_decode(struct call *c, struct slice record, struct token *out) must_check;

/** token_expired - whether the token has expired at @now_ms; Source: BEHAVIOUR 11.6 */
bool token_expired(const struct token *t, uint64_t now_ms);

/** token_dead - set @dead if the token in @record has expired; a ranges_dead_fn; Errors: -ERR_CORRUPT */
int token_dead(struct call *c, struct slice record, uint64_t now_ms, bool *dead) must_check;

/**
 * token_digest - compute the digest of a request
 *
 * The order of attributes, of set members and of placeholders has no effect on it.
 */
void token_digest(struct call *c, const struct transact_write_items_in *in,
		  uint8_t digest[SHA256_BYTES]);

#endif
