/*
 * rejected - texts that never became an item
 *
 * commit.c and scratch_recover.c keep texts; special.c shows them in .itemfs/rejected.
 */
#include "fs/saved/rejected.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>

#include "store/base/core/clock.h"
#include "store/base/core/utf8.h"
#include "store/base/system/folder.h"
#include "store/base/system/regular.h"
#include "store/base/system/write_all.h"

#include "fs/saved/refused.h"
#include "fs/saved/state.h"

#define OWNER_ATTRIBUTE "user.itemfs"
#define PART ".part-" /* begins the name of a file that is still being written */

enum {
	NAME_MAX_BYTES = 255,
	NAME_TRIES = 1000, /* numbers to try, while the name is taken */
	PART_BYTES = 40,
	PART_KEPT_S = 3600,         /* an older unfinished file was left by a killed process */
	OWNER_MAX_BYTES = 3 * 1024, /* of the attribute: ext4 has room for 4 KB of attributes */
	TOGETHER_MS = 60 * 1000,    /* mounts that end within this time end together */
};

/* A text in the directory. */
struct rejected_text {
	const char *name;
	struct rejected_owner owner;
	size_t newer; /* number of newer texts of the same owner, set by count_newer() */
	bool goes;    /* to be removed */
};

static int
rejected_dir(const struct rejected *r)
{
	return open(r->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* Recent files stay: other processes that serve the same endpoint may still be writing them. */
static void
rejected_drop_old_parts(const struct rejected *r)
{
	cleanup(cleanup_fd) int dir = rejected_dir(r);
	cleanup(cleanup_dir) DIR *d = dir < 0 ? NULL : folder_list(dir);
	const char *entry;
	struct stat st;

	while ((entry = folder_next(d)) != NULL) {
		if (strncmp(entry, PART, strlen(PART)) == 0 &&
		    fstatat(dir, entry, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_mtime + PART_KEPT_S < time(NULL)) {
			(void)unlinkat(dir, entry, 0);
		}
	}
}

void
rejected_init(struct rejected *r, const char *store_dir, const char *shown)
{
	*r = (struct rejected){.dir = state_path(store_dir, "rejected"),
			       .shown = state_path(shown, "rejected")};
	(void)pthread_mutex_init(&r->lock, NULL);
	rejected_drop_old_parts(r);
}

void
rejected_release(struct rejected *r)
{
	free(r->dir);
	free(r->shown);
	(void)pthread_mutex_destroy(&r->lock);
	*r = (struct rejected){0};
}

/* ------------------------------------------------------------ owners */

/* A failure is ignored: without the attribute, only readers that see the texts of all users see the text. */
static void
owner_put(int fd, const struct rejected_owner *owner)
{
	char text[OWNER_MAX_BYTES + 1];
	int n = snprintf(text, sizeof(text), "%u %o %.*s", owner->uid, (unsigned)owner->mode,
			 SLICE_ARG(owner->mount));

	if (n > 0 && n <= OWNER_MAX_BYTES) {
		(void)fsetxattr(fd, OWNER_ATTRIBUTE, text, (size_t)n, 0);
	}
}

static struct rejected_owner
rejected_owner_get(int fd, struct arena *a)
{
	char text[OWNER_MAX_BYTES + 1];
	ssize_t n = fgetxattr(fd, OWNER_ATTRIBUTE, text, OWNER_MAX_BYTES);
	char *end;

	if (n <= 0) {
		return (struct rejected_owner){.mount = SLICE("")};
	}
	text[n] = '\0';
	unsigned long uid = strtoul(text, &end, 10);
	unsigned long mode = *end == ' ' ? strtoul(end + 1, &end, 8) : 0;

	if (*end != ' ' || uid > UINT32_MAX || mode > ALLPERMS) {
		return (struct rejected_owner){.mount = SLICE("")};
	}
	return (struct rejected_owner){
		.mount = slice_copy(a, slice_from(end + 1)),
		.uid = (uint32_t)uid,
		.mode = (mode_t)mode,
	};
}

static bool
owner_eq(const struct rejected_owner *one, const struct rejected_owner *other)
{
	return one->uid == other->uid && slice_eq(one->mount, other->mount);
}

static bool
owner_is_shown(const struct rejected_owner *owner, const struct refused_reader *reader)
{
	if (owner->mount.len == 0) {
		return !reader->only_own;
	}
	return (reader->mount == NULL || slice_is(owner->mount, reader->mount)) &&
	       (!reader->only_own || reader->uid == owner->uid);
}

/* ------------------------------------------------------------ the texts in the directory */

static int
rejected_is_text(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Names begin with the time, so byte order is time order. */
static int
rejected_by_time(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* All texts, oldest first.  The directory is read each time, because other processes add texts, too. */
static size_t
load_texts(int dir, struct arena *a, struct rejected_text **out)
{
	struct dirent **entries = NULL;
	int n = dir < 0 ? 0 : scandirat(dir, ".", &entries, rejected_is_text, rejected_by_time);

	n = n < 0 ? 0 : n;
	*out = arena_new(a, struct rejected_text, (size_t)n);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;

		cleanup(cleanup_fd) int fd = regular_open(dir, name);

		(*out)[i].name = slice_cstr(a, slice_from(name));
		(*out)[i].owner = rejected_owner_get(fd, a);
		free(entries[i]);
	}
	free(entries);
	return (size_t)n;
}

/* Set @newer of the first @n texts, counted among these. */
static void
count_newer(struct rejected_text *texts, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		size_t later = i + 1;

		while (later < n && !owner_eq(&texts[i].owner, &texts[later].owner)) {
			later++;
		}
		texts[i].newer = later < n ? texts[later].newer + 1 : 0;
	}
}

static void
rejected_drop(int dir, const struct rejected_text *texts, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (texts[i].goes) {
			(void)unlinkat(dir, texts[i].name, 0);
		}
	}
}

/*
 * Choose at most one text to remove after @owner added one: the oldest of @owner if @owner has over 100; otherwise, if
 * there are over 1,000, the oldest of the owner with the most.  If the end of a mount
 * left more texts than that, the others stay for now.
 */
static void
choose_one(struct rejected_text *texts, size_t n, const struct rejected_owner *owner)
{
	struct rejected_text *most = NULL;

	count_newer(texts, n);
	for (size_t i = 0; i < n; i++) {
		struct rejected_text *t = &texts[i];

		if (t->newer >= REJECTED_MAX && owner_eq(&t->owner, owner)) {
			t->goes = true;
			return;
		}
		most = most == NULL || t->newer > most->newer ? t : most;
	}
	if (n > REJECTED_TOTAL_MAX) {
		assert(most != NULL);
		most->goes = true;
	}
}

static void
rejected_drop_one(int dir, const struct rejected_owner *owner)
{
	struct arena a;
	struct rejected_text *texts;

	arena_init(&a, SIZE_MAX);
	size_t n = load_texts(dir, &a, &texts);

	choose_one(texts, n, owner);
	rejected_drop(dir, texts, n);
	arena_drop(&a);
}

/* Remove texts from before @ms (Unix time), except the newest REJECTED_MAX of each owner. */
static void
drop_older(int dir, uint64_t ms)
{
	struct arena a;
	struct rejected_text *texts;
	struct buf time;
	size_t older = 0;

	arena_init(&a, SIZE_MAX);
	buf_init(&time, &a);
	clock_put(&time, ms);
	buf_str(&time, "Z");
	buf_char(&time, '\0');
	size_t n = load_texts(dir, &a, &texts);

	while (older < n && strcmp(texts[older].name, time.at) < 0) {
		older++;
	}
	count_newer(texts, older);
	for (size_t i = 0; i < older; i++) {
		texts[i].goes = texts[i].newer >= REJECTED_MAX;
	}
	rejected_drop(dir, texts, older);
	arena_drop(&a);
}

/* ------------------------------------------------------------ a new text */

static int
rejected_write_file(int dir, const char *name, const struct rejected_owner *owner,
		    struct slice text, bool sync)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		return errno;
	}
	owner_put(fd, owner);
	int r = write_all(fd, text);

	if (r == 0 && sync && fsync(fd) != 0) {
		r = errno;
	}
	if (close(fd) != 0 && r == 0) {
		r = errno;
	}
	return r;
}

