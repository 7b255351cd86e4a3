/*
 * device - mount points: mount, unmount, clean up
 *
 * A session (session.c) serves the descriptor of a connection, in this process or in the owner's.
 */
#include "fs/daemon/device.h"

#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "store/base/system/mountinfo.h"

#include "fs/core/fuse.h"
#include "fs/daemon/options.h"

bool
device_is_dead(const char *path)
{
	struct statfs st;

	/* The kernel never answers statfs() from a cache, unlike stat(). */
	return statfs(path, &st) != 0 && errno == ENOTCONN;
}

bool
device_is_socket(const char *point)
{
	return strcmp(point, DEVICE_SOCKET) == 0;
}

bool
device_given(const char *path, int *out)
{
	static const char folder[] = "/dev/fd/";
	int type = 0;
	socklen_t len = sizeof(type);
	char *end;

	if (strncmp(path, folder, strlen(folder)) != 0) {
		return false;
	}
	const char *digits = path + strlen(folder);
	long fd = strtol(digits, &end, 10);

	if (end == digits || *end != '\0' || fd <= STDERR_FILENO || fd > INT_MAX ||
	    getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &type, &len) != 0 || type != SOCK_SEQPACKET) {
		return false;
	}
	*out = (int)fd;
	return true;
}

/* Return: whether an itemfs is mounted there.  A second mount would hide it and need a second fusermount3 -u. */
static bool
is_mounted(const char *point)
{
	cleanup(mountinfo_close) struct mountinfo_list list;
	struct mountinfo m;
	bool found = false;

	mountinfo_open(&list);
	while (!found && mountinfo_next(&list, &m)) {
		found = m.itemfs && strcmp(m.point, point) == 0;
	}
	return found;
}

int
device_point(struct call *c, const char *path, const char **out)
{
	struct stat st;

	if (device_is_dead(path)) {
		(void)device_unmount(path, true);
	}
	if (stat(path, &st) != 0) {
		return call_fail(c, errno == ENOENT ? ERR_VALIDATION : ERR_IO,
				 "mount point %s: %m%s%s", path,
				 errno == ENOENT ? "; mkdir -p " : "", errno == ENOENT ? path : "");
	}
	if (!S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "mount point %s is not a directory", path);
	}
	char *real = realpath(path, NULL);

	if (real == NULL) {
		return call_fail(c, ERR_IO, "mount point %s: %m", path);
	}
	*out = slice_cstr(&c->arena, slice_from(real));
	free(real);
	return is_mounted(*out)
		       ? call_fail(c, ERR_VALIDATION,
				   "%s is already mounted; to unmount it: fusermount3 -u %s", path,
				   path)
		       : 0;
}

/* Return: whether @path is the directory @top or below it */
static bool
within(const char *path, const char *top)
{
	size_t n = strlen(top);

	if (strcmp(top, "/") == 0) {
		return true;
	}
	return strncmp(path, top, n) == 0 && (path[n] == '\0' || path[n] == '/');
}

int
device_apart(struct call *c, const char *store, const char *point)
{
	assert(store[0] == '/' && point[0] == '/');
	if (within(point, store)) {
		return call_fail(c, ERR_VALIDATION, "mount point %s is inside the store %s", point,
				 store);
	}
	if (within(store, point)) {
		return call_fail(c, ERR_VALIDATION, "store %s is inside the mount point %s", store,
				 point);
	}
	return 0;
}

/* The mount options for libfuse. */
static char *
kernel_words(struct call *c, const struct options *o, const char *store)
{
	return arena_print(&c->arena, "fsname=%s,subtype=itemfs,default_permissions%s%s%s",
			   options_quote(c, store), o->ro || o->index != NULL ? ",ro" : "",
			   o->kernel[0] == '\0' ? "" : ",", o->kernel);
}

/*
 * Let libfuse free its data about the mount, without unmounting.  libfuse does not unmount when its descriptor is in
 * error, as after an unmount by others.  So a pipe without a reader replaces the descriptor; the caller has a copy of
 * it.
 */
static void
forget_mount(struct fuse_session *se)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) == 0) {
		(void)close(ends[0]);
		(void)dup2(ends[1], fuse_session_fd(se));
		(void)close(ends[1]);
		fuse_session_unmount(se);
	}
}

int
device_mount(struct call *c, const struct options *o, const char *store, const char *point,
	     int *out)
{
	/* The session is used only to mount: libfuse exports no other function for it. */
	static const struct fuse_lowlevel_ops none;
	char name[] = "itemfs";
	char dash_o[] = "-o";
	char *words = kernel_words(c, o, store);
	char *argv[] = {name, dash_o, words, NULL};
	struct fuse_args args = FUSE_ARGS_INIT(3, argv);

	if (access("/dev/fuse", F_OK) != 0) {
		return call_fail(
			c, ERR_IO,
			"this system has no /dev/fuse, as most containers, so nothing can be mounted; outside a "
			"container try: modprobe fuse; to read the same paths without a mount: itemctl ls, cat, "
			"tree and find; for programs: itemctl serve");
	}
	struct fuse_session *se = fuse_session_new(&args, &none, sizeof(none), NULL);

	if (se == NULL) {
		return call_fail(c, ERR_VALIDATION, "libfuse refuses the options %s", words);
	}
	int mounted = fuse_session_mount(se, point);

	*out = mounted == 0 ? fcntl(fuse_session_fd(se), F_DUPFD_CLOEXEC, 3) : -1;
	if (*out >= 0) {
		forget_mount(se);
	} else if (mounted == 0) {
		fuse_session_unmount(se);
	}
	fuse_session_destroy(se);
	fuse_opt_free_args(&args);
	if (*out < 0) {
		return call_fail(c, ERR_IO, "cannot mount on %s", point);
	}
	return 0;
}

uint64_t
device_number(const char *point)
{
	struct statx st;
	const int flags = AT_STATX_DONT_SYNC | AT_SYMLINK_NOFOLLOW | AT_NO_AUTOMOUNT;

	/* With an empty mask, statx() returns the device number without asking the daemon, for every user. */
	return statx(AT_FDCWD, point, flags, 0, &st) != 0
		       ? 0
		       : (uint64_t)makedev(st.stx_dev_major, st.stx_dev_minor);
}

static int
unmount_by_helper(const char *point, bool lazy)
{
	char name[] = "fusermount3";
	char flag_u[] = "-uq";
	char flag_z[] = "-uqz";
	char end[] = "--";
	char path[PATH_MAX];
	char *argv[] = {name, lazy ? flag_z : flag_u, end, path, NULL};
	pid_t pid;
	int status;

	if (snprintf(path, sizeof(path), "%s", point) >= (int)sizeof(path) ||
	    posix_spawnp(&pid, name, NULL, NULL, argv, environ) != 0 ||
	    waitpid(pid, &status, 0) != pid) {
		return DEVICE_BUSY;
	}
	return status == 0 ? 0 : DEVICE_BUSY;
}

int
device_unmount(const char *point, bool lazy)
{
	if (device_is_socket(point) ||
	    umount2(point, UMOUNT_NOFOLLOW | (lazy ? MNT_DETACH : 0)) == 0) {
		return 0;
	}
	return errno == EPERM ? unmount_by_helper(point, lazy) : DEVICE_BUSY;
}
