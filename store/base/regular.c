/* regular - see regular.h */
#include "store/base/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of what open(2) itself refuses: a link, a socket, a device that nobody drives. */
static bool
is_other(int e)
{
	return e == ELOOP || e == ENXIO || e == ENODEV;
}

int
regular_open(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat st;

	if (fd < 0) {
		return is_other(errno) ? REGULAR_OTHER : REGULAR_FAILED;
	}
	int e = fstat(fd, &st) == 0 ? 0 : errno;

	if (e == 0 && S_ISREG(st.st_mode)) {
		return fd;
	}
	(void)close(fd);
	errno = e;
	return e == 0 ? REGULAR_OTHER : REGULAR_FAILED;
}
