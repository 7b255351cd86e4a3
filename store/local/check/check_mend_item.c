/*
 * check_mend_item - what is done about an item or an entry
 *
 * An item says what its entries are.  An entry whose item is gone may be all that is left of it, so it
 * is moved to a file like an item that cannot be read; one that its item knows nothing of tells nothing.
 */
#include "store/local/check/check_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/write/index.h"
#include "store/model/item_json.h"

void
check_mend_gone(struct check *k, struct slice key, struct slice record)
{
	if (k->t != NULL && check_move(k, key, record)) {
		check_mended(k, "it was moved to " CHECK_DAMAGED "%.*s", SLICE_ARG(k->saved_name));
	}
}

/* ------------------------------------------------------------ what should be there */

/* The sound item @f as it should be stored. */
static struct index_source
source_of(struct check *k, const struct found *f, const struct key_values *base)
{
	uint64_t rendered = item_json_length(&f->item) + 1;
	struct index_source from = {
		.schema = k->s,
		.item = &f->item,
		.base = base,
		.record = f->record,
		.checked = true,
		.mtime_ns = f->head.mtime_ns,
		.rendered_bytes = rendered,
		.item_bytes = f->item_bytes,
	};

	if (rendered != f->head.rendered_bytes) {
		from.record =
			record_make(&k->scratch, &(struct record_head){rendered, f->head.mtime_ns},
				    &f->item, f->item_bytes);
	}
	return from;
}

int
check_mend_entry_of(struct check *k, const struct found *f, const struct index *ix)
{
	struct key_values base = check_base_key(k, f);
	struct index_entry entry;

	if (k->t == NULL) {
		return 0;
	}
	struct index_source from = source_of(k, f, &base);
	int r = index_entry(&k->scratch, &from, ix, &entry);

	if (r == 0 && entry.there) {
		check_put(k, entry.key, entry.record);
		check_mended(k, "it was written");
	}
	return r;
}

/* ------------------------------------------------------------ an entry */

enum { ITEM_DAMAGED = KV_ABSENT + 1 };

/* The item with the key @base.  Return: 0, KV_ABSENT, ITEM_DAMAGED, < 0. */
static int
item_of(struct check *k, const struct key_values *base, struct found *out)
{
	struct buf key;
	struct buf record;

	buf_init(&key, &k->scratch.arena);
	buf_init(&record, &k->scratch.arena);
	keyspace_item(&key, k->s, NULL, base);
	int r = kv_get(k->local->kv, k->c, k->at, buf_view(&key), &record);

	if (r != 0) {
		return r;
	}
	*out = (struct found){.key = buf_view(&key), .record = buf_view(&record)};
	for (size_t i = 0; i < base->n; i++) {
		out->at[i] = *base->at[i];
	}
	if (record_decode_sized(&k->scratch, out->record, &out->head, &out->item,
				&out->item_bytes) != 0 ||
	    check_unsound(k, NULL, out) != NULL) {
		return ITEM_DAMAGED;
	}
	return 0;
}

static int
mend_entry(struct check *k, const struct found *f)
{
	struct key_values base = check_base_key(k, f);
	struct index_entry entry;
	struct found item;
	int r = item_of(k, &base, &item);

	if (r == KV_ABSENT) {
		check_mend_gone(k, f->key, f->record);
		return 0;
	}
	if (r != 0) {
		return r < 0 ? r : 0; /* nobody knows what it should be */
	}
	struct index_source from = source_of(k, &item, &base);

	r = index_entry(&k->scratch, &from, k->ix, &entry);
	if (r < 0) {
		return r;
	}
	if (entry.there && slice_eq(entry.key, f->key)) {
		check_put(k, entry.key, entry.record);
		check_mended(k, "it was written anew");
	} else {
		check_del(k, f->key);
		check_mended(k, "it was deleted");
	}
	return 0;
}

/* ------------------------------------------------------------ either */

int
check_mend(struct check *k, const struct found *f)
{
	if (k->t == NULL) {
		return 0;
	}
	if (k->ix != NULL) {
		return mend_entry(k, f);
	}
	check_mend_gone(k, f->key, f->record);
	return 0;
}

int
check_mend_length(struct check *k, const struct found *f)
{
	struct key_values base = check_base_key(k, f);

	if (k->t == NULL || k->ix != NULL) {
		return check_mend(k, f);
	}
	check_put(k, f->key, source_of(k, f, &base).record);
	check_mended(k, "it was set");
	return 0;
}
