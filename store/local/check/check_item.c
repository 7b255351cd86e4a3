/* check_item - checks that each record is valid, each item has its index entries, and each entry has its item */
#include "store/base/core/utf8.h"
#include "store/local/check/check_int.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/tables/index_job.h"
#include "store/local/write/index.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"
#include "store/model/number.h"
#include "store/model/schema.h"
#include "store/model/value.h"

/* ------------------------------------------------------------ values */

static bool
valid_value(struct call *c, const struct value *v)
{
	struct slice canonical;

	switch (v->type) {
	case VALUE_S:
		return utf8_valid(v->text);
	case VALUE_N:
		return number_canonical(c, v->text, &canonical) == 0 &&
		       slice_eq(canonical, v->text);
	case VALUE_SS:
	case VALUE_NS:
	case VALUE_L:
		for (size_t i = 0; i < v->list.n; i++) {
			if (!valid_value(c, &v->list.at[i])) {
				return false;
			}
		}
		return true;
	case VALUE_M:
		return check_legible(c, &v->map);
	case VALUE_B:
	case VALUE_BS:
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
		if (!utf8_valid(it->at[i].name) || !valid_value(c, &it->at[i].value)) {
			return false;
		}
	}
	return true;
}

/* ------------------------------------------------------------ records */

const char *
check_fault(struct call *c, const struct schema *s, const struct index *ix, struct found *f)
{
	struct key_values v = {.n = 0};
	struct slice own = {0};

	f->base.n = 0;
	if (record_decode_sized(c, f->record, &f->head, &f->item, &f->item_bytes) != 0) {
		return "its record cannot be read";
	}
	bool has_key = (ix == NULL || key_from_item(&ix->key, &f->item, &v) == 0) &&
		       key_from_item(&s->key, &f->item, &f->base) == 0;

	if (has_key) {
		key_append(&v, &f->base);
		own = keyspace_item(&c->arena, s, ix, &v);
	}
	if (!slice_eq(own, f->key)) {
		return "its key attributes differ from its key";
	}
	if (item_check(c, &f->item) != 0) {
		return slice_cstr(&c->arena, slice_from(c->error.message));
	}
	return check_legible(c, &f->item) ? NULL
					  : "a text is not UTF-8 or a number is not canonical";
}

/* Correct the rendered length in f->head.  Return: what was wrong; NULL: nothing */
static const char *
check_length(struct check *k, struct found *f)
{
	size_t length = item_json_length(&f->item) + 1;
	struct buf why = {.arena = &k->scratch.arena};

	if (f->head.rendered_bytes == length) {
		return NULL;
	}
	buf_fmt(&why, "its rendered length is %zu bytes, not %llu", length,
		(unsigned long long)f->head.rendered_bytes);
	buf_char(&why, '\0');
	f->head.rendered_bytes = length;
	return why.at;
}

static void
check_size(struct check *k, const struct found *f)
{
	if (f->item_bytes > LIMIT_ITEM_BYTES) {
		check_problem(k, "%s: %zu bytes are more than an item may have",
			      check_place(k, &f->place), f->item_bytes);
	}
}

/* Read a record in the page's snapshot.  Return: 0, KV_ABSENT, < 0 */
static int
check_get(struct check *k, struct slice key, struct slice *out)
{
	struct buf record = {.arena = &k->scratch.arena};

	int r = kv_get(k->local->kv, k->c, k->at, key, &record);

	*out = buf_view(&record);
	return r;
}

/* Make the entry of the valid item @f. */
static int
check_make_entry(struct check *k, const struct found *f, const struct index *ix,
		 struct index_entry *out)
{
	const struct index_source from = {
		.schema = k->s,
		.item = &f->item,
		.base = &f->base,
		.record = f->record,
		.checked = true,
		.mtime_ns = f->head.mtime_ns,
		.rendered_bytes = f->head.rendered_bytes,
		.item_bytes = f->item_bytes,
	};

	return index_entry(&k->scratch, &from, ix, out);
}

/* ------------------------------------------------------------ an item and its entries */

/* Set *@ahead if the backfill of the index has not reached the item @f yet. */
static int
is_ahead(struct check *k, const struct found *f, const struct index *ix, bool *ahead)
{
	struct backfill_mark mark;

	*ahead = ix->state != INDEX_ACTIVE;
	if (!*ahead) {
		return 0;
	}
	k->scratch.error = (struct error){0}; /* damage of another entry, which has been reported */
	int r = backfill_mark(k->local, &k->scratch, k->at, k->s, ix, &mark);

	if (r < 0) {
		/* check_orphans() has reported damage. */
		return r == -ERR_CORRUPT ? 0 : check_failed(k, r);
	}
	*ahead = slice_cmp(f->key, mark.place) >= 0;
	return 0;
}

