/*
 * place_time - when directories changed, by places; times.c keeps it by numbers of inodes
 *
 *   the directory's own number     an entry came, went or was overwritten
 *   "/below" a table, its .index   anything below it may have changed: nobody could say which directory
 *   "/newest" a table or index     any of its collections changed: for what is made of all of them
 *
 * No name has a '/', so these numbers are no other file's.
 */
#include "store/base/core/clock.h"

#include "fs/core/times.h"
#include "fs/place/place.h"

static uint64_t
place_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t
place_below_ino(uint64_t ino)
{
	return place_child_ino(ino, SLICE("/below"));
}

/* Of the table or index that @p is in. */
static uint64_t
place_newest_ino(const struct place *p)
{
	const struct place view = {
		.role = p->index == NULL ? ROLE_TABLE : ROLE_INDEX,
		.schema = p->schema,
		.index = p->index,
		.table = p->table,
	};

	return place_child_ino(place_ino(&view), SLICE("/newest"));
}

static uint64_t
place_indexes_ino(const struct place *p)
{
	const struct place indexes = {.role = ROLE_INDEXES, .schema = p->schema, .table = p->table};

	return place_ino(&indexes);
}

uint64_t
place_time(struct mount *m, const struct place *p)
{
	/* Of an endpoint's changes nobody tells. */
	uint64_t since = mount_is_remote(m) && p->schema != NULL ? p->schema->created_ms * NS_PER_MS
								 : m->dir_times.bound_ns;

	if (p->schema == NULL || m->dir_times.n == 0) {
		return since;
	}
	uint64_t table = place_child_ino(1, p->table);

	since = place_later(since, times_newest(&m->dir_times, place_below_ino(table)));
	if (p->index == NULL && p->role != ROLE_INDEXES) {
		return since;
	}
	uint64_t indexes = place_below_ino(place_indexes_ino(p));

	return place_later(since, times_newest(&m->dir_times, indexes));
}

uint64_t
place_content_time(struct mount *m, const struct place *p)
{
	struct place dir = *p;

	if (p->schema == NULL) {
		return place_time(m, p);
	}
	dir.role = ROLE_PARTITION;
	dir.clauses = (struct clauses){0};
	uint64_t ino = p->partition.len > 0 ? place_ino(&dir) : place_newest_ino(p);

	return place_later(place_time(m, p), times_newest(&m->dir_times, ino));
}

void
place_changed(struct mount *m, const struct place *dir)
{
	uint64_t now_ns = clock_now_ns();

	times_touch(&m->dir_times, place_ino(dir), now_ns);
	if (dir->schema != NULL) {
		times_touch(&m->dir_times, place_newest_ino(dir), now_ns);
	}
}

void
place_all_changed(struct mount *m, uint64_t ino)
{
	times_touch(&m->dir_times, place_below_ino(ino), clock_now_ns());
}
