/* shapes_item - adds an item to the sample, which keeps its keys and the names and types of its attributes */
#include "store/base/core/utf8.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/value.h"
#include "store/page/shapes_int.h"

enum {
	ATTRIBUTES_MOST = 400, /* attributes of an item that are looked at */
	NAME_MOST = 255,       /* bytes of a name that are kept */
	NAMES_MOST = 100000,   /* different names of all items */
	SEGMENTS_MOST = 32,    /* segments of a key that are compared with attributes */
};

/* ------------------------------------------------------------ names */

static uint64_t
shapes_item_hash_of(struct slice text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < text.len; i++) {
		h = (h ^ (unsigned char)text.at[i]) * UINT64_C(0x100000001b3);
	}
	return h ^ h >> 32;
}

/* Return: the slot that has @text, or the free slot where it belongs. */
static size_t
shapes_item_slot_of(const struct shapes_names *names, struct slice text)
{
	size_t i = shapes_item_hash_of(text) & (names->n_slots - 1);

	while (names->slots[i] != 0 && !slice_eq(names->at[names->slots[i]], text)) {
		i = (i + 1) & (names->n_slots - 1);
	}
	return i;
}

static void
names_grow(struct arena *a, struct shapes_names *names)
{
	names->n_slots = names->n_slots == 0 ? 256 : names->n_slots * 2;
	assert((names->n_slots & (names->n_slots - 1)) == 0);
	names->slots = arena_new(a, uint32_t, names->n_slots);
	for (size_t i = 1; i < names->n; i++) {
		names->slots[shapes_item_slot_of(names, names->at[i])] = (uint32_t)i;
	}
}

uint32_t
shapes_name(struct arena *a, struct shapes_names *names, struct slice text)
{
	if (names->n * 2 >= names->n_slots) {
		names_grow(a, names);
	}
	size_t slot = shapes_item_slot_of(names, text);

	if (names->slots[slot] == 0) {
		if (names->n == 0) {
			names->at = arena_room(a, names->at, names->n, &names->room);
			names->n = 1;
		}
		names->at = arena_room(a, names->at, names->n, &names->room);
		names->at[names->n] = slice_copy(a, text);
		names->slots[slot] = (uint32_t)names->n++;
	}
	return names->slots[slot];
}

/* ------------------------------------------------------------ one item */

/* Return: whether an attribute of this name contains the kind of an item. */
static bool
is_entity_name(struct slice name)
{
	static const char *const names[] = {
		"type",       "_type",       "__type",     "__typename",  "entity",  "_entity",
		"entitytype", "entity_type", "__edb_e__",  "_et",         "_en",     "kind",
		"itemtype",   "item_type",   "recordtype", "record_type", "doctype", "doc_type",
		"objecttype", "object_type", "entityname", "entity_name"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (ascii_same(name, slice_from(names[i]))) {
			return true;
		}
	}
	return false;
}

/* Return: the view's key, then the attributes of the table's key that the view's does not have. */
static struct item
shapes_item_keys_of(struct arena *a, const struct shapes_sample *s, const struct item *it)
{
	const struct key_attr *keys[KEY_VALUES_MAX];
	size_t n = schema_place(s->schema, s->index, keys);
	struct item out = {.at = arena_new(a, struct attr, n)};

	for (size_t i = 0; i < n; i++) {
		const struct value *v = item_get(it, keys[i]->name);

		if (v != NULL && item_get(&out, keys[i]->name) == NULL) {
			out.at[out.n++] = (struct attr){keys[i]->name, value_copy(a, v)};
		}
	}
	return out;
}

/* Return: bit i is set if the value of an attribute is segment i of @text. */
static uint32_t
said_of(const struct shapes_sample *s, const struct item *it, struct slice text)
{
	struct slice segments[SEGMENTS_MOST];
	size_t n = shapes_segments(text, segments, SEGMENTS_MOST);
	uint32_t said = 0;

	for (size_t i = 0; i < it->n && i < ATTRIBUTES_MOST; i++) {
		const struct attr *at = &it->at[i];

		for (size_t k = 0; k < n && at->value.type == VALUE_S; k++) {
			if (segments[k].len > 0 && ascii_same(segments[k], at->value.text) &&
			    !is_entity_name(at->name) &&
			    schema_key_attr(s->schema, at->name) == NULL) {
				said |= UINT32_C(1) << k;
			}
		}
	}
	return said;
}

/* Set signature and entity of @item from the attributes of @it, without its keys. */
static void
take_attributes(struct shapes_sample *s, const struct item *it, struct shapes_item *item)
{
	struct shapes_seen seen[ATTRIBUTES_MOST] = {0};
	size_t n = 0;

	for (size_t i = 0; i < it->n; i++) {
		const struct attr *at = &it->at[i];

		if (key_schema_has(s->key, at->name) || key_schema_has(&s->schema->key, at->name)) {
			continue;
		}
		if (n == ATTRIBUTES_MOST || s->names.n >= NAMES_MOST) {
			item->unseen++;
			continue;
		}
		if (item->entity == 0 && at->value.type == VALUE_S && is_entity_name(at->name) &&
		    at->value.text.len > 0 && at->value.text.len <= NAME_MOST) {
			item->entity = shapes_name(&s->arena, &s->names, at->value.text);
		}
		seen[n++] = (struct shapes_seen){
			.name = shapes_name(&s->arena, &s->names, utf8_cut(at->name, NAME_MOST)),
			.type = (uint32_t)at->value.type};
	}
	item->signature = shapes_name(&s->arena, &s->signatures,
				      slice_of((const char *)seen, n * sizeof(seen[0])));
}

bool
shapes_same_collection(const struct shapes_sample *s, const struct item *a, const struct item *b)
{
	bool same = true;

	for (size_t i = 0; same && i < key_part_n(s->key->pk); i++) {
		same = value_eq(&a->at[i].value, &b->at[i].value);
	}
	return same;
}

void
shapes_take(struct shapes_sample *s, const struct item *it)
{
	size_t n_key = key_schema_n(s->key);

	if (key_from_item(s->key, it, &(struct key_values){0}) != 0) {
		return;
	}
	s->items = arena_room(&s->arena, s->items, s->n, &s->room);

	struct shapes_item *item = &s->items[s->n];

	*item = (struct shapes_item){.keys = shapes_item_keys_of(&s->arena, s, it),
				     .said = arena_new(&s->arena, uint32_t, n_key)};
	for (size_t i = 0; i < n_key; i++) {
		const struct value *v = &item->keys.at[i].value;

		item->said[i] = v->type == VALUE_S ? said_of(s, it, v->text) : 0;
	}
	for (size_t i = 0; i < s->schema->n_index && i < 64; i++) {
		if (index_key(&s->schema->index[i], it, &(struct key_values){0}) == 0) {
			item->indexes |= UINT64_C(1) << i;
		}
	}
	take_attributes(s, it, item);
	item->first =
		s->n == 0 || !shapes_same_collection(s, &s->items[s->n - 1].keys, &item->keys);
	s->bytes += item_size(it);
	s->n++;
}
