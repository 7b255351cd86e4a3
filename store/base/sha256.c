/* sha256 - long names are cut to a hash of themselves, request bodies are signed by it */
#include "store/base/sha256.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdlib.h>

_Static_assert((int)SHA256_BYTES == SHA256_DIGEST_LENGTH, "one digest, two names");

void
sha256(struct slice bytes, uint8_t digest[SHA256_BYTES])
{
	(void)SHA256((const unsigned char *)bytes.at, bytes.len, digest);
}

void
sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	uint8_t out[SHA256_BYTES];

	if (HMAC(EVP_sha256(), key.at, (int)key.len, (const unsigned char *)bytes.at, bytes.len,
		 out, NULL) == NULL) {
		abort();
	}
	memcpy(mac, out, sizeof(out));
}
