/* private - see private.h */
#include "store/base/system/private.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "store/base/system/folder.h"
#include "store/base/system/regular.h"

enum { OTHERS = 077 };

int
private_folder(int dir, const char *name, bool make)
{
	bool made = make && mkdirat(dir, name, 0700) == 0;

	if (make && !made && errno != EEXIST) {
		return -1;
	}
	int fd = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && made && (fchmod(fd, 0700) < 0 || fsync(dir) < 0)) {
		int e = errno;

		(void)close(fd);
		errno = e;
		return -1;
	}
	return fd;
}

static void
private_tighten_file(int dir, const char *name)
{
	cleanup(cleanup_fd) int fd = regular_open(dir, name);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	    (st.st_mode & OTHERS) != 0) {
		(void)fchmod(fd, 0600);
	}
}

/* The folder is changed last: mode 0700 means that its files are done. */
bool
private_tighten(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || st.st_uid != geteuid() || (st.st_mode & OTHERS) == 0) {
		return false;
	}
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;

	if (d == NULL) {
		return false;
	}
	while ((entry = folder_next(d)) != NULL) {
		private_tighten_file(fd, entry);
	}
	return fchmod(fd, 0700) == 0;
}

/* The user's umask; global as the umask of the process is. */
static struct {
	bool set;
	mode_t user;
} private_mask;

void
private_umask(void)
{
	private_mask.user = umask(OTHERS);
	private_mask.set = true;
}

void
private_umask_end(void)
{
	if (private_mask.set) {
		(void)umask(private_mask.user);
		private_mask.set = false;
	}
}

void
private_umask_for(uid_t owner)
{
	if (private_mask.set && owner != geteuid()) {
		(void)umask(022);
	}
}

/* Returns true if the parent folder has a default ACL: then the umask was not applied. */
static bool
private_has_default_acl(int fd)
{
	char link[32];
	char path[PATH_MAX];

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t n = readlink(link, path, sizeof(path) - 1);

	if (n <= 0) {
		return false;
	}
	path[n] = '\0';
	char *slash = strrchr(path, '/');

	if (slash == NULL) {
		return false;
	}
	*slash = '\0';
	return getxattr(slash == path ? "/" : path, "system.posix_acl_default", NULL, 0) > 0;
}

void
private_share(int fd, mode_t mode)
{
	if (private_mask.set && (mode & ~private_mask.user & OTHERS) != 0 &&
	    !private_has_default_acl(fd)) {
		(void)fchmod(fd, mode & ~private_mask.user);
	}
}
