/* md5 - see md5.h; computed by nettle */
#include "store/base/text/md5.h"

#include <nettle/md5.h>
#include <nettle/version.h>

enum { BLOCK = 1 << 16 };

static void
md5_end(struct md5_ctx *m, uint8_t digest[MD5_BYTES])
{
#if NETTLE_VERSION_MAJOR >= 4
	nettle_md5_digest(m, digest);
#else
	nettle_md5_digest(m, MD5_BYTES, digest);
#endif
}

void
md5_of_bytes(struct slice bytes, uint8_t digest[MD5_BYTES])
{
	struct md5_ctx m;

	md5_init(&m);
	md5_update(&m, bytes.len, (const uint8_t *)bytes.at);
	md5_end(&m, digest);
}

int
md5_of_file(int fd, uint8_t digest[MD5_BYTES])
{
	struct md5_ctx m;
	uint8_t block[BLOCK];
	ssize_t n;

	md5_init(&m);
	do {
		n = read(fd, block, sizeof(block));
		if (n > 0) {
			md5_update(&m, (size_t)n, block);
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	int e = errno;

	md5_end(&m, digest);
	return n < 0 ? e : 0;
}
