/* sha256 - digest of bytes, with a key (HMAC) and without; the one place that asks libcrypto for it */
#ifndef STORE_BASE_TEXT_SHA256_H
#define STORE_BASE_TEXT_SHA256_H

#include <stdint.h>

#include "store/base/core/slice.h"

enum { SHA256_BYTES = 32 };

void sha256(struct slice bytes, uint8_t digest[SHA256_BYTES]);

/** sha256_hmac - @mac may be what @key is of */
void sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES]);

/* A key that many digests are made with: what is done for it is done once.  One thread at a time. */
struct sha256_keyed;

struct sha256_keyed *sha256_keyed_new(struct slice key);

/** sha256_keyed_copy - likewise, for another thread */
struct sha256_keyed *sha256_keyed_copy(const struct sha256_keyed *k);

/** sha256_keyed_mac - as sha256_hmac() */
void sha256_keyed_mac(struct sha256_keyed *k, struct slice bytes, uint8_t mac[SHA256_BYTES]);

/** sha256_keyed_free - NULL is harmless */
void sha256_keyed_free(struct sha256_keyed *k);

#endif
