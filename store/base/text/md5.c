/* md5 - see md5.h; computed by libcrypto */
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

static EVP_MD_CTX *
md5_new(void)
{
	EVP_MD_CTX *m = EVP_MD_CTX_new();

	must(m != NULL && EVP_DigestInit_ex(m, EVP_md5(), NULL) == 1);
	return m;
}

static void
md5_add(EVP_MD_CTX *m, struct slice bytes)
{
	must(EVP_DigestUpdate(m, bytes.at, bytes.len) == 1);
}

/* Computes the digest of all that was added, and frees @m. */
static void
md5_end(EVP_MD_CTX *m, uint8_t digest[MD5_BYTES])
{
	unsigned n = MD5_BYTES;

	must(EVP_DigestFinal_ex(m, digest, &n) == 1);
	EVP_MD_CTX_free(m);
}

void
md5_of_bytes(struct slice bytes, uint8_t digest[MD5_BYTES])
{
	EVP_MD_CTX *m = md5_new();

	md5_add(m, bytes);
	md5_end(m, digest);
}

int
md5_of_file(int fd, uint8_t digest[MD5_BYTES])
{
	EVP_MD_CTX *m = md5_new();
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
