/* check_item - checks that each record is valid, each item has its index entries, and each entry has its item */
#include "store/local/check/check_item.h"

#include <assert.h>

#include "store/base/core/utf8.h"
#include "store/local/check/check_int.h"
#include "store/local/check/check_mend.h"
#include "store/local/check/check_page.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/tables/backfill.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* ------------------------------------------------------------ values */

static bool
sound_text(struct call *c, enum value_type type, struct slice text)
{
	struct slice canonical;

	switch (type) {
	case VALUE_S:
	case VALUE_SS:
		return utf8_valid(text);
	case VALUE_N:
	case VALUE_NS:
		return number_canonical(c, text, &canonical) == 0 && slice_eq(canonical, text);
	case VALUE_B:
	case VALUE_BS:
	case VALUE_BOOL:
	case VALUE_NULL:
	case VALUE_L:
	case VALUE_M:
	case VALUE_TYPES:
		break;
	}
	return true;
}

static bool
sound_value(struct call *c, const struct value *v)
{
	switch (v->type) {
	case VALUE_S:
	case VALUE_N:
	case VALUE_B:
		return sound_text(c, v->type, v->text);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_BS:
	case VALUE_L:
		for (size_t i = 0; i < v->list.n; i++) {
			if (!sound_value(c, &v->list.at[i])) {
				return false;
			}
		}
		return true;
	case VALUE_M:
		return check_legible(c, &v->map);
	case VALUE_BOOL:
	case VALUE_NULL:
	case VALUE_TYPES:
		break;
	}
	return true;
}

