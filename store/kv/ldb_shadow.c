/* ldb_shadow - see ldb_shadow.h */
#include "store/kv/ldb_shadow.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include "store/base/system/folder.h"
#include "store/base/system/regular.h"
#include "store/base/system/temporary.h"
#include "store/base/system/write_all.h"
#include "store/kv/ldb_damage.h"
#include "store/kv/ldb_manifest.h"
#include "store/kv/ldb_room.h"

#define SHADOW_NAME "itemfs-shadow-"

enum {
	COPY_BYTES = 256 * 1024,
	COPIES = 3, /* logs and manifest, the tables made from them, the start of a compaction */
	SPARE_BYTES = 1 << 20,
	OBSTACLES = 4, /* directories of ldb_shadow_freeze() */
};

/* ------------------------------------------------------------ when */

const char *
ldb_shadow_needed(struct call *c, const char *dir, int fd)
{
	struct statvfs st;
	cleanup(call_close) struct call own;

	call_open(&own, 0, COPY_BYTES);
	if (faccessat(fd, "CURRENT", F_OK, 0) != 0) {
		return NULL;
	}
	if (fstatvfs(fd, &st) == 0 && (st.f_flag & ST_RDONLY) != 0) {
		return "the disk of its database is read-only";
	}
	return ldb_room_to_open(&own, dir, fd) < 0
		       ? slice_cstr(&c->arena, slice_from(own.error.message))
		       : NULL;
}

/* ------------------------------------------------------------ where */

static bool
shadow_is_copied(const char *name)
{
	return strcmp(name, "CURRENT") == 0 || strncmp(name, "MANIFEST-", 9) == 0 ||
	       slice_ends(slice_from(name), SLICE(".log"));
}

/* The bytes of the files to copy. */
static uint64_t
shadow_bytes(int fd)
{
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;
	uint64_t sum = 0;
	struct stat st;

	while ((entry = folder_next(d)) != NULL) {
		if (shadow_is_copied(entry) && fstatat(fd, entry, &st, AT_SYMLINK_NOFOLLOW) == 0) {
			sum += (uint64_t)st.st_size;
		}
	}
	return sum;
}

static bool
shadow_make_in(const char *parent, uint64_t bytes, struct ldb_shadow *s)
{
	struct statvfs st;

	return statvfs(parent, &st) == 0 && (uint64_t)st.f_bavail * st.f_frsize >= bytes &&
	       temporary_make(parent, SHADOW_NAME, &s->at);
}

