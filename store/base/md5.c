/* md5 - libcrypto's, see md5.h */
#include "store/base/md5.h"

#include <openssl/evp.h>
#include <stdlib.h>

static void
must(int fine)
{
	if (!fine) {
		abort();
	}
}

struct md5 *
md5_new(void)
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();

	must(ctx != NULL && EVP_DigestInit_ex(ctx, EVP_md5(), NULL) == 1);
	return (struct md5 *)ctx;
}

void
md5_add(struct md5 *m, struct slice bytes)
{
	must(EVP_DigestUpdate((EVP_MD_CTX *)m, bytes.at, bytes.len) == 1);
}

void
md5_end(struct md5 *m, uint8_t digest[MD5_BYTES])
{
	unsigned n = MD5_BYTES;

	must(EVP_DigestFinal_ex((EVP_MD_CTX *)m, digest, &n) == 1);
	EVP_MD_CTX_free((EVP_MD_CTX *)m);
}
