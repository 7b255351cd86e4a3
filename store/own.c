/* own - checks a directory before local_open() opens it; the process that owns a store */
#include "store/own.h"

#include <limits.h>
#include <sys/inotify.h>
#include <sys/stat.h>

#include "store/base/system/mountinfo.h"
#include "store/base/text/shell_word.h"
#include "store/kv/ldb_holder.h"
#include "store/local/archive/store_backup.h"
#include "store/local/local.h"

/* Fails with ERR_VALIDATION if @dir is not a store: programs then exit as for a usage error. */
static int
check_directory(struct call *c, const char *dir, bool create)
{
	struct stat st;

	if (stat(dir, &st) < 0) {
		return errno != ENOENT || create
			       ? 0
			       : call_fail(
					 c, ERR_VALIDATION,
					 "there is no store at %s; to create one: itemctl create-table, or itemfs "
					 "--create",
					 dir);
	}
	if (!S_ISDIR(st.st_mode)) {
		return call_fail(c, ERR_VALIDATION, "%s is not a store: not a directory", dir);
	}
	if (!create && stat(arena_print(&c->arena, "%s/FORMAT", dir), &st) < 0 && errno == ENOENT) {
		return call_fail(
			c, ERR_VALIDATION,
			"%s is not a store: it has no file named FORMAT; to create a store in an empty "
			"directory: itemctl create-table, or itemfs --create",
			dir);
	}
	return 0;
}

int
store_own(struct call *c, const char *dir, bool create, struct engine **out)
{
	int r = check_directory(c, dir, create);

	return r < 0 ? r : local_open(c, dir, create, out);
}

/* ------------------------------------------------------------ the process that owns a store */

/* Returns the path of the store's database, in @path. */
static const char *
own_database(const char *dir, char path[PATH_MAX])
{
	(void)snprintf(path, PATH_MAX, "%s/db", dir);
	return path;
}

pid_t
store_dead_owner(const char *dir)
{
	char path[PATH_MAX];

	return ldb_holder_dying(own_database(dir, path));
}

pid_t
store_stopped_owner(const char *dir)
{
	char path[PATH_MAX];

	return ldb_holder_stopped(own_database(dir, path));
}

bool
store_put_owner(const char *dir, struct buf *out)
{
	char path[PATH_MAX];

	return ldb_holder_put(own_database(dir, path), out);
}

int
store_watch(const char *dir)
{
	char path[PATH_MAX];
	int fd = ldb_watch(own_database(dir, path));

	if (fd >= 0) {
		(void)inotify_add_watch(fd, dir, IN_MOVE_SELF | IN_ONLYDIR);
	}
	return fd;
}

bool
store_watch_seen(int fd)
{
	return ldb_watch_seen(fd);
}

/* ------------------------------------------------------------ an owner that was killed */

/* The mounts of a store, as words of the commands that end their connections. */
struct own_mounts {
	struct buf points;
	struct buf aborts; /* files in /sys/fs/fuse/connections */
	bool may_abort;    /* this user may write to all of them */
};

static void
own_add_mount(struct own_mounts *all, const struct mountinfo *m)
{
	char file[64];

	(void)snprintf(file, sizeof(file), "/sys/fs/fuse/connections/%u/abort", m->connection);
	all->may_abort = (all->may_abort || all->aborts.len == 0) && access(file, W_OK) == 0;
	buf_fmt(&all->aborts, " %s", file);
	buf_char(&all->points, ' ');
	shell_word(&all->points, slice_from(m->point));
}

/*
 * Finds the mounts of root and of @pid's user that name @dir.  It accesses neither mounts nor their stores: that could
 * wait for this owner's reply, or for a disk that does not answer.
 */
static void
own_find_mounts(const char *dir, pid_t pid, struct own_mounts *all)
{
	cleanup(mountinfo_close) struct mountinfo_list list;
	struct mountinfo m;
	struct stat st;
	char process[32];
	char *real = realpath(dir, NULL);

	(void)snprintf(process, sizeof(process), "/proc/%d", pid);
	bool known = real != NULL && stat(process, &st) == 0;

	mountinfo_open(&list);
	while (known && mountinfo_next(&list, &m)) {
		if (m.itemfs && (m.uid == 0 || m.uid == st.st_uid) && strcmp(m.source, real) == 0) {
			own_add_mount(all, &m);
		}
	}
	free(real);
}

int
store_refuse_dead(struct call *c, const char *dir)
{
	struct own_mounts all = {.may_abort = false};
	struct buf why;

	buf_init(&why, &c->arena);
	buf_init(&all.points, &c->arena);
	buf_init(&all.aborts, &c->arena);
	buf_fmt(&why, "%s: ", dir);
	pid_t pid = store_dead_owner(dir);

	if (pid == 0 || !store_put_owner(dir, &why)) {
		return 0;
	}
	buf_str(&why, ", which has the store open, was killed and has not ended. ");
	own_find_mounts(dir, pid, &all);
	if (all.points.len == 0) {
		buf_str(&why,
			"As root, type \"umount -fl MOUNTPOINT\" for each of its mounts; none "
			"is visible here");
	} else if (geteuid() != 0 && all.may_abort) {
		buf_fmt(&why, "Type: echo 1 | tee%.*s", SLICE_ARG(buf_view(&all.aborts)));
	} else {
		buf_fmt(&why, "As root, type: umount -fl%.*s", SLICE_ARG(buf_view(&all.points)));
	}
	return call_fail(c, ERR_BUSY, "%.*s", SLICE_ARG(buf_view(&why)));
}

int
store_restore(struct call *c, const struct restore_in *in, struct restore_out *out)
{
	return store_backup_restore(c, in, out);
}
