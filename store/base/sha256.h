/* sha256 - digest of bytes, with a key (HMAC) and without; the one place that asks libcrypto for it */
#ifndef STORE_BASE_SHA256_H
#define STORE_BASE_SHA256_H

#include <stdint.h>

#include "store/base/slice.h"

enum { SHA256_BYTES = 32 };

void sha256(struct slice bytes, uint8_t digest[SHA256_BYTES]);

/** sha256_hmac - @mac may be what @key is of */
void sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES]);

#endif
