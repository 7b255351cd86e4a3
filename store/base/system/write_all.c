/* write_all - see write_all.h */
#include "store/base/system/write_all.h"

int
write_all(int fd, struct slice bytes)
{
	while (bytes.len > 0) {
		ssize_t n = write(fd, bytes.at, bytes.len);

		if (n >= 0) {
			bytes = slice_skip(bytes, (size_t)n);
		} else if (errno != EINTR) {
			return errno;
		}
	}
	return 0;
}
