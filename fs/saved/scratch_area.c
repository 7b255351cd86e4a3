/* scratch_area - the copies that this process makes.  scratch_recover.c handles those of dead processes */
#include "fs/saved/scratch_area.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "store/base/system/write_all.h"

#include "fs/saved/state.h"

enum { COPY_NAME = 24 };
enum { TRIES = 100 }; /* to make the directory while other processes remove STORE/scratch */

void
scratch_area_init(struct scratch_area *a, const char *store_dir, const char *shown)
{
	*a = (struct scratch_area){.dir = state_path(store_dir, "scratch"),
				   .shown = state_path(shown, "scratch"),
				   .own = -1};
	(void)pthread_mutex_init(&a->lock, NULL);
}

void
scratch_area_release(struct scratch_area *a)
{
	if (a->own >= 0) {
		cleanup(cleanup_fd) int top =
			open(a->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

		if (top >= 0) {
			(void)unlinkat(top, a->name, AT_REMOVEDIR);
		}
		(void)close(a->own);
		(void)rmdir(a->dir);
	}
	free(a->dir);
	free(a->shown);
	(void)pthread_mutex_destroy(&a->lock);
	*a = (struct scratch_area){.own = -1};
}

/* ------------------------------------------------------------ the own directory */

/* Make the directory, with a name that no dead process has left. */
static int
scratch_area_make(struct scratch_area *a, int top)
{
	assert(lock_held(&a->lock));
	for (unsigned n = 1;; n++) {
		(void)snprintf(a->name, sizeof(a->name), "%d.%u", (int)getpid(), n);
		if (mkdirat(top, a->name, 0700) == 0) {
			return 0;
		}
		if (errno != EEXIST) {
			return errno;
		}
	}
}

/* Make the names of both directories durable. */
static int
scratch_area_sync(int top)
{
	cleanup(cleanup_fd) int store = openat(top, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return store < 0 || fsync(top) != 0 || fsync(store) != 0 ? errno : 0;
}

static int
scratch_area_try_to_begin(struct scratch_area *a)
{
	assert(lock_held(&a->lock));
	assert(a->own < 0);
	if (mkdir(a->dir, 0700) != 0 && errno != EEXIST) {
		return errno;
	}
	cleanup(cleanup_fd) int top = open(a->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	/* scratch_area_recover() waits for this lock, so it never sees the new directory without its flock. */
	if (top < 0 || flock(top, LOCK_EX) != 0) {
		return errno;
	}
	int r = scratch_area_make(a, top);

	if (r != 0) {
		return r;
	}
	int own = openat(top, a->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	r = own < 0 || flock(own, LOCK_EX | LOCK_NB) != 0 ? errno : scratch_area_sync(top);
	if (r != 0) {
		cleanup_fd(&own);
		(void)unlinkat(top, a->name, AT_REMOVEDIR);
		return r;
	}
	a->own = own;
	return 0;
}

/* Another process that ends may remove STORE/scratch while it is empty: try again. */
static int
scratch_area_begin(struct scratch_area *a)
{
	int r = a->own >= 0 ? 0 : scratch_area_try_to_begin(a);

	for (int i = 1; i < TRIES && r == ENOENT; i++) {
		r = scratch_area_try_to_begin(a);
	}
	return r;
}

/* ------------------------------------------------------------ copies */

static void
scratch_area_name(char out[COPY_NAME], unsigned id, const char *end)
{
	(void)snprintf(out, COPY_NAME, "%06u%s", id, end);
}

/* scratch_recover.c reads the header. */
static int
scratch_area_write(int fd, const struct scratch_text *t)
{
	struct buf head;

	buf_init(&head, NULL);
	buf_fmt(&head, "itemfs-scratch 1 %u %u %zu %zu\n%s\n", t->uid, t->mode, strlen(t->mount),
		t->path.len, t->mount);
	buf_slice(&head, t->path);
	buf_char(&head, '\n');
	int r = write_all(fd, buf_view(&head));

	buf_release(&head);
	if (r == 0) {
		r = write_all(fd, t->text);
	}
	return r != 0 ? r : fsync(fd) == 0 ? 0 : errno;
}

static int
scratch_area_replace(int dir, unsigned id, const struct scratch_text *t)
{
	char name[COPY_NAME], part[COPY_NAME];

	scratch_area_name(name, id, "");
	scratch_area_name(part, id, ".part");
	int fd = openat(dir, part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0) {
		return errno;
	}
	int r = scratch_area_write(fd, t);

	if (close(fd) != 0 && r == 0) {
		r = errno;
	}
	if (r == 0 && (renameat(dir, part, dir, name) != 0 || fsync(dir) != 0)) {
		r = errno;
	}
	if (r != 0) {
		(void)unlinkat(dir, part, 0);
	}
	return r;
}

int
scratch_area_keep(struct scratch_area *a, const struct scratch_text *t, unsigned *id)
{
	unsigned mine = *id;
	int dir;
	{
		lock_scope(&a->lock);
		int r = scratch_area_begin(a);

		if (r != 0) {
			return r;
		}
		dir = a->own;
		mine = mine == 0 ? ++a->seq : mine;
	}
	int r = scratch_area_replace(dir, mine, t);

	if (r == 0) {
		*id = mine;
	} else if (*id == 0) {
		scratch_area_drop(a, mine); /* it exists if only its name could not be synced */
	}
	return r;
}

void
scratch_area_drop(struct scratch_area *a, unsigned id)
{
	char name[COPY_NAME];

	if (id == 0) {
		return;
	}
	lock_scope(&a->lock);
	scratch_area_name(name, id, "");
	(void)unlinkat(a->own, name, 0);
}