/* Some filesystems do not support RENAME_NOREPLACE. */
static int
rejected_rename_file(int dir, const char *from, const char *to)
{
	int r = renameat2(dir, from, dir, to, RENAME_NOREPLACE);

	if (r != 0 && errno == EINVAL) {
		r = renameat(dir, from, dir, to);
	}
	return r == 0 ? 0 : errno;
}

static void
rejected_next_name(struct rejected *r, uint64_t now_ms, struct slice name, struct buf *out)
{
	lock_scope(&r->lock);
	buf_clear(out);
	clock_put(out, now_ms);
	buf_fmt(out, "Z-%06u-", ++r->seq);
	buf_slice(out, utf8_cut(name, NAME_MAX_BYTES - out->len));
	buf_char(out, '\0');
}

/* A text gets its name when it is complete and, with @sync, on disk.  r->lock is not held during disk writes. */
static int
rejected_make_file(struct rejected *r, int dir, uint64_t now_ms, const struct rejected_owner *owner,
		   struct slice name, struct slice text, bool sync, struct buf *file)
{
	char part[PART_BYTES];
	uint64_t number;

	/* A random number, since a process in another container may have the same process ID. */
	if (getrandom(&number, sizeof(number), 0) != sizeof(number)) {
		return errno;
	}
	(void)snprintf(part, sizeof(part), PART "%016" PRIx64, number);
	int error = rejected_write_file(dir, part, owner, text, sync);

