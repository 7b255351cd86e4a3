/* sha256 - long names are cut to a hash of themselves, request bodies are signed by it */
#include "store/base/sha256.h"

#include <openssl/sha.h>

_Static_assert((int)SHA256_BYTES == SHA256_DIGEST_LENGTH, "one digest, two names");

void
sha256(struct slice bytes, uint8_t digest[SHA256_BYTES])
{
	(void)SHA256((const unsigned char *)bytes.at, bytes.len, digest);
}
