/* sha256 - see sha256.h */
#include "store/base/text/sha256.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/sha.h>
#include <stdlib.h>

#include "store/base/core/mem.h"

_Static_assert((int)SHA256_BYTES == SHA256_DIGEST_LENGTH, "libcrypto's digest has another size");

void
sha256(struct slice bytes, uint8_t digest[SHA256_BYTES])
{
	(void)SHA256((const unsigned char *)bytes.at, bytes.len, digest);
}

void
sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	uint8_t out[SHA256_BYTES];

	while (HMAC(EVP_sha256(), key.at, (int)key.len, (const unsigned char *)bytes.at, bytes.len,
		    out, NULL) == NULL) {
		mem_again();
	}
	memcpy(mac, out, sizeof(out));
}

/* ------------------------------------------------------------ one key, many digests */

struct sha256_keyed {
	EVP_MAC_CTX *ctx;
};

struct sha256_keyed *
sha256_keyed_new(struct slice key)
{
	struct sha256_keyed *k = mem_new(struct sha256_keyed);
	char digest[] = "SHA256";
	OSSL_PARAM params[] = {
		OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
		OSSL_PARAM_construct_end(),
	};
	EVP_MAC *mac = EVP_MAC_fetch(NULL, "HMAC", NULL);

	k->ctx = mac == NULL ? NULL : EVP_MAC_CTX_new(mac);
	EVP_MAC_free(mac);
	if (k->ctx == NULL ||
	    EVP_MAC_init(k->ctx, (const unsigned char *)key.at, key.len, params) != 1) {
		abort();
	}
	return k;
}

struct sha256_keyed *
sha256_keyed_copy(const struct sha256_keyed *k)
{
	struct sha256_keyed *copy = mem_new(struct sha256_keyed);

	copy->ctx = EVP_MAC_CTX_dup(k->ctx);
	if (copy->ctx == NULL) {
		abort();
	}
	return copy;
}

void
sha256_keyed_mac(struct sha256_keyed *k, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	size_t n = 0;

	if (EVP_MAC_init(k->ctx, NULL, 0, NULL) != 1 ||
	    EVP_MAC_update(k->ctx, (const unsigned char *)bytes.at, bytes.len) != 1 ||
	    EVP_MAC_final(k->ctx, mac, &n, SHA256_BYTES) != 1) {
		abort();
	}
}

void
sha256_keyed_free(struct sha256_keyed *k)
{
	if (k != NULL) {
		EVP_MAC_CTX_free(k->ctx);
		free(k);
	}
}
