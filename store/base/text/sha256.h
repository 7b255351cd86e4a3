/* sha256 - SHA-256 and HMAC-SHA-256, by nettle */
#ifndef STORE_BASE_TEXT_SHA256_H
#define STORE_BASE_TEXT_SHA256_H

#include <nettle/hmac.h>

#include "store/base/core/base.h"

enum { SHA256_BYTES = 32 };

void sha256(struct slice bytes, uint8_t digest[SHA256_BYTES]);

/** sha256_hmac - compute the HMAC of @bytes; @mac may overlap @key */
void sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES]);

/* An HMAC key that is prepared once, for many digests.  Each thread uses a copy of it. */
struct sha256_keyed {
	struct hmac_sha256_ctx ctx;
};

void sha256_keyed_init(struct sha256_keyed *k, struct slice key);

/** sha256_keyed_mac - as sha256_hmac(), with the prepared key */
void sha256_keyed_mac(struct sha256_keyed *k, struct slice bytes, uint8_t mac[SHA256_BYTES]);

#endif
