/*
 * token - which transactions were done: what stands behind key 'k' token
 *
 * Shape:  done_ms:u64be digest:32 bytes (SHA-256 of the request in canonical form)
 */
#ifndef STORE_LOCAL_WRITE_TOKEN_H
#define STORE_LOCAL_WRITE_TOKEN_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"
#include "store/base/text/sha256.h"
#include "store/op/op.h"

struct token {
	uint64_t done_ms; /* Unix time */
	uint8_t digest[SHA256_BYTES];
};

/** token_key - 'k' token */
void token_key(struct buf *out, struct slice token);

void token_encode(struct buf *out, const struct token *t);

/** token_decode - Errors: -ERR_CORRUPT */
int token_decode(struct call *c, struct slice record, struct token *out)
	__attribute__((warn_unused_result));

/** token_expired - may it be forgotten at @now_ms? Source: BEHAVIOUR 11.6 */
bool token_expired(const struct token *t, uint64_t now_ms);

/** token_dead - is that of @record expired? A ranges_dead_fn; Errors: -ERR_CORRUPT */
int token_dead(struct call *c, struct slice record, uint64_t now_ms, bool *dead)
	__attribute__((warn_unused_result));

/**
 * token_digest - of a request; equal for requests that say the same
 *
 * The order of attributes, of set members and of placeholders does not matter.
 */
void token_digest(struct call *c, const struct transact_write_items_in *in,
		  uint8_t digest[SHA256_BYTES]);

#endif