static bool
shadow_make_somewhere(uint64_t bytes, struct ldb_shadow *s)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody changes the environment */
	const char *const parents[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};

	for (size_t i = 0; i < sizeof(parents) / sizeof(parents[0]); i++) {
		if (parents[i] != NULL && shadow_make_in(parents[i], bytes, s)) {
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ what */

static bool
shadow_copy(int from_dir, const char *name, int to_dir)
{
	cleanup(cleanup_fd) int from = regular_open(from_dir, name);
	cleanup(cleanup_fd) int to =
		openat(to_dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	char *bytes = mem_zeroed(1, COPY_BYTES);
	ssize_t n = -1;

	while (from >= 0 && to >= 0 && (n = read(from, bytes, COPY_BYTES)) > 0 &&
	       write_all(to, slice_of(bytes, (size_t)n)) == 0) {
	}
	free(bytes);
	return n == 0;
}

static bool
shadow_fill(int fd, const struct ldb_shadow *s)
{
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;
	cleanup(cleanup_fd) int lock =
		openat(s->at.fd, "LOCK", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	bool whole = d != NULL && lock >= 0;

	while (whole && (entry = folder_next(d)) != NULL) {
		if (shadow_is_copied(entry)) {
			whole = shadow_copy(fd, entry, s->at.fd);
		}
	}
	return whole;
}

static int
shadow_fail(struct call *c, const struct ldb_shadow *s)
{
	return call_fail(c, ERR_IO, "%s; and it cannot be copied to %s to be read: %s", s->why,
			 s->at.path, strerrordesc_np(errno));
}

/* Links one table of the directory @fd, whose path is @below; old versions of LevelDB used the suffix ".sst". */
static bool
shadow_link(int fd, const char *below, uint64_t number, int to_dir)
{
	char name[LDB_NAME_BYTES];
	char target[PATH_MAX];

	(void)snprintf(name, sizeof(name), "%06llu.ldb", (unsigned long long)number);
	if (faccessat(fd, name, F_OK, 0) != 0) {
		(void)snprintf(name, sizeof(name), "%06llu.sst", (unsigned long long)number);
	}
	return snprintf(target, sizeof(target), "%s/%s", below, name) < PATH_MAX &&
	       symlinkat(target, to_dir, name) == 0;
}

int
ldb_shadow_make(struct call *c, int fd, const char *why, struct ldb_shadow *out)
{
	uint64_t bytes = COPIES * shadow_bytes(fd) + SPARE_BYTES;

	if (!shadow_make_somewhere(bytes, out)) {
		return call_fail(c, ERR_NO_SPACE,
				 "%s; and to read it, %.1f MB must be free in /dev/shm, TMPDIR or "
				 "/tmp",
				 why, (double)bytes / 1e6);
	}
	out->why = mem_string(why);
	return shadow_fill(fd, out) ? 0 : shadow_fail(c, out);
}

int
ldb_shadow_link(struct call *c, const char *dir, int fd, const struct ldb_shadow *s)
{
	struct ldb_manifest m;
	char below[PATH_MAX];
	int r = ldb_manifest_read(c, (struct ldb_dir){s->at.fd, dir}, &m);

	/*
	 * With a path below LDB_PINNED, the links lead to the directory that was checked, even if directories above it
	 * are renamed. Without such a path, the links contain the directory's present path.
	 */
	(void)snprintf(below, sizeof(below), LDB_PINNED "%d", fd);
	if (access(below, F_OK) != 0 && realpath(dir, below) == NULL) {
		return call_fail(c, ERR_IO, "%s: %s", dir, strerrordesc_np(errno));
	}
	for (size_t i = 0; r == 1 && i < m.n; i++) {
		r = shadow_link(fd, below, m.files[i].number, s->at.fd) ? 1 : shadow_fail(c, s);
	}
	return r < 0 ? r : 0;
}

/* ------------------------------------------------------------ once it is open */

/* The largest number in a file name; names are N.ldb, N.log and MANIFEST-N. */
static unsigned long long
shadow_last_number(int fd)
{
	cleanup(cleanup_dir) DIR *d = folder_list(fd);
	const char *entry;
	unsigned long long last = 0;

	while ((entry = folder_next(d)) != NULL) {
		const char *digits = entry + strcspn(entry, "0123456789");
		unsigned long long n = strtoull(digits, NULL, 10);

		last = n > last ? n : last;
	}
	return last;
}

/*
 * Makes directories with the names of the next tables. A compaction that meets one fails. After that LevelDB begins no
 * other compaction, and reads as before. A compaction may have begun, so some names may be taken.
 */
void
ldb_shadow_freeze(const struct ldb_shadow *s)
{
	unsigned long long next = shadow_last_number(s->at.fd) + 1;
	char name[LDB_NAME_BYTES];
	int r;

	assert(s->at.fd >= 0);
	for (int placed = 0; placed < OBSTACLES; next++) {
		(void)snprintf(name, sizeof(name), "%06llu.ldb", next);
		r = mkdirat(s->at.fd, name, 0700);
		if (r != 0 && errno != EEXIST) {
			return;
		}
		placed += r == 0;
	}
}

void
ldb_shadow_remove(struct ldb_shadow *s)
{
	temporary_remove(&s->at);
	free(s->why);
	s->why = NULL;
}
