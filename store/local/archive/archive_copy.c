/* archive_copy - copies a file, decompresses the copy, and compares the numbers of lines and bytes with the record */
#include <fcntl.h>
#include <sys/stat.h>

#include "store/base/system/regular.h"
#include "store/base/system/write_all.h"
#include "store/base/text/unpack.h"
#include "store/local/archive/archive.h"
#include "store/local/archive/store_backup.h"
#include "store/model/arn.h"

enum { PIECE = 1 << 16, CALL_BUDGET = 64 << 20 };

/* The copy of one file. */
struct copy {
	struct archive_copying *all;
	struct call *c;
	const char *name;
	const char *why; /* why the file is broken; NULL: it is valid so far */
};

static int
archive_copy_failed(const struct copy *cy)
{
	int e = errno;

	return call_fail(cy->c, error_of_disk(e), "backups/%s: %s", cy->name, strerrordesc_np(e));
}

/* ------------------------------------------------------------ bytes */

static int
copy_bytes(const struct copy *cy, int from, int to)
{
	char piece[PIECE];

	for (;;) {
		ssize_t n = read(from, piece, sizeof(piece));

		if (n == 0) {
			return 0;
		}
		if (n < 0 && errno != EINTR) {
			return archive_copy_failed(cy);
		}
		if (n > 0) {
			errno = write_all(to, slice_of(piece, (size_t)n));
			cy->all->bytes += (size_t)n;
			int r = errno != 0 ? archive_copy_failed(cy)
					   : cy->all->step(cy->all->arg, cy->c, cy->all->bytes);

			if (r < 0) {
				return r;
			}
		}
	}
}

static size_t
archive_copy_count_lines(const char *at, const char *end)
{
	size_t n = 0;

	while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
		at++;
		n++;
	}
	return n;
}

/* Decompress the file and count its lines, one for each item. */
static int
archive_copy_read_lines(struct copy *cy, struct unpack *u, uint64_t items)
{
	char piece[PIECE];
	uint64_t lines = 0;
	ssize_t n;

	while ((n = unpack_read(u, piece, sizeof(piece))) != 0) {
		if (n == UNPACK_DAMAGED) {
			cy->why = "its file is damaged or cut short";
			return 0;
		}
		if (n < 0 && errno != EINTR) {
			return archive_copy_failed(cy);
		}
		lines += n < 0 ? 0 : archive_copy_count_lines(piece, piece + n);
		int r = cy->all->step(cy->all->arg, cy->c, cy->all->bytes);

		if (r < 0) {
			return r;
		}
	}
	if (!unpack_packed(u)) {
		cy->why = "its file is not compressed";
	} else if (lines != items) {
		cy->why = "its file does not have the items that were written";
	}
	return 0;
}

static int
archive_copy_read_through(struct copy *cy, int fd, uint64_t items)
{
	int again = lseek(fd, 0, SEEK_SET) < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);

	if (again < 0) {
		return archive_copy_failed(cy);
	}
	struct unpack *u = unpack_open(again);
	int r = archive_copy_read_lines(cy, u, items);

	unpack_close(u);
	return r;
}

/* ------------------------------------------------------------ one file */

static int
copy_file(struct copy *cy, int from, const struct archive *a)
{
	int dir = cy->all->to;
	cleanup(cleanup_fd) int to =
		openat(dir, cy->name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	struct stat st;

	if (to < 0) {
		return archive_copy_failed(cy);
	}
	int r = copy_bytes(cy, from, to);

	r = r < 0 ? r : archive_copy_read_through(cy, to, a->items);
	if (r == 0 && fstat(to, &st) != 0) {
		r = archive_copy_failed(cy);
	}
	/* Compare the size, too: decompression ignores bytes after the compressed data. */
	if (r == 0 && cy->why == NULL && a->file_bytes != 0 &&
	    (uint64_t)st.st_size != a->file_bytes) {
		cy->why = "its file does not have the bytes that were written";
	}
	if (r == 0 && cy->why != NULL) {
		return unlinkat(dir, cy->name, 0) == 0 ? 0 : archive_copy_failed(cy);
	}
	return r == 0 && fsync(to) != 0 ? archive_copy_failed(cy) : r;
}

/* Return: as archive_copy(); 1 with @cy->why set: the file is broken */
static int
archive_copy_copy(struct copy *cy, const struct archive *a)
{
	errno = ENOENT;
	cleanup(cleanup_fd) int from =
		cy->all->from < 0 ? REGULAR_FAILED : regular_open(cy->all->from, cy->name);

	if (from >= 0) {
		int r = copy_file(cy, from, a);

		return r < 0 ? r : 1;
	}
	if (from == REGULAR_OTHER) {
		cy->why = "its file is not a regular file";
		return 1;
	}
	if (errno != ENOENT) {
		return archive_copy_failed(cy);
	}
	cy->why = "its file is missing";
	struct archive now;
	int r = cy->all->local == NULL ? 0 : archive_find(cy->all->local, cy->c, a->id, &now);

	return r < 0 ? r : r != KV_ABSENT; /* it may have been deleted in the meantime */
}

static void
add_broken(struct archive_copying *cp, struct call *c, struct slice sentence)
{
	cp->broken = arena_room(&c->arena, cp->broken, cp->n_broken, &cp->cap);
	cp->broken[cp->n_broken++] = slice_copy(&c->arena, sentence);
}

static int
copy_or_tell(struct archive_copying *cp, struct call *c, struct call *own, const struct archive *a)
{
	struct copy cy = {.all = cp, .c = c, .name = archive_name(own, a->id)};
	struct slice table = a->schema->table;
	struct buf b = {.arena = &own->arena};
	int r = archive_copy_copy(&cy, a);

	if (r != 1 || cy.why == NULL) {
		return r;
	}
	buf_fmt(&b, "%.*s of the table %.*s (", SLICE_ARG(a->name), SLICE_ARG(table));
	arn_put_table(&b, c->region, table);
	buf_fmt(&b, "/backup/%.*s): %s", SLICE_ARG(a->id), cy.why);
	add_broken(cp, c, buf_view(&b));
	return 0;
}

int
archive_copy(struct archive_copying *cp, struct call *c, struct slice key, struct slice value)
{
	struct archive a;
	struct call own;

	if (!archive_is_key(key) || value.len == 0 || value.at[0] != ARCHIVE_DONE) {
		return 1;
	}
	call_open(&own, c->now_ms, CALL_BUDGET);
	int r = archive_decode(&own, slice_skip(key, 1), value, &a);

	if (r == 0) {
		r = copy_or_tell(cp, c, &own, &a);
	} else {
		add_broken(cp, c, slice_from(own.error.message));
		r = 0;
	}
	call_close(&own);
	return r;
}
