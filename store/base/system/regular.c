/* regular - see regular.h */
#include "store/base/system/regular.h"

#include <fcntl.h>
#include <sys/stat.h>

/* Errors of open(2) for a link, a socket, a device without a driver, and a folder opened for writing. */
static bool
regular_is_other(int e)
{
	return e == ELOOP || e == ENXIO || e == ENODEV || e == EISDIR;
}

int
regular_open_for(int dir, const char *name, int flags)
{
	assert((flags & O_TRUNC) == 0);
	int fd = openat(dir, name, flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0) {
		return regular_is_other(errno) ? REGULAR_OTHER : REGULAR_FAILED;
	}
	int e = fstat(fd, &st) == 0 ? 0 : errno;

	if (e == 0 && S_ISREG(st.st_mode)) {
		return fd;
	}
	(void)close(fd);
	errno = e == 0 ? EINVAL : e;
	return e == 0 ? REGULAR_OTHER : REGULAR_FAILED;
}

int
regular_open(int dir, const char *name)
{
	return regular_open_for(dir, name, O_RDONLY);
}
