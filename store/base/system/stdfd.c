/* stdfd - see stdfd.h */
#include "store/base/system/stdfd.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

void
stdfd_reserve(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		/* open() returns @fd, because all lower descriptors are in use.  Child processes inherit it. */
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode) != fd) {
			abort();
		}
	}
}
