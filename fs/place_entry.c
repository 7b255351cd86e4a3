/*
 * place_entry - what the store lists, as names; and the numbers that stat shows
 */
#include "fs/place.h"
#include "fs/special.h"

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
place_put_partition(struct buf *out, const struct index *ix, const struct value *pk)
{
	if (ix == NULL) {
		path_put_value(out, pk);
	} else {
		path_put_entry(out, pk, 1);
	}
}

size_t
place_listed_values(const struct place *p, const struct entry *e, struct value *out)
{
	size_t n = 0;

	if (p->index == NULL) {
		out[n++] = key_schema_has_sort(&p->schema->key) ? e->sk : e->pk;
		return n;
	}
	if (key_schema_has_sort(&p->index->key)) {
		out[n++] = e->sk;
	}
	out[n++] = e->base_pk;
	if (key_schema_has_sort(&p->schema->key)) {
		out[n++] = e->base_sk;
	}
	return n;
}

void
place_put_entry(struct buf *out, const struct place *p, const struct entry *e)
{
	struct value values[PATH_VALUES_MAX];
	size_t n = place_listed_values(p, e, values);

	if (p->index == NULL) {
		path_put_value(out, values);
	} else {
		path_put_entry(out, values, n);
	}
}

struct item
place_entry_key(struct arena *a, const struct place *p, const struct entry *e)
{
	const struct key_schema *k = place_key(p);
	struct item it = {.at = arena_new(a, struct attr, 4)};

	(void)place_add_key(&it, &k->pk, &e->pk);
	if (key_schema_has_sort(k)) {
		(void)place_add_key(&it, &k->sk, &e->sk);
	}
	if (p->index != NULL) {
		(void)place_add_key(&it, &p->schema->key.pk, &e->base_pk);
		if (key_schema_has_sort(&p->schema->key)) {
			(void)place_add_key(&it, &p->schema->key.sk, &e->base_sk);
		}
	}
	return it;
}

size_t
place_entry_values(const struct schema *s, const struct index *ix, const struct item *it,
		   struct value *out)
{
	const struct value *pk, *sk, *index_pk, *index_sk;
	size_t n = 0;

	if (key_from_item(&s->key, it, &pk, &sk) != 0) {
		return 0;
	}
	if (ix == NULL) {
		out[n++] = sk != NULL ? *sk : *pk;
		return n;
	}
	if (key_from_item(&ix->key, it, &index_pk, &index_sk) != 0) {
		return 0;
	}
	if (index_sk != NULL) {
		out[n++] = *index_sk;
	}
	out[n++] = *pk;
	if (sk != NULL) {
		out[n++] = *sk;
	}
	return n;
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
place_ino(const struct place *p)
{
	uint64_t ino = 1;

	if (p->role == ROLE_SPECIAL) {
		return place_child_ino(place_child_ino(ino, SLICE("/" SPECIAL_NAME)), p->shown);
	}
	if (p->schema != NULL) {
		ino = place_child_ino(ino, p->table);
	}
	if (p->role == ROLE_INDEXES || p->index != NULL) {
		ino = place_child_ino(ino, SLICE("/.index"));
	}
	if (p->index != NULL) {
		ino = place_child_ino(ino, p->index->name);
	}
	if (p->partition.len > 0) {
		ino = place_child_ino(ino, p->partition);
	}
	return p->role == ROLE_ITEM ? place_child_ino(ino, p->shown) : ino;
}
