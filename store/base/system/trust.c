/* trust - see trust.h */
#include "store/base/system/trust.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "store/base/system/mountinfo.h"
#include "store/base/text/ini.h"
#include "store/base/text/shell_word.h"
#include "store/base/text/url.h"

#define CONFIG_OF_ALL "/etc/itemfs/config"

enum { ENTRY_BYTES = 16 * 1024 }; /* room for an entry of the user or group database */

/* ------------------------------------------------------------ users and groups */

static const char *
trust_user(struct call *c, uid_t uid)
{
	char *room = arena_new(&c->arena, char, ENTRY_BYTES);
	struct passwd one;
	struct passwd *found = NULL;

	return getpwuid_r(uid, &one, room, ENTRY_BYTES, &found) == 0 && found != NULL
		       ? found->pw_name
		       : arena_print(&c->arena, "with the ID %u", uid);
}

/*
 * Returns true if the group is the private group of the owner.  Many systems give each user such a group, and new files
 * the mode 0664.
 */
static bool
trust_group_of_one(struct call *c, const struct stat *st)
{
	char *rooms[2] = {arena_new(&c->arena, char, ENTRY_BYTES),
			  arena_new(&c->arena, char, ENTRY_BYTES)};
	struct passwd user;
	struct passwd *owner = NULL;
	struct group one;
	struct group *group = NULL;

	if (getpwuid_r(st->st_uid, &user, rooms[0], ENTRY_BYTES, &owner) != 0 || owner == NULL ||
	    getgrgid_r(st->st_gid, &one, rooms[1], ENTRY_BYTES, &group) != 0 || group == NULL) {
		return false;
	}
	const char *member = group->gr_mem[0];

	return owner->pw_gid == group->gr_gid && strcmp(owner->pw_name, group->gr_name) == 0 &&
	       (member == NULL ||
		(strcmp(member, owner->pw_name) == 0 && group->gr_mem[1] == NULL));
}

/* ------------------------------------------------------------ owner and mode */

static bool
trust_is_ours(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

static bool
trust_is_writable(struct call *c, const struct stat *st)
{
	return (st->st_mode & S_IWOTH) != 0 ||
	       ((st->st_mode & S_IWGRP) != 0 && !trust_group_of_one(c, st));
}

/* Returns true if another user has mounted the FUSE file system. That user decides which owner and mode it shows. */
static bool
trust_is_shown_by(const struct stat *st, uid_t *who)
{
	return mountinfo_user(st->st_dev, who) && *who != 0 && *who != geteuid();
}

/* Returns what is wrong with a directory; empty if nothing is. */
static struct slice
trust_fault(struct call *c, const char *path, const struct stat *st)
{
	uid_t who = 0;
	struct buf b;

	buf_init(&b, &c->arena);
	if (trust_is_shown_by(st, &who)) {
		buf_fmt(&b,
			"%s is on a file system that the user %s has mounted, who controls its contents",
			path, trust_user(c, who));
	} else if (!trust_is_ours(st)) {
		buf_fmt(&b,
			"%s belongs to the user %s, who could make you overwrite your own files",
			path, trust_user(c, st->st_uid));
	} else if (trust_is_writable(c, st)) {
		buf_fmt(&b,
			"other users can write to %s (mode %04o), and could make you overwrite your "
			"own files: check its contents, then chmod go-w %s",
			path, st->st_mode & 07777, path);
	}
	return buf_view(&b);
}

/* ------------------------------------------------------------ stores that the user allows */

static const char *
trust_env(const char *name)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment */
	return getenv(name);
}