/* Compare the entry of @f in @ix with the one that is stored. */
static int
check_entry_of(struct check *k, const struct found *f, const struct index *ix)
{
	struct index_entry want;
	struct slice record;
	struct item is;
	bool ahead = false;
	int r = check_make_entry(k, f, ix, &want);

	if (r < 0 || !want.there) {
		return check_failed(k, r);
	}
	r = check_get(k, want.key, &record);
	if (r == KV_ABSENT) {
		r = is_ahead(k, f, ix, &ahead);
		if (r < 0 || ahead) {
			return r;
		}
		check_problem(k, "%s: index %.*s has no entry for it", check_place(k, &f->place),
			      SLICE_ARG(ix->name));
	} else if (r < 0) {
		return r;
	} else if (record_decode(&k->scratch, record, NULL, &is) != 0 ||
		   !item_eq(&is, &want.projected)) {
		check_problem(k, "%s: its entry in index %.*s has another content",
			      check_place(k, &f->place), SLICE_ARG(ix->name));
	} else {
		return 0;
	}
	check_put(k, want.key, want.record, "it was written");
	return 0;
}

static int
check_item_at(struct check *k, struct found *f)
{
	const char *why = check_fault(&k->scratch, k->s, NULL, f);
	int r = 0;

	if (why != NULL) {
		check_problem(k, "%s: %s", check_place(k, &f->place), why);
		check_move(k, f->key, f->record);
		return 0;
	}
	check_size(k, f);
	why = check_length(k, f);
	if (why != NULL) {
		check_problem(k, "%s: %s", check_place(k, &f->place), why);
		f->record = record_make(&k->scratch, &f->head, &f->item, f->item_bytes);
		check_put(k, f->key, f->record, "it was set");
	}
	for (size_t i = 0; r == 0 && i < k->s->n_index; i++) {
		r = check_entry_of(k, f, &k->s->index[i]);
	}
	return r;
}

/* ------------------------------------------------------------ an entry and its item */

/* The item of the entry @f is valid: compare @f with its entry @want.  @why: the record of @f is not valid, or NULL */
static void
check_compare(struct check *k, const struct found *f, const struct index_entry *want,
	      const char *why)
{
	bool stale = !want->there || !slice_eq(want->key, f->key);

	if (why == NULL && !stale) {
		return; /* the content has been compared with the item */
	}
	check_problem(k, "%s: %s", check_place(k, &f->place),
		      why == NULL ? "the item has other index keys" : why);
	if (stale) {
		check_del(k, f->key);
	} else {
		check_put(k, want->key, want->record, "it was written anew");
	}
}

static int
check_entry_at(struct check *k, struct found *f)
{
	assert(k->ix != NULL);

	size_t n = key_schema_n(&k->ix->key);
	struct key_values base = key_values_of(f->at + n, f->place.n - n);
	const char *why = check_fault(&k->scratch, k->s, k->ix, f);
	struct index_entry want;
	struct found item;

	if (why == NULL) {
		check_size(k, f);
		why = check_length(k, f);
	}
	item.key = keyspace_item(&k->scratch.arena, k->s, NULL, &base);
	int r = check_get(k, item.key, &item.record);

	if (r == 0 && check_fault(&k->scratch, k->s, NULL, &item) == NULL) {
		r = check_failed(k, check_make_entry(k, &item, k->ix, &want));
		if (r == 0) {
			check_compare(k, f, &want, why);
		}
		return r;
	}
	if (r == KV_ABSENT && why == NULL) {
		why = "the table has no item for this entry";
	}
	/* An item that is not valid is reported once, for the table, not for each of its entries. */
	if (why != NULL) {
		check_problem(k, "%s: %s", check_place(k, &f->place), why);
	}
	if (r == KV_ABSENT) {
		check_move(k, f->key, f->record);
	}
	return r < 0 ? r : 0;
}

/* ------------------------------------------------------------ all items or entries */

static int
check_at_cursor(struct check *k)
{
	struct found f = {.key = kv_cursor_key(k->cursor), .record = kv_cursor_value(k->cursor)};

	call_clear(&k->scratch);
	k->looked++;
	*(k->ix == NULL ? &k->items : &k->entries) += 1;
	f.place = (struct values){f.at, 0};
	if (keyspace_parse_item(&k->scratch, k->s, k->ix, f.key, &f.place) != 0) {
		check_problem(k, "a key of %zu bytes cannot be read", f.key.len);
		check_move(k, f.key, f.record);
		return 0;
	}
	return k->ix == NULL ? check_item_at(k, &f) : check_entry_at(k, &f);
}

int
check_items(struct check *k, struct slice *from)
{
	struct kv_cursor *cur = k->cursor;
	struct slice prefix = keyspace_head(&k->c->arena, KEYSPACE_ITEM, k->s, k->ix);
	int r = 0;

	check_seek(k, prefix, *from);
	for (; r == 0 && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		if (check_full(k)) {
			*from = slice_copy(&k->c->arena, kv_cursor_key(cur));
			return CHECK_PAUSED;
		}
		r = check_at_cursor(k);
	}
	return r;
}