	if (error == 0) {
		error = EEXIST;
	}
	/* Another process that serves the same endpoint may choose the same name. */
	for (int i = 0; i < NAME_TRIES && error == EEXIST; i++) {
		rejected_next_name(r, now_ms, name, file);
		error = rejected_rename_file(dir, part, file->at);
	}
	if (error != 0) {
		(void)unlinkat(dir, part, 0);
	}
	return error == 0 && sync && fsync(dir) != 0 ? errno : error;
}

int
rejected_keep_at(struct rejected *r, uint64_t now_ms, const struct rejected_owner *owner,
		 struct slice name, struct slice text, bool end, struct buf *where)
{
	struct buf file;

	if (mkdir(r->dir, 0700) != 0 && errno != EEXIST) {
		return errno;
	}
	cleanup(cleanup_fd) int dir = rejected_dir(r);

	if (dir < 0) {
		return errno;
	}
	buf_init(&file, NULL);
	int error = rejected_make_file(r, dir, now_ms, owner, name, text, !end, &file);

	if (error == 0) {
		buf_fmt(where, "%s/%s", r->shown, file.at);
	}
	buf_release(&file);
	lock_scope(&r->lock);
	if (end) {
		r->at_end++;
	} else if (error == 0) {
		rejected_drop_one(dir, owner);
	}
	return error;
}

/* Return: the present value of at_end, if some of these texts may not be durable; else 0 */
static uint64_t
rejected_unsettled(struct rejected *r)
{
	lock_scope(&r->lock);
	return r->settled < r->at_end ? r->at_end : 0;
}

int
rejected_settle(struct rejected *r, uint64_t now_ms)
{
	uint64_t until = rejected_unsettled(r);

	if (until == 0) {
		return 0;
	}
	cleanup(cleanup_fd) int dir = rejected_dir(r);

	/*
	 * There may be many texts: one call syncs all of them and their names. It can take long, so the lock is not
	 * held. Another thread that settles these texts meanwhile makes the call, too, and does not rely on this one.
	 */
	if (dir < 0 || syncfs(dir) != 0) {
		return errno;
	}
	lock_scope(&r->lock);
	r->settled = r->settled < until ? until : r->settled;
	drop_older(dir, now_ms < TOGETHER_MS ? 0 : now_ms - TOGETHER_MS);
	return 0;
}

size_t
rejected_list(struct rejected *r, struct arena *a, const struct refused_reader *reader,
	      struct slice **names)
{
	cleanup(cleanup_fd) int dir = rejected_dir(r);
	struct rejected_text *texts;
	size_t n = load_texts(dir, a, &texts);
	size_t shown = 0;

	*names = arena_new(a, struct slice, n);
	for (size_t i = 0; i < n; i++) {
		if (owner_is_shown(&texts[i].owner, reader)) {
			(*names)[shown++] = slice_from(texts[i].name);
		}
	}
	return shown;
}

int
rejected_open(struct rejected *r, struct arena *a, const struct refused_reader *reader,
	      struct slice name, struct rejected_owner *owner)
{
	cleanup(cleanup_fd) int dir = rejected_dir(r);

	if (name.len == 0 || name.at[0] == '.' || slice_chr(name, '/') != NULL) {
		return -ENOENT;
	}
	int fd = dir < 0 ? -1 : regular_open(dir, slice_cstr(a, name));

	if (fd < 0) {
		return -errno;
	}
	struct rejected_owner found = rejected_owner_get(fd, a);

	if (!owner_is_shown(&found, reader)) {
		(void)close(fd);
		return -ENOENT;
	}
	if (owner != NULL) {
		*owner = found;
	}
	return fd;
}
