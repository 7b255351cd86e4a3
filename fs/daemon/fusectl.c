#include "fs/daemon/fusectl.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"

enum { FUSECTL_MAGIC = 0x65735543 }; /* of statfs(); the kernel has it in no header for programs */

/* Where systemd mounts it. */
static int
fusectl_open_mounted(void)
{
	struct statfs st;
	int fd = open("/sys/fs/fuse/connections", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && (fstatfs(fd, &st) != 0 || st.f_type != FUSECTL_MAGIC)) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* Without a mount point, which root alone may do. */
static int
fusectl_open_detached(void)
{
	cleanup(cleanup_fd) int fs = fsopen("fusectl", FSOPEN_CLOEXEC);

	return fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0
		       ? -1
		       : fsmount(fs, FSMOUNT_CLOEXEC, 0);
}

int
fusectl_open(void)
{
	int fd = fusectl_open_mounted();

	return fd >= 0 ? fd : fusectl_open_detached();
}

int
fusectl_connection(int fusectl, unsigned number)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "%u/abort", number);
	return fusectl < 0 ? -1 : openat(fusectl, path, O_WRONLY | O_CLOEXEC);
}

bool
fusectl_abort(int connection)
{
	return connection >= 0 && write(connection, "1", 1) == 1;
}
