/*
 * rejected - nothing that a user typed is lost.  handle.c keeps texts here,
 * special.c shows them in .itemfs/rejected.
 */
#include "fs/rejected.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/base/cleanup.h"
#include "store/base/utf8.h"
#include "store/base/write_all.h"

#include "fs/refused.h"

enum {
	NAME_MAX_BYTES = 255,
	TOGETHER_MS = 60 * 1000, /* mounts that end within it end together */
};

void
rejected_init(struct rejected *r, const char *store_dir)
{
	struct buf dir;

	buf_init(&dir, NULL);
	buf_fmt(&dir, "%s/rejected", store_dir);
	buf_char(&dir, '\0');
	*r = (struct rejected){.dir = dir.at};
	(void)pthread_mutex_init(&r->lock, NULL);
}

void
rejected_release(struct rejected *r)
{
	free(r->dir);
	(void)pthread_mutex_destroy(&r->lock);
	*r = (struct rejected){0};
}

static int
write_file(const char *path, struct slice text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		return errno;
	}
	int r = write_all(fd, text);

	if (close(fd) != 0 && r == 0) {
		r = errno;
	}
	if (r != 0) {
		(void)unlink(path);
	}
	return r;
}

static int
is_text(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Names begin with their time, so the order of bytes is the order of time. */
static int
by_time(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int
list(const struct rejected *r, struct dirent ***entries)
{
	int n = scandir(r->dir, entries, is_text, by_time);

	return n < 0 ? 0 : n;
}

static void
list_free(struct dirent **entries, int n)
{
	for (int i = 0; i < n; i++) {
		free(entries[i]);
	}
	if (n > 0) {
		free(entries);
	}
}

/* The first @n of the list go. */
static void
drop(const struct rejected *r, struct dirent **entries, int n)
{
	cleanup(cleanup_fd) int dir = n > 0 ? open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	for (int i = 0; dir >= 0 && i < n; i++) {
		(void)unlinkat(dir, entries[i]->d_name, 0);
	}
}

/* One goes for the one that came: what the end of a mount left beyond the limit stays for a while. */
static void
drop_one(const struct rejected *r)
{
	struct dirent **entries = NULL;
	int n = list(r, &entries);

	drop(r, entries, n > REJECTED_MAX ? 1 : 0);
	list_free(entries, n);
}

/* Of those from before @ms the newest stay. */
static void
drop_older(const struct rejected *r, uint64_t ms)
{
	struct dirent **entries = NULL;
	int n = list(r, &entries);
	int older = 0;
	struct buf time;

	buf_init(&time, NULL);
	refused_time(&time, ms);
	buf_char(&time, '\0');
	while (older < n && strcmp(entries[older]->d_name, time.at) < 0) {
		older++;
	}
	drop(r, entries, older - REJECTED_MAX);
	list_free(entries, n);
	buf_release(&time);
}

int
rejected_keep(struct rejected *r, uint64_t now_ms, struct slice name, struct slice text, bool end)
{
	lock_scope(&r->lock);
	struct buf path;

	if (mkdir(r->dir, 0700) != 0 && errno != EEXIST) {
		return errno;
	}
	buf_init(&path, NULL);
	buf_fmt(&path, "%s/", r->dir);
	size_t start = path.len;

	refused_time(&path, now_ms);
	buf_fmt(&path, "-%06u-", ++r->seq);
	buf_slice(&path, utf8_cut(name, NAME_MAX_BYTES - (path.len - start)));
	buf_char(&path, '\0');
	int error = write_file(path.at, text);

	buf_release(&path);
	if (end) {
		r->unsettled = true;
	} else {
		drop_one(r);
	}
	return error;
}

int
rejected_settle(struct rejected *r, uint64_t now_ms)
{
	lock_scope(&r->lock);
	if (!r->unsettled) {
		return 0;
	}
	cleanup(cleanup_fd) int dir = open(r->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	/* They may be many: one call for all of them and their names. */
	if (dir < 0 || syncfs(dir) != 0) {
		return errno;
	}
	r->unsettled = false;
	drop_older(r, now_ms < TOGETHER_MS ? 0 : now_ms - TOGETHER_MS);
	return 0;
}

size_t
rejected_list(struct rejected *r, struct arena *a, struct slice **names)
{
	struct dirent **entries = NULL;
	int n = list(r, &entries);

	*names = arena_new(a, struct slice, (size_t)n);
	for (int i = 0; i < n; i++) {
		(*names)[i] = slice_copy(a, slice_from(entries[i]->d_name));
	}
	list_free(entries, n);
	return (size_t)n;
}

int
rejected_open(struct rejected *r, struct slice name)
{
	struct buf path;

	if (name.len == 0 || name.at[0] == '.' || memchr(name.at, '/', name.len) != NULL) {
		return -ENOENT;
	}
	buf_init(&path, NULL);
	buf_fmt(&path, "%s/%.*s", r->dir, SLICE_ARG(name));
	buf_char(&path, '\0');
	int fd = open(path.at, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int error = fd < 0 ? -errno : fd;

	buf_release(&path);
	return error;
}
