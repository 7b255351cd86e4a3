/* ldb_holder - see ldb_holder.h */
#include "store/kv/ldb_holder.h"

#include <fcntl.h>
#include <sys/inotify.h>

#include "store/base/system/process.h"
#include "store/base/system/regular.h"

enum { NAME_BYTES = 32 }; /* of a process name; the kernel keeps 15 */

/* The process that has LevelDB's lock; 0: none, or not known */
static pid_t
ldb_holder(const char *dir)
{
	struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	cleanup(cleanup_fd) int at = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	cleanup(cleanup_fd) int fd = regular_open_for(at, "LOCK", O_RDWR);

	return fd >= 0 && fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK
		       ? whole.l_pid
		       : 0;
}

/* If the lock has the same holder afterwards, a later process with the same ID was not examined instead. */
pid_t
ldb_holder_dying(const char *dir)
{
	pid_t pid = ldb_holder(dir);

	return pid > 0 && process_is_dying(pid) && ldb_holder(dir) == pid ? pid : 0;
}

pid_t
ldb_holder_stopped(const char *dir)
{
	pid_t pid = ldb_holder(dir);

	return pid > 0 && process_is_stopped(pid) && ldb_holder(dir) == pid ? pid : 0;
}

bool
ldb_holder_put(const char *dir, struct buf *out)
{
	pid_t pid = ldb_holder(dir);
	char path[64];
	char name[NAME_BYTES];

	if (pid <= 0) {
		return false;
	}
	(void)snprintf(path, sizeof(path), "/proc/%d/comm", pid);

	cleanup(cleanup_fd) int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, name, NAME_BYTES - 1);

	name[n < 0 ? 0 : n] = '\0';
	name[strcspn(name, "\n")] = '\0';
	buf_fmt(out, "process %d", pid);
	if (name[0] != '\0') {
		buf_fmt(out, " (%s)", name);
	}
	return true;
}

int
ldb_watch(const char *dir)
{
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	if (fd >= 0 && inotify_add_watch(fd, dir, IN_MODIFY | IN_ONLYDIR) < 0) {
		(void)close(fd);
		fd = -1;
	}
	return fd;
}

/* Opening a database makes a new, empty log: only a write makes it longer. */
bool
ldb_watch_seen(int fd)
{
	_Alignas(struct inotify_event) char events[4096];
	bool seen = false;
	ssize_t n;

	while ((n = read(fd, events, sizeof(events))) > 0) {
		const struct inotify_event *e;

		for (ssize_t at = 0; at < n; at += (ssize_t)(sizeof(*e) + e->len)) {
			e = (const struct inotify_event *)(const void *)(events + at);
			seen = seen ||
			       (e->mask & (IN_IGNORED | IN_Q_OVERFLOW | IN_MOVE_SELF)) != 0 ||
			       (e->len > 0 && slice_ends(slice_from(e->name), SLICE(".log")));
		}
	}
	return seen;
}

int
ldb_busy(struct call *c, const char *dir)
{
	struct buf holder;

	buf_init(&holder, &c->arena);
	if (!ldb_holder_put(dir, &holder)) {
		buf_str(&holder, "another process");
	}
	return call_fail(c, ERR_BUSY, "%s: in use by %.*s", dir, SLICE_ARG(buf_view(&holder)));
}
