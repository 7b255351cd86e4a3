/*
 * dead_owner - ends the owner of a store that was killed and hangs
 *
 * Its connections are found in /proc/self/mountinfo.  Its mount points are never opened or read, because such an
 * access would hang as well.
 */
#include "fs/daemon/dead_owner.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/pause.h"
#include "store/base/core/timing.h"
#include "store/base/system/mountinfo.h"
#include "store/base/system/say.h"
#include "store/base/system/trust.h"
#include "store/base/text/url.h"
#include "store/own.h"

#include "fs/daemon/daemon.h"
#include "fs/daemon/device.h"

enum {
	STEP_MS = 20,
	READ_BYTES = 65536,
};

/* A mount of the dead owner, in a list. */
struct dead_mount {
	struct dead_mount *next;
	struct mountinfo info;
	int connection; /* descriptor from fusectl_connection(), or -1 */
};

struct dead_owner {
	struct call *c;
	const char *store;
	pid_t pid;
	uid_t uid;
	struct dead_mount *mounts; /* in the call's arena */
	struct buf aborted;        /* mount points that were aborted, quoted */
	struct buf left;           /* mount points that this process may not abort, quoted */
};

/* ------------------------------------------------------------ FUSE connections in the kernel */

enum { FUSECTL_MAGIC = 0x65735543 }; /* for statfs(); not in the kernel's public headers */

/* Open fusectl where systemd mounts it. */
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

/* Open fusectl without a mount point; only root may do this. */
static int
fusectl_open_detached(void)
{
	cleanup(cleanup_fd) int fs = fsopen("fusectl", FSOPEN_CLOEXEC);

	return fs < 0 || fsconfig(fs, FSCONFIG_CMD_CREATE, NULL, NULL, 0) != 0
		       ? -1
		       : fsmount(fs, FSMOUNT_CLOEXEC, 0);
}

/* Open fusectl, the filesystem with a directory for each connection.  -1: it is not available */
static int
fusectl_open(void)
{
	int fd = fusectl_open_mounted();

	return fd >= 0 ? fd : fusectl_open_detached();
}

/*
 * Open a connection for fusectl_abort().
 * @fusectl: descriptor from fusectl_open(), or -1
 *
 * The descriptor stays bound to this connection: if another connection gets the number, an abort has no effect.
 * Return: a descriptor; -1: no such connection, or another user's
 */
static int
fusectl_connection(int fusectl, unsigned number)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "%u/abort", number);
	return fusectl < 0 ? -1 : openat(fusectl, path, O_WRONLY | O_CLOEXEC);
}

/* Abort a connection: all current and later requests fail.  false: it cannot be aborted */
static bool
fusectl_abort(int connection)
{
	return connection >= 0 && write(connection, "1", 1) == 1;
}

/* ------------------------------------------------------------ mounts of the dead owner */

/* Append the text of mountinfo, with a NUL; "" if it cannot be read. */
static void
dead_owner_mountinfo(struct buf *text)
{
	cleanup(cleanup_fd) int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (fd >= 0 && (n = read(fd, buf_grow(text, READ_BYTES), READ_BYTES)) > 0) {
		text->len += (size_t)n;
	}
	buf_char(text, '\0');
}

