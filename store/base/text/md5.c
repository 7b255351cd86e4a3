/* md5 - libcrypto's, see md5.h */
#include "store/base/text/md5.h"

#include <errno.h>
#include <openssl/evp.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

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

void
md5_of_bytes(struct slice bytes, uint8_t digest[MD5_BYTES])
{
	struct md5 *m = md5_new();

	md5_add(m, bytes);
	md5_end(m, digest);
}

int
md5_of_file(int fd, uint8_t digest[MD5_BYTES])
{
	struct md5 *m = md5_new();
	char block[BLOCK];
	ssize_t n = 1;

	while (n > 0) {
		n = read(fd, block, sizeof(block));
		if (n > 0) {
			md5_add(m, slice_of(block, (size_t)n));
		} else if (n < 0 && errno == EINTR) {
			n = 1;
		}
	}
	int e = errno;

	md5_end(m, digest);
	return n < 0 ? e : 0;
}