bool
check_legible(struct call *c, const struct item *it)
{
	for (size_t i = 0; i < it->n; i++) {
		if (!utf8_valid(it->at[i].name) || !sound_value(c, &it->at[i].value)) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ records */

/* Return: whether @it has the key @v, an array with one value for each attribute of @k. */
static bool
same_key(const struct key_schema *k, const struct item *it, const struct value *v)
{
	struct key_values of = {.n = 0};

	if (key_from_item(k, it, &of) != 0) {
		return false;
	}
	for (size_t i = 0; i < of.n; i++) {
		if (!value_eq(of.at[i], &v[i])) {
			return false;
		}
	}
	return true;
}

/* Return: the values of the table's key; in an index they follow those of the index key. */
static const struct value *
base_values(const struct index *ix, const struct found *f)
{
	return ix == NULL ? f->at : f->at + key_schema_n(&ix->key);
}

struct key_values
check_base_key(const struct check *k, const struct found *f)
{
	return key_values_of(base_values(k->ix, f), key_schema_n(&k->s->key));
}

const char *
check_unsound(struct check *k, const struct index *ix, const struct found *f)
{
	if ((ix != NULL && !same_key(&ix->key, &f->item, f->at)) ||
	    !same_key(&k->s->key, &f->item, base_values(ix, f))) {
		return "its key attributes differ from its key";
	}
	if (item_check(&k->scratch, &f->item) != 0) {
		return k->scratch.error.message;
	}
	if (!check_legible(&k->scratch, &f->item)) {
		return "a text is not UTF-8 or a number is not canonical";
	}
	return NULL;
}

/* Check a record by itself.  Return: 0; KV_ABSENT: it is invalid, do not compare it; < 0 */
static int
check_record(struct check *k, const struct found *f)
{
	const char *why = check_unsound(k, k->ix, f);

	if (why != NULL) {
		check_problem(k, "%s: %s", check_place(k, &f->values), why);
		int r = check_mend(k, f);

		return r < 0 ? r : KV_ABSENT;
	}
	if (f->item_bytes > LIMIT_ITEM_BYTES) {
		check_problem(k, "%s: %zu bytes are more than an item may have",
			      check_place(k, &f->values), f->item_bytes);
	}
	if (f->head.rendered_bytes != item_json_length(&f->item) + 1) {
		check_problem(k, "%s: its rendered length is %zu bytes, not %llu",
			      check_place(k, &f->values), item_json_length(&f->item) + 1,
			      (unsigned long long)f->head.rendered_bytes);
		int r = check_mend_length(k, f);

		/* In a repair, an entry has now been derived from its item, or deleted. */
		return r < 0 || k->ix == NULL || k->t == NULL ? r : KV_ABSENT;
	}
	return 0;
}

/* Read the record of a key in the page's snapshot.  Return: 0, KV_ABSENT, < 0 */
static int
get_record(struct check *k, struct slice key, struct buf *out)
{
	buf_init(out, &k->scratch.arena);
	return kv_get(k->local->kv, k->c, k->at, key, out);
}

/* ------------------------------------------------------------ an item's entries */

/* Set *@ahead if the backfill of the index has not reached the item at the cursor yet. */
static int
is_ahead(struct check *k, const struct index *ix, bool *ahead)
{
	struct backfill_mark mark;

	*ahead = ix->state != INDEX_ACTIVE;
	if (!*ahead) {
		return 0;
	}
	k->scratch.error = (struct error){0}; /* damage of another entry, which has been reported */
	int r = backfill_mark(k->local, &k->scratch, k->at, k->s, ix, &mark);

	if (r < 0) {
		/* check_strays() has reported damage. */
		return r == -ERR_CORRUPT ? 0 : check_failed(k, r);
	}
	*ahead = slice_cmp(kv_cursor_key(k->cursor), mark.place) >= 0;
	return 0;
}

static int
check_absent(struct check *k, const struct found *f, const struct index *ix)
{
	bool ahead;
	int r = is_ahead(k, ix, &ahead);

	if (r == 0 && !ahead) {
		check_problem(k, "%s: index %.*s has no entry for it", check_place(k, &f->values),
			      SLICE_ARG(ix->name));
		r = check_mend_entry_of(k, f, ix);
	}
	return r;
}

static int
check_entry_of(struct check *k, const struct found *f, const struct index *ix)
{
	struct key_values base = check_base_key(k, f);
	struct key_values v = {.n = 0};

	if (ix->state == INDEX_DELETING || index_key(ix, &f->item, &v) != 0) {
		return 0; /* the item has no entry in a sparse index */
	}
	key_append(&v, &base);

	struct buf key;
	struct buf record;
	struct item entry;

	buf_init(&key, &k->scratch.arena);
	keyspace_item(&key, k->s, ix, &v);

	int r = get_record(k, buf_view(&key), &record);

	if (r < 0) {
		return r;
	}
	if (r == KV_ABSENT) {
		return check_absent(k, f, ix);
	}
	struct item want = item_project(&k->scratch.arena, k->s, ix, &f->item);

	if (record_decode(&k->scratch, buf_view(&record), NULL, &entry) != 0 ||
	    !item_eq(&entry, &want)) {
		check_problem(k, "%s: its entry in index %.*s has another content",
			      check_place(k, &f->values), SLICE_ARG(ix->name));
		return check_mend_entry_of(k, f, ix);
	}
	return 0;
}

static int
check_entries_of(struct check *k, const struct found *f)
{
	for (size_t i = 0; i < k->s->n_index; i++) {
		int r = check_entry_of(k, f, &k->s->index[i]);

		if (r < 0) {
			return r;
		}
	}
	return 0;
}

/* ------------------------------------------------------------ an entry's item */

static int
check_item_of(struct check *k, const struct found *f)
{
	struct key_values v = check_base_key(k, f);
	struct buf key;
	struct buf record;
	struct item it;

	assert(k->ix != NULL);
	buf_init(&key, &k->scratch.arena);
	keyspace_item(&key, k->s, NULL, &v);

	int r = get_record(k, buf_view(&key), &record);

	if (r < 0) {
		return r;
	}
	if (r == KV_ABSENT) {
		check_problem(k, "%s: the table has no item for this entry",
			      check_place(k, &f->values));
		return check_mend(k, f);
	}
	/* An item that cannot be read is reported once, for the table, not for each of its entries. */
	if (record_decode(&k->scratch, buf_view(&record), NULL, &it) == 0 &&
	    !same_key(&k->ix->key, &it, f->at)) {
		check_problem(k, "%s: the item has other index keys", check_place(k, &f->values));
		return check_mend(k, f);
	}
	return 0;
}

/* ------------------------------------------------------------ all items or entries */

static int
check_at_cursor(struct check *k)
{
	struct found f = {.key = kv_cursor_key(k->cursor), .record = kv_cursor_value(k->cursor)};

	check_begin(k);
	k->looked++;
	*(k->ix == NULL ? &k->items : &k->entries) += 1;
	f.values = (struct values){f.at, 0};
	if (keyspace_parse_item(&k->scratch, k->s, k->ix, f.key, &f.values) != 0) {
		check_problem(k, "a key of %zu bytes cannot be read", f.key.len);
		check_mend_gone(k, f.key, f.record);
		return 0;
	}
	if (record_decode_sized(&k->scratch, f.record, &f.head, &f.item, &f.item_bytes) != 0) {
		check_problem(k, "%s: its record cannot be read", check_place(k, &f.values));
		return check_mend(k, &f);
	}
	int r = check_record(k, &f);

	if (r != 0) {
		return r < 0 ? r : 0;
	}
	return k->ix == NULL ? check_entries_of(k, &f) : check_item_of(k, &f);
}

int
check_items(struct check *k, struct slice *from)
{
	struct kv_cursor *cur = k->cursor;
	struct buf prefix;
	int r = 0;

	buf_init(&prefix, &k->c->arena);
	keyspace_table(&prefix, k->s, k->ix);
	check_seek(k, buf_view(&prefix), *from);
	for (; r == 0 && kv_cursor_in(cur, buf_view(&prefix)); kv_cursor_next(cur)) {
		if (check_full(k)) {
			*from = slice_copy(&k->c->arena, kv_cursor_key(cur));
			return CHECK_PAUSED;
		}
		r = check_at_cursor(k);
	}
	return r;
}
