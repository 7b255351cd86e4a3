/* random_token - see random_token.h */
#include "store/base/text/random_token.h"

#include <sys/random.h>

bool
token_put(struct buf *out)
{
	uint8_t bytes[16];

	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes)) {
		return false;
	}
	for (size_t i = 0; i < sizeof(bytes); i++) {
		buf_fmt(out, "%02x", bytes[i]);
	}
	return true;
}