/* Returns true if @path, which must be absolute, is the directory @st, or if it is "*". */
static bool
trust_is_named(struct call *c, struct slice path, const struct stat *st)
{
	struct stat other;

	if (slice_is(path, "*")) {
		return true;
	}
	return slice_starts(path, SLICE("/")) && stat(slice_cstr(&c->arena, path), &other) == 0 &&
	       other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

static bool
trust_in_list(struct call *c, const char *list, const struct stat *st)
{
	bool named = false;

	for (struct slice rest = slice_from(list); rest.len > 0 && !named;) {
		named = trust_is_named(c, slice_take(&rest, ':'), st);
	}
	return named;
}

static int
trust_judge_owner(struct call *c, const char *path, const struct stat *st)
{
	uid_t who = 0;

	if (trust_is_shown_by(st, &who)) {
		return call_fail(c, ERR_ACCESS,
				 "%s is on a file system that the user %s has mounted", path,
				 trust_user(c, who));
	}
	return trust_is_ours(st) ? 0
				 : call_fail(c, ERR_ACCESS, "%s belongs to the user %s", path,
					     trust_user(c, st->st_uid));
}

static int
trust_refuse_mode(struct call *c, const char *path, const struct stat *st)
{
	struct buf word;

	buf_init(&word, &c->arena);
	shell_word(&word, slice_from(path));
	return call_fail(c, ERR_ACCESS, "other users can write to %s (mode %04o): chmod go-w %.*s",
			 path, st->st_mode & 07777, SLICE_ARG(buf_view(&word)));
}

/*
 * Returns true if others cannot replace @entry although they can write to its directory.  That holds on a read-only
 * disk.  It also holds in a sticky directory for an entry of ours or of root with only one hard link.
 */
static bool
trust_stays(int folder, const struct stat *st, const char *entry)
{
	struct statvfs disk;
	struct stat it;

	if (fstatvfs(folder, &disk) == 0 && (disk.f_flag & ST_RDONLY) != 0) {
		return true;
	}
	return (st->st_mode & S_ISVTX) != 0 &&
	       fstatat(folder, entry, &it, AT_SYMLINK_NOFOLLOW) == 0 && trust_is_ours(&it) &&
	       it.st_nlink == 1;
}

/* Checks the directory of @path: a user who can write to it can replace the file. */
static int
trust_judge_folder_of(struct call *c, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *folder =
		slash == NULL   ? "."
		: slash == path ? "/"
				: slice_cstr(&c->arena, slice_of(path, (size_t)(slash - path)));
	cleanup(cleanup_fd) int fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		return call_fail(c, ERR_ACCESS, "%s: %s", folder, strerrordesc_np(errno));
	}
	int r = trust_judge_owner(c, folder, &st);

	return r < 0 || !trust_is_writable(c, &st) ||
			       trust_stays(fd, &st, slash == NULL ? path : slash + 1)
		       ? r
		       : trust_refuse_mode(c, folder, &st);
}

/* Refuses a settings file that another user could have written. If @path is a link, checks the target's folder, too. */
static int
trust_judge_config(struct call *c, const char *path, const struct stat *st)
{
	char real[PATH_MAX];

	if (!S_ISREG(st->st_mode)) {
		return call_fail(c, ERR_ACCESS, "%s is not a regular file", path);
	}
	int r = trust_judge_owner(c, path, st);

	r = r < 0 || !trust_is_writable(c, st) ? r : trust_refuse_mode(c, path, st);
	r = r < 0 ? r : trust_judge_folder_of(c, path);
	return r < 0 || realpath(path, real) == NULL ? r : trust_judge_folder_of(c, real);
}

/* Returns true if the settings file allows the store. If the file cannot be used, the reason is appended to @why. */
static bool
trust_in_config(struct call *c, const char *path, const struct stat *st, struct buf *why)
{
	struct ini file = {0};
	cleanup(call_close) struct call own;
	bool found = false;

	call_open(&own, c->now_ms, SIZE_MAX);
	if (access(path, F_OK) != 0) {
		return false;
	}
	if (ini_read(&own, path, trust_judge_config, &file) < 0) {
		buf_fmt(why, " (not used: %s)", own.error.message);
	}
	for (size_t i = 0; i < file.n && !found; i++) {
		found = file.line[i].section.len == 0 && slice_is(file.line[i].key, "trust") &&
			trust_is_named(c, file.line[i].value, st);
	}
	return found;
}

/* Returns the name of the user's own settings file. */
static const char *
trust_config_name(struct call *c)
{
	const char *config = trust_env("XDG_CONFIG_HOME");
	const char *home = trust_env("HOME");

	if (config != NULL && config[0] == '/') {
		return arena_print(&c->arena, "%s/itemfs/config", config);
	}
	return home != NULL && home[0] == '/'
		       ? arena_print(&c->arena, "%s/.config/itemfs/config", home)
		       : CONFIG_OF_ALL;
}

