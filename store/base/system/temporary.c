/* temporary - see temporary.h */
#include "store/base/system/temporary.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "store/base/system/folder.h"

#define TEMPORARY_ENDING "XXXXXX" /* for mkdtemp() */

enum { TEMPORARY_TRIES = 10 }; /* to lock a directory before another process removes it */

/* Returns true if @name has the form of temporary_make_one(). */
static bool
temporary_is_one(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	return strncmp(name, prefix, n) == 0 && strlen(name + n) == strlen(TEMPORARY_ENDING);
}

/* Removes the directories that nobody has locked: their processes were killed. Without locks they stay. */
static void
temporary_remove_stale(const char *parent, const char *prefix)
{
	cleanup(cleanup_fd) int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	cleanup(cleanup_dir) DIR *d = fd < 0 ? NULL : folder_list(fd);
	const char *entry;

	while ((entry = folder_next(d)) != NULL) {
		struct stat st;

		if (!temporary_is_one(entry, prefix)) {
			continue;
		}
		cleanup(cleanup_fd) int old =
			openat(fd, entry, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (old >= 0 && fstat(old, &st) == 0 && st.st_uid == geteuid() &&
		    (st.st_mode & 0777) == 0700 && flock(old, LOCK_EX | LOCK_NB) == 0) {
			folder_remove_at(fd, entry);
		}
	}
}

/*
 * Returns 1; 0 if another process locked or removed the new directory; -1 with errno if it cannot be created or
 * locked.  Without a lock, another process could take it for a stale one.
 */
static int
temporary_make_one(const char *parent, const char *prefix, struct temporary *t)
{
	char path[PATH_MAX];
	struct stat st;

	if (snprintf(path, sizeof(path), "%s/%s" TEMPORARY_ENDING, parent, prefix) >= PATH_MAX ||
	    mkdtemp(path) == NULL) {
		return -1;
	}
	t->path = mem_string(path);
	t->fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (t->fd < 0) {
		return errno == ENOENT ? 0 : -1;
	}
	if (flock(t->fd, LOCK_EX | LOCK_NB) != 0) {
		return errno == EWOULDBLOCK ? 0 : -1;
	}
	return fstat(t->fd, &st) != 0 ? -1 : st.st_nlink > 0;
}

bool
temporary_make(const char *parent, const char *prefix, struct temporary *out)
{
	int made = 0;

	*out = (struct temporary){.fd = -1};
	temporary_remove_stale(parent, prefix);
	for (int i = 0; i < TEMPORARY_TRIES && made == 0; i++) {
		temporary_remove(out);
		made = temporary_make_one(parent, prefix, out);
	}
	if (made != 1) {
		int e = errno;

		temporary_remove(out);
		errno = e;
	}
	return made == 1;
}

void
temporary_remove(struct temporary *t)
{
	if (t->path != NULL) {
		folder_remove(t->path);
	}
	cleanup_fd(&t->fd);
	free(t->path);
	*t = (struct temporary){.fd = -1};
}
