/* apply - see apply.h; the table is an open hash table with the MD5 of keys */
#include "tools/write/apply.h"

#include "store/base/text/json.h"
#include "store/base/text/md5.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"
#include "store/model/value.h"

#include "tools/text/words.h"
#include "tools/write/pending_items.h"

enum {
	APPLY_SLOTS = 1024,
	APPLY_FREE = SIZE_MAX - 1, /* the id in a free slot */
};

struct apply_slot {
	uint8_t key[MD5_BYTES]; /* MD5 of pending_items_key() */
	struct apply_mark newest;
};

struct apply {
	const struct key_schema *key;
	struct apply_slot *slots;
	size_t n_slots; /* 0, or a power of two; at least half of the slots are free */
	size_t n;
	struct buf bytes; /* scratch memory for a key */
};

/* ------------------------------------------------------------ lines */

/* Parse {"WriteTimestampMicros":{"N":"17..."}}, or with a plain number; other members are not allowed. */
static bool
apply_micros(const struct json *metadata, uint64_t *out)
{
	const struct json *at = json_get(metadata, "WriteTimestampMicros");

	if (at != NULL && metadata->n != 1) {
		return false;
	}
	if (at != NULL && at->type == JSON_OBJECT && at->n == 1) {
		at = json_get(at, "N");
	}
	return at != NULL && (at->type == JSON_STRING || at->type == JSON_NUMBER) &&
	       ascii_count(at->text, out);
}

static int
apply_check_members(struct call *c, const struct json *json)
{
	json_each (member, json) {
		struct slice name = member->name;

		if (!words_in("Metadata Keys OldImage NewImage", name)) {
			return call_fail(
				c, ERR_VALIDATION,
				"unexpected member \"%.*s\" in a line of an incremental export",
				SLICE_ARG(name));
		}
	}
	return 0;
}

/* Parse the key of a line, which has all attributes of the table's key and no others. */
static int
apply_key(struct call *c, const struct json *keys, const struct key_schema *key, struct item *out)
{
	struct key_values values = {.n = 0};
	int r = item_from_typed_json(c, keys, out);

	if (r == 0 && (out->n != key_schema_n(key) || key_from_item(key, out, &values) != 0)) {
		return call_fail(c, ERR_VALIDATION, "\"Keys\" is not the key of the table");
	}
	return r;
}

/* Return true if the item has the key of the line. */
static bool
apply_same_key(const struct item *keys, const struct item *it)
{
	for (size_t i = 0; i < keys->n; i++) {
		const struct value *v = item_get(it, keys->at[i].name);

		if (v == NULL || !value_eq(v, &keys->at[i].value)) {
			return false;
		}
	}
	return true;
}

/* Parse the image @name, which is an item with the key @keys. */
static int
apply_image(struct call *c, const struct json *image, const char *name, const struct item *keys,
	    struct item *out)
{
	int r = item_from_typed_json(c, image, out);

	if (r < 0) {
		return call_prefix(c, "\"%s\": ", name);
	}
	return apply_same_key(keys, out)
		       ? 0
		       : call_fail(c, ERR_VALIDATION, "\"%s\" has another key than \"Keys\"", name);
}

int
apply_parse(struct call *c, const struct json *json, const struct key_schema *key,
	    struct apply_line *line, struct item *out)
{
	const struct json *keys = json_get(json, "Keys");
	const struct json *image = json_get(json, "NewImage");
	const struct json *old = json_get(json, "OldImage");
	struct item of;
	struct item was;

	if (keys == NULL || !apply_micros(json_get(json, "Metadata"), &line->micros)) {
		return call_fail(
			c, ERR_VALIDATION,
			"this is not a line of an incremental export: it has no \"Keys\", or no "
			"\"Metadata\" with only WriteTimestampMicros");
	}
	int r = apply_check_members(c, json);

	r = r == 0 ? apply_key(c, keys, key, &of) : r;
	line->deleted = image == NULL;
	r = r == 0 && old != NULL ? apply_image(c, old, "OldImage", &of, &was) : r;
	if (r < 0 || line->deleted) {
		*out = of;
		return r;
	}
	return apply_image(c, image, "NewImage", &of, out);
}

/* ------------------------------------------------------------ the newest lines */

struct apply *
apply_new(const struct key_schema *key)
{
	struct apply *a = mem_zeroed(1, sizeof(*a));

	a->key = key;
	buf_init(&a->bytes, NULL);
	return a;
}

void
apply_free(struct apply *a)
{
	if (a != NULL) {
		buf_release(&a->bytes);
		free(a->slots);
		free(a);
	}
}

/* The slot of the key, or the free slot for it. */
static struct apply_slot *
apply_find(const struct apply *a, const uint8_t key[MD5_BYTES])
{
	size_t at = 0;

	assert(a->n < a->n_slots); /* otherwise the search does not end */
	memcpy(&at, key, sizeof(at));
	for (;; at++) {
		struct apply_slot *slot = &a->slots[at & (a->n_slots - 1)];

		if (slot->newest.id == APPLY_FREE || memcmp(slot->key, key, MD5_BYTES) == 0) {
			return slot;
		}
	}
}

static void
apply_grow(struct apply *a)
{
	struct apply_slot *old = a->slots;
	size_t n = a->n_slots;

	a->n_slots = n == 0 ? APPLY_SLOTS : 2 * n;
	a->slots = mem_array(struct apply_slot, a->n_slots);
	for (size_t i = 0; i < a->n_slots; i++) {
		a->slots[i].newest.id = APPLY_FREE;
	}
	for (size_t i = 0; i < n; i++) {
		if (old[i].newest.id != APPLY_FREE) {
			*apply_find(a, old[i].key) = old[i];
		}
	}
	free(old);
}

/* The slot of an item's key; a new slot has no line. */
static struct apply_slot *
apply_slot_of(struct apply *a, const struct item *it)
{
	uint8_t key[MD5_BYTES];

	if (2 * a->n >= a->n_slots) {
		apply_grow(a);
	}
	pending_items_key(&a->bytes, a->key, it);
	md5_of_bytes(buf_view(&a->bytes), key);

	struct apply_slot *slot = apply_find(a, key);

	if (slot->newest.id == APPLY_FREE) {
		memcpy(slot->key, key, sizeof(key));
		slot->newest.id = APPLY_NONE;
		a->n++;
	}
	return slot;
}

static bool
apply_is_newer(uint64_t micros, size_t id, const struct apply_mark *than)
{
	return than->id == APPLY_NONE || micros > than->micros ||
	       (micros == than->micros && id > than->id);
}

void
apply_choose(struct apply *a, size_t first, struct apply_line *lines, const struct item *items,
	     size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct apply_line *line = &lines[i];

		if (line->settled) {
			continue;
		}
		struct apply_mark *newest = &apply_slot_of(a, &items[i])->newest;

		if (!apply_is_newer(line->micros, first + i, newest)) {
			continue;
		}
		line->chosen = true;
		line->before = *newest;
		if (newest->id != APPLY_NONE && newest->id >= first) {
			assert(newest->id - first < n);
			struct apply_line *older = &lines[newest->id - first];

			older->chosen = false;
			line->before = older->before;
		}
		*newest = (struct apply_mark){line->micros, first + i};
	}
}

void
apply_refused(struct apply *a, struct apply_line *line, const struct item *it)
{
	apply_slot_of(a, it)->newest = line->before;
}
