/* ldb_damage - see ldb_damage.h */
#include "store/kv/ldb_damage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "store/base/cleanup.h"
#include "store/base/clock.h"
#include "store/base/mem.h"
#include "store/kv/ldb_error.h"
#include "store/kv/ldb_table.h"

typedef enum ldb_table_state look_fn(int fd, uint64_t bytes, off_t *place);

/* Old versions of LevelDB had another suffix. */
static int
ldb_damage_open_table(struct ldb_dir dir, uint64_t number, char name[LDB_NAME_BYTES])
{
	(void)snprintf(name, LDB_NAME_BYTES, "%06llu.sst", (unsigned long long)number);
	int fd = ldb_open_file(dir.fd, name);

	if (fd >= 0 || errno != ENOENT) {
		return fd;
	}
	(void)snprintf(name, LDB_NAME_BYTES, "%06llu.ldb", (unsigned long long)number);
	return ldb_open_file(dir.fd, name);
}

/* Return: 0; 1: there is no such file, which @name gets; < 0 */
static int
ldb_damage_look_at(struct call *c, struct ldb_dir dir, const struct ldb_file *file, look_fn *look)
{
	char name[LDB_NAME_BYTES];
	cleanup(cleanup_fd) int fd = ldb_damage_open_table(dir, file->number, name);
	off_t place = 0;

	if (fd < 0 && errno == ENOENT) {
		return 1;
	}
	switch (fd < 0 ? LDB_TABLE_FAILED : look(fd, file->bytes, &place)) {
	case LDB_TABLE_WHOLE:
		return 0;
	case LDB_TABLE_FAILED:
		return ldb_fail_errno(c, name);
	case LDB_TABLE_DAMAGED:
		break;
	}
	return call_fail(c, ERR_CORRUPT, "%s/%s is damaged at byte %lld: restore a backup",
			 dir.path, name, (long long)place);
}

static int
ldb_damage_missing(struct call *c, struct ldb_dir dir, uint64_t number)
{
	return call_fail(c, ERR_CORRUPT, "%s/%06llu.ldb is missing: restore a backup", dir.path,
			 (unsigned long long)number);
}

int
ldb_damage_feet(struct call *c, struct ldb_dir dir, const struct ldb_manifest *m)
{
	for (size_t i = 0; i < m->n; i++) {
		int r = ldb_damage_look_at(c, dir, &m->files[i], ldb_table_foot);

		if (r != 0) {
			return r < 0 ? r : ldb_damage_missing(c, dir, m->files[i].number);
		}
	}
	return 0;
}

/* A file that was replaced meanwhile is in no newer manifest. */
static int
ldb_damage_is_gone(struct call *c, struct ldb_dir dir, uint64_t number)
{
	struct ldb_manifest now;
	int r = ldb_manifest_read(c, dir, &now);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < now.n; i++) {
		if (now.files[i].number == number) {
			return ldb_damage_missing(c, dir, number);
		}
	}
	return 0;
}

int
ldb_damage_check(struct call *c, struct ldb_dir dir, uint64_t *after, uint64_t bytes)
{
	struct ldb_manifest m;
	uint64_t read = 0;
	int r = ldb_manifest_read(c, dir, &m);

	if (r == 0) {
		r = call_fail(c, ERR_CORRUPT, "%s/CURRENT is missing: restore a backup", dir.path);
	}
	if (r < 0) {
		return r;
	}
	r = 0;
	for (size_t i = 0; i < m.n && r == 0; i++) {
		const struct ldb_file *file = &m.files[i];

		if (file->number <= *after) {
			continue;
		}
		if (read >= bytes) {
			return 1;
		}
		r = ldb_damage_look_at(c, dir, file, ldb_table_check);
		if (r == 1) {
			r = ldb_damage_is_gone(c, dir, file->number);
		}
		*after = file->number;
		read += file->bytes;
	}
	return r;
}

/* ------------------------------------------------------------ the file that an error is about */

enum { SEARCH_MS = 4000, SEARCH_BYTES = 64 << 20 };

void
ldb_damage_init(struct ldb_damage *d)
{
	*d = (struct ldb_damage){0};
	(void)pthread_mutex_init(&d->lock, NULL);
}

void
ldb_damage_free(struct ldb_damage *d)
{
	free(d->found);
	(void)pthread_mutex_destroy(&d->lock);
}

/* With the lock held. */
static void
ldb_damage_search(struct ldb_damage *d, struct ldb_dir dir)
{
	uint64_t end = clock_steady_ms() + SEARCH_MS;

	while (!d->done && clock_steady_ms() < end) {
		struct call own;

		call_open(&own, 0, SIZE_MAX);
		int r = ldb_damage_check(&own, dir, &d->after, SEARCH_BYTES);

		d->done = r <= 0;
		if (r == -ERR_CORRUPT) {
			d->found = mem_string(own.error.message);
		}
		call_close(&own);
	}
}

int
ldb_damage_failed(struct ldb_damage *d, struct call *c, struct ldb_dir dir, const char *why)
{
	if (!slice_starts(slice_from(why), SLICE("Corruption"))) {
		return ldb_failed(c, why);
	}
	lock_scope(&d->lock);
	ldb_damage_search(d, dir);
	return d->found == NULL ? ldb_failed(c, why) : ldb_failed_for(c, why, d->found);
}
