/* sha256 - see sha256.h */
#include "store/base/text/sha256.h"

#include <nettle/version.h>

/* Since version 4, the functions of nettle for digests have no argument for the length. */
#if NETTLE_VERSION_MAJOR >= 4
#define SHA256_END(function, ctx, digest) function(ctx, digest)
#else
#define SHA256_END(function, ctx, digest) function(ctx, SHA256_DIGEST_SIZE, digest)
#endif

_Static_assert((int)SHA256_BYTES == SHA256_DIGEST_SIZE, "the digest of nettle has another size");

static const uint8_t *
bytes_at(struct slice s)
{
	return (const uint8_t *)s.at;
}

void
sha256(struct slice bytes, uint8_t digest[SHA256_BYTES])
{
	struct sha256_ctx ctx;

	sha256_init(&ctx);
	sha256_update(&ctx, bytes.len, bytes_at(bytes));
	SHA256_END(sha256_digest, &ctx, digest);
}

void
sha256_hmac(struct slice key, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	struct sha256_keyed k;

	sha256_keyed_init(&k, key);
	sha256_keyed_mac(&k, bytes, mac);
}

void
sha256_keyed_init(struct sha256_keyed *k, struct slice key)
{
	hmac_sha256_set_key(&k->ctx, key.len, bytes_at(key));
}

void
sha256_keyed_mac(struct sha256_keyed *k, struct slice bytes, uint8_t mac[SHA256_BYTES])
{
	hmac_sha256_update(&k->ctx, bytes.len, bytes_at(bytes));
	SHA256_END(hmac_sha256_digest, &k->ctx, mac);
}
