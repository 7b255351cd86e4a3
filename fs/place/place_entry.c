/* place_entry - see place_entry.h */
#include "fs/place/place_entry.h"

#include "store/base/core/clock.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "fs/core/times.h"
#include "fs/format/path.h"
#include "fs/place/place.h"

/* ------------------------------------------------------------ entries and their names */

bool
place_add_key(struct item *it, const struct key_attr *k, const struct value *v)
{
	const struct value *before = item_get(it, k->name);

	if (before != NULL) {
		return value_eq(before, v);
	}
	it->at[it->n++] = (struct attr){.name = k->name, .value = *v};
	return true;
}

void
place_put_values(struct buf *out, const struct index *ix, const struct values *v)
{
	if (ix == NULL) {
		path_put_value(out, v->at);
	} else {
		path_put_entry(out, v->at, v->n);
	}
}

struct slice
place_name(struct arena *a, const struct index *ix, const struct values *v, struct slice suffix)
{
	struct buf component, name;

	buf_init(&component, a);
	buf_init(&name, a);
	place_put_values(&component, ix, v);
	(void)path_put_name(&name, buf_view(&component), suffix);
	*buf_room(&name, 1) = '\0';
	return buf_view(&name);
}

struct values
place_listed_values(const struct place *p, const struct entry *e)
{
	size_t begin = place_in_partition(p->schema, p->index);

	return (struct values){e->key.at + begin, e->key.n - begin};
}

void
place_put_entry(struct buf *out, const struct place *p, const struct entry *e)
{
	struct values name = place_listed_values(p, e);

	if (place_merges_table(p)) {
		const struct value swapped[2] = {e->key.at[1], e->key.at[0]};

		path_put_entry(out, swapped, 2);
		return;
	}
	place_put_values(out, p->index, &name);
}

struct item
place_entry_key(struct arena *a, const struct place *p, const struct entry *e)
{
	const struct key_attr *attrs[KEY_VALUES_MAX];
	size_t n = schema_place(p->schema, p->index, attrs);
	struct item it = {.at = arena_new(a, struct attr, n)};

	for (size_t i = 0; i < n; i++) {
		(void)place_add_key(&it, attrs[i], &e->key.at[i]);
	}
	return it;
}

bool
place_entry_values(struct arena *a, const struct schema *s, const struct index *ix,
		   const struct item *it, struct values *pk, struct values *name)
{
	struct key_values k = {.n = 0};
	size_t begin = place_in_partition(s, ix);

	if ((ix != NULL && index_key(ix, it, &k) != 0) || key_from_item(&s->key, it, &k) != 0) {
		return false;
	}
	struct value *at = arena_new(a, struct value, k.n);

	for (size_t i = 0; i < k.n; i++) {
		at[i] = *k.at[i];
	}
	*pk = (struct values){at, begin};
	*name = (struct values){at + begin, k.n - begin};
	return true;
}

/* ------------------------------------------------------------ identity */

struct slice
place_id(struct arena *a, const struct place *p)
{
	struct buf id;

	buf_init(&id, a);
	buf_slice(&id, p->table);
	buf_char(&id, '\0');
	buf_slice(&id, p->partition);
	buf_char(&id, '\0');
	buf_slice(&id, p->shown);
	return buf_view(&id);
}

uint64_t
place_child_ino(uint64_t dir_ino, struct slice component)
{
	uint64_t h = dir_ino * 0x9e3779b97f4a7c15 ^ 0xcbf29ce484222325;

	for (size_t i = 0; i < component.len; i++) {
		h = (h ^ (unsigned char)component.at[i]) * 0x100000001b3;
	}
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93;
	h ^= h >> 32;
	return h == 0 ? 1 : h;
}

uint64_t
place_scratch_ino(uint64_t dir_ino, struct slice name)
{
	return place_child_ino(place_child_ino(dir_ino, SLICE("/")), name);
}

uint64_t
place_dot_ino(uint64_t dir_ino, struct slice name)
{
	char marked[sizeof("/" SPECIAL_NAME)];
	int n = snprintf(marked, sizeof(marked), "/%.*s", SLICE_ARG(name));

	return place_child_ino(dir_ino, slice_of(marked, (size_t)n));
}

static uint64_t
place_indexes_ino(const struct place *p)
{
	return place_dot_ino(place_child_ino(1, p->table), SLICE(".index"));
}

uint64_t
place_view_ino(const struct place *p)
{
	return p->index == NULL ? place_child_ino(1, p->table)
				: place_child_ino(place_indexes_ino(p), p->index->name);
}

/* ------------------------------------------------------------ times of directories */

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

/* The key of the newest change of the table or index of @p. */
static uint64_t
place_newest_ino(const struct place *p)
{
	return place_child_ino(place_view_ino(p), SLICE("/newest"));
}

uint64_t
place_time(struct mount *m, const struct place *p)
{
	/* An endpoint does not report changes. */
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
	if (p->schema == NULL) {
		return place_time(m, p);
	}
	uint64_t ino = p->partition.len > 0 ? place_child_ino(place_view_ino(p), p->partition)
					    : place_newest_ino(p);

	return place_later(place_time(m, p), times_newest(&m->dir_times, ino));
}

void
place_changed(struct mount *m, const struct place *dir, bool index_known)
{
	uint64_t now_ns = clock_now_ns();

	times_touch(&m->dir_times, dir->ino, now_ns);
	if (dir->schema != NULL) {
		times_touch(&m->dir_times, place_newest_ino(dir), now_ns);
	}
	if (dir->schema != NULL && dir->schema->n_index > 0 && !index_known) {
		times_touch(&m->dir_times, place_below_ino(place_indexes_ino(dir)), now_ns);
	}
}

void
place_all_changed(struct mount *m, uint64_t ino)
{
	times_touch(&m->dir_times, place_below_ino(ino), clock_now_ns());
}
