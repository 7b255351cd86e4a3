/*
 * write_make - preparation of a write: bound expressions, encoded keys and items
 *
 * Puts and keys are checked and encoded in the caller's thread, before write.c runs in the leader's. The result of an
 * update is computed in the leader's thread, which has read the item.
 */
#include "store/base/core/clock.h"
#include "store/expr/expr.h"
#include "store/expr/legacy.h"
#include "store/local/records/itemkey.h"
#include "store/local/records/key.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/write/index.h"
#include "store/local/write/write.h"
#include "store/model/item.h"
#include "store/model/item_json.h"
#include "store/model/limits.h"

static int
too_big(struct call *c, const struct write *w)
{
	return w->kind == WRITE_UPDATE ? item_fail_update_size(c) : item_fail_size(c);
}

/* Set the sizes, the record and the index entries of w->item. */
static int
encode(struct call *c, struct write *w)
{
	w->size = (struct record_counts){.items = 1, .item_bytes = item_size(&w->item)};
	if (w->size.item_bytes > LIMIT_ITEM_BYTES) {
		return too_big(c, w);
	}
	w->size.rendered_bytes = item_json_length(&w->item) + 1;
	w->record = record_make(c, &(struct record_head){w->size.rendered_bytes, w->mtime_ns},
				&w->item, w->size.item_bytes);
	int r = index_entries(c,
			      &(struct index_source){
				      .schema = w->schema,
				      .item = &w->item,
				      .base = &w->values,
				      .record = w->record,
				      .mtime_ns = w->mtime_ns,
				      .rendered_bytes = w->size.rendered_bytes,
				      .item_bytes = w->size.item_bytes,
				      .checked = w->kind == WRITE_UPDATE,
			      },
			      &w->entries);

	if (r < 0) {
		return r;
	}
	return w->size.item_bytes + index_local_bytes(w->schema, w->entries) > LIMIT_ITEM_BYTES
		       ? too_big(c, w)
		       : 0;
}

/* ------------------------------------------------------------ in the caller's thread */

int
write_bind(struct call *c, const struct write_said *said, struct write_words *out)
{
	struct expr_scope *scope = expr_scope_open(c, said->ph);
	struct expr *e = NULL;
	struct expr_update *u = NULL;
	int r = said->update == NULL ? 0 : expr_update(c, scope, *said->update, &u);

	if (r == 0) {
		r = expr_condition(c, scope, EXPR_CONDITION, said->condition, &e);
	}
	if (r == 0) {
		r = expr_scope_close(c, scope);
	}
	if (e == NULL && said->expected != NULL) {
		e = legacy_condition(c, EXPR_CONDITION, said->expected);
	}
	if (u == NULL && said->updates != NULL) {
		u = legacy_update(c, said->updates);
	}
	*out = (struct write_words){e, u};
	return r;
}

/* Check an update as far as that is possible without the item. */
static int
write_check_update(struct call *c, const struct write *w)
{
	const struct schema *s = w->schema;
	int r = expr_update_check_key(c, w->update, s);

	for (size_t i = 0; i < s->n_index && r == 0; i++) {
		r = itemkey_check_update(c, &s->index[i], w->update);
	}
	return r < 0 ? r : expr_update_check_scalars(c, w->update, s);
}

int
write_prepare(struct call *c, struct write *w)
{
	const struct schema *s = w->schema;
	int r = w->kind == WRITE_PUT ? itemkey_of_table(c, s, &w->item, &w->values)
				     : key_from_request(c, &s->key, &w->item, &w->values);

	if (r < 0) {
		return r;
	}
	w->key = keyspace_item(&c->arena, s, NULL, &w->values);
	w->collection = keyspace_collection(&c->arena, KEYSPACE_PARTITION, s, NULL, &w->values);
	w->totals = keyspace_head(&c->arena, KEYSPACE_TOTALS, s, NULL);
	if (w->kind == WRITE_PUT || w->kind == WRITE_UPDATE) {
		w->mtime_ns = w->mtime_ns != 0 ? w->mtime_ns : c->now_ms * NS_PER_MS;
		return w->kind == WRITE_PUT ? encode(c, w) : write_check_update(c, w);
	}
	w->item = (struct item){0};
	return 0;
}

size_t
write_bytes(const struct write *w)
{
	size_t bytes = w->key.len + w->collection.len + w->record.len;

	if (w->schema->stream.view != STREAM_NONE) {
		bytes += w->record.len; /* a second time in the stream record */
	}

	for (size_t i = 0; w->entries != NULL && i < w->schema->n_index; i++) {
		bytes += w->entries[i].key.len + w->entries[i].record.len;
	}
	return bytes;
}

/* ------------------------------------------------------------ in the leader's thread */

int
write_update(struct call *c, struct write *w)
{
	struct item updated;

	assert(w->kind == WRITE_UPDATE);
	/* An update that only removes attributes does not create an item. */
	if (!w->had_old && expr_update_removes(w->update)) {
		w->item = (struct item){0};
		w->changed = false;
		return 0;
	}
	int r = expr_update_apply(c, w->update, w->had_old ? &w->old : &w->item, &updated);

	if (r < 0) {
		return r;
	}
	w->item = updated;
	w->changed = !w->had_old || !item_eq(&w->old, &updated);
	if (!w->changed) {
		return 0;
	}
	for (size_t i = 0; i < w->schema->n_index && r == 0; i++) {
		r = itemkey_check_updated(c, &w->schema->index[i], w->update, &updated);
	}
	return r < 0 ? r : encode(c, w);
}