int
trust_settings(struct call *c, struct ini *out)
{
	const char *path = trust_config_name(c);

	*out = (struct ini){0};
	return access(path, F_OK) == 0 ? ini_read(c, path, trust_judge_config, out) : 0;
}

size_t
trust_names(struct call *c, const char *out[TRUST_FILES])
{
	out[0] = trust_config_name(c);
	out[1] = CONFIG_OF_ALL;
	return strcmp(out[0], out[1]) == 0 ? 1 : TRUST_FILES;
}

const char *
trust_path(struct call *c, struct slice named)
{
	const char *home = trust_env("HOME");
	bool below = home != NULL && slice_starts(named, SLICE("~/"));

	named = slice_skip(named, below);
	return arena_print(&c->arena, "%s%.*s", below ? home : "", SLICE_ARG(named));
}

static bool
trust_allowed(struct call *c, const struct stat *st, struct buf *why)
{
	const char *list = trust_env("ITEMFS_TRUST_STORE");
	const char *own = trust_config_name(c);

	if (list != NULL) {
		return trust_in_list(c, list, st);
	}
	return trust_in_config(c, own, st, why) ||
	       (strcmp(own, CONFIG_OF_ALL) != 0 && trust_in_config(c, CONFIG_OF_ALL, st, why));
}

/* ------------------------------------------------------------ the decision */

/* Returns the absolute path of the store, which the message shows as the setting that would allow it. */
static const char *
trust_absolute(struct call *c, const char *dir)
{
	char real[PATH_MAX];

	return realpath(dir, real) == NULL ? dir : slice_cstr(&c->arena, slice_from(real));
}

static int
trust_refuse(struct call *c, const char *dir, struct slice fault, struct slice why)
{
	const char *name = trust_absolute(c, dir);

	return call_fail(
		c, ERR_ACCESS,
		"%.*s. If you trust its contents: set ITEMFS_TRUST_STORE=%s, or write \"trust = "
		"%s\" in %s%.*s",
		SLICE_ARG(fault), name, name, trust_config_name(c), SLICE_ARG(why));
}

static int
trust_judge(struct call *c, const char *dir, int fd)
{
	struct slice fault;
	struct stat st;
	struct stat db;
	const char *below = arena_print(&c->arena, "%s/db", dir);
	struct buf why;

	buf_init(&why, &c->arena);
	if (fstat(fd, &st) < 0) {
		return call_fail(c, ERR_IO, "%s: %s", dir, strerrordesc_np(errno));
	}
	fault = trust_fault(c, dir, &st);
	if (fstatat(fd, "db", &db, AT_SYMLINK_NOFOLLOW) == 0) {
		if (!S_ISDIR(db.st_mode)) {
			return call_fail(
				c, ERR_VALIDATION,
				"%s is not a directory: a store's database must be in the store itself, not "
				"behind a symbolic link",
				below);
		}
		fault = fault.len > 0 ? fault : trust_fault(c, below, &db);
	}
	return fault.len == 0 || trust_allowed(c, &st, &why)
		       ? 0
		       : trust_refuse(c, dir, fault, buf_view(&why));
}

int
trust_open(struct call *c, const char *dir, int *out)
{
	*out = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*out < 0) {
		return call_fail(c, error_of_path(errno), "%s: %s", dir, strerrordesc_np(errno));
	}
	int r = trust_judge(c, dir, *out);

	if (r < 0) {
		(void)close(*out);
		*out = -1;
	}
	return r;
}

int
trust_mount(struct call *c, const struct mountinfo *m)
{
	struct stat st;

	if (m->uid == 0 || m->uid == geteuid() ||
	    (m->source[0] == '/' && stat(m->source, &st) == 0 && st.st_uid == m->uid)) {
		return 0;
	}
	return call_fail(
		c, ERR_ACCESS,
		"%s is a mount of the user %s, who could name any store, and names %s: give "
		"the store with -s STORE",
		m->point, trust_user(c, m->uid), url_shown(&c->arena, m->source));
}

int
trust_check(struct call *c, const char *dir)
{
	cleanup(cleanup_fd) int fd = -1;

	return trust_open(c, dir, &fd);
}