static bool
dead_owner_is_source(const struct dead_owner *d, const char *source, bool by_name)
{
	struct stat a;
	struct stat b;

	if (by_name) {
		return strcmp(source, url_shown(&d->c->arena, d->store)) == 0;
	}
	return source[0] == '/' && stat(source, &a) == 0 && stat(d->store, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Only root's mounts and those of the owner's user can be the owner's (join_accept()). */
static bool
dead_owner_has(const struct dead_owner *d, const struct mountinfo *m, bool by_name)
{
	for (const struct dead_mount *old = d->mounts; old != NULL; old = old->next) {
		if (old->info.connection == m->connection) {
			return false;
		}
	}
	return (m->uid == 0 || m->uid == d->uid) && dead_owner_is_source(d, m->source, by_name);
}

/* Find mounts whose source is the name of the store or, without @by_name, another path of the same directory. */
static void
dead_owner_find(struct dead_owner *d, bool by_name)
{
	struct dead_mount **last = &d->mounts;
	cleanup(buf_release) struct buf text = {0};

	dead_owner_mountinfo(&text);

	char *rest = text.at;
	char *line;

	while ((line = strsep(&rest, "\n")) != NULL) {
		struct mountinfo m;

		if (mountinfo_parse(line, &m) && dead_owner_has(d, &m, by_name)) {
			*last = arena_new(&d->c->arena, struct dead_mount, 1);
			m.point = slice_cstr(&d->c->arena, slice_from(m.point));
			m.source = NULL;
			**last = (struct dead_mount){.info = m, .connection = -1};
			last = &(*last)->next;
		}
	}
}

static void
dead_owner_open(struct dead_owner *d)
{
	cleanup(cleanup_fd) int fusectl = fusectl_open();

	for (struct dead_mount *m = d->mounts; m != NULL; m = m->next) {
		m->connection = fusectl_connection(fusectl, m->info.connection);
	}
}

static void
dead_owner_close(struct dead_owner *d)
{
	for (struct dead_mount *m = d->mounts; m != NULL; m = m->next) {
		cleanup_fd(&m->connection);
	}
}

/* ------------------------------------------------------------ end of the dead owner */

/* For root in a container without fusectl.  A mount on top of the dead one is left alone. */
static bool
dead_owner_unmount(const struct mountinfo *m)
{
	return device_number(m->point) == m->connection &&
	       umount2(m->point, MNT_FORCE | MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
}

/* Append @word, quoted for a shell. */
static void
dead_owner_quote(struct buf *out, const char *word)
{
	buf_str(out, " '");
	for (; *word != '\0'; word++) {
		if (*word == '\'') {
			buf_str(out, "'\\''");
		} else {
			buf_char(out, *word);
		}
	}
	buf_char(out, '\'');
}

static void
dead_owner_abort(struct dead_owner *d)
{
	for (struct dead_mount *m = d->mounts; m != NULL; m = m->next) {
		bool done = fusectl_abort(m->connection) || dead_owner_unmount(&m->info);

		dead_owner_quote(done ? &d->aborted : &d->left, m->info.point);
	}
}

/* Wait until the owner has ended.  Return: true if it has */
static bool
dead_owner_wait(const struct dead_owner *d, unsigned ms)
{
	const struct call waits = {.given_up = daemon_is_told_to_end};
	uint64_t until = clock_steady_ms() + ms;
	bool there;

	while ((there = store_dead_owner(d->store) == d->pid) && clock_steady_ms() < until &&
	       pause_ms(&waits, STEP_MS)) {
	}
	return !there;
}

static int
dead_owner_refuse(const struct dead_owner *d)
{
	struct buf why;

	buf_init(&why, &d->c->arena);
	buf_fmt(&why, "%s: process %d, which has it, was killed and ", d->store, d->pid);
	if (d->left.len > 0) {
		buf_fmt(&why, "cannot end before its mounts do. As root, type: umount -fl%.*s",
			SLICE_ARG(buf_view(&d->left)));
	} else if (d->mounts == NULL) {
		buf_str(&why, "has not ended; none of its mounts can be seen here. Where they "
			      "are, as root, type \"umount -fl MOUNTPOINT\" of each of them");
	} else {
		buf_str(&why, "has not ended, although the connections of its mounts were aborted. "
			      "It waits for something else in the kernel, as a disk: try again "
			      "when it has ended");
	}
	return call_fail(d->c, ERR_BUSY, "%.*s", SLICE_ARG(buf_view(&why)));
}

/*
 * The mounts are listed and the connections opened before the owner is checked again, so none of them can belong to a
 * later owner.
 */
static int
dead_owner_act(struct dead_owner *d)
{
	dead_owner_find(d, true);
	if (d->mounts == NULL) {
		dead_owner_find(d, false);
	}
	dead_owner_open(d);
	if (store_dead_owner(d->store) == d->pid) {
		dead_owner_abort(d);
	}
	dead_owner_close(d);
	if (!dead_owner_wait(d, d->aborted.len > 0 ? timing_ms(TIMING_DEAD_END) : 0)) {
		return dead_owner_refuse(d);
	}
	if (d->aborted.len > 0) {
		say("process %d, which had %s, was killed and could not end: the connections of "
		    "its mounts were aborted:%.*s",
		    d->pid, d->store, SLICE_ARG(buf_view(&d->aborted)));
	}
	return DEAD_OWNER_ENDED;
}

int
dead_owner_end(struct call *c, const char *store)
{
	struct dead_owner d = {.c = c, .store = store, .pid = store_dead_owner(store)};
	char process[64];
	struct stat st;

	if (d.pid == 0) {
		return 0;
	}
	int r = trust_check(c, store);

	if (r < 0) {
		return r;
	}
	(void)snprintf(process, sizeof(process), "/proc/%d", d.pid);
	if (dead_owner_wait(&d, timing_ms(TIMING_DEAD_GRACE)) || stat(process, &st) != 0) {
		return DEAD_OWNER_ENDED;
	}
	if (daemon_is_told_to_end(NULL)) {
		return call_fail(c, ERR_BUSY, "interrupted");
	}
	d.uid = st.st_uid;
	buf_init(&d.aborted, &c->arena);
	buf_init(&d.left, &c->arena);
	return dead_owner_act(&d);
}
