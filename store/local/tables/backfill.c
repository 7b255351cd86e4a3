/* backfill - finds keys outside the commit queue and adds entries in an operation of the queue */
#include "store/local/tables/backfill.h"

#include <assert.h>

#include "store/local/commit/txn.h"
#include "store/local/records/catalog_int.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/write/index.h"
#include "store/model/schema.h"

enum {
	PIECE_KEYS = 64, /* takes the commit leader about a millisecond */
	PIECE_BYTES = 128 << 10,
};

/* ------------------------------------------------------------ the mark */

int
backfill_mark_decode(struct call *c, struct slice record, struct backfill_mark *out)
{
	const unsigned char *place = (const unsigned char *)record.at;
	const unsigned char *end = place + record.len;

	if (!varint_read(&place, end, &out->items) || out->items == 0 || place == end) {
		return call_fail(c, ERR_CORRUPT, "the mark of a backfill is damaged");
	}
	out->place = slice_of((const char *)place, (size_t)(end - place));
	return 0;
}

int
backfill_mark(struct local *l, struct call *c, struct kv_snapshot *at, const struct schema *s,
	      const struct index *ix, struct backfill_mark *out)
{
	struct slice key = keyspace_head(&c->arena, KEYSPACE_BACKFILL, s, ix);
	struct buf record = {.arena = &c->arena};

	*out = (struct backfill_mark){0};
	int r = kv_get(l->kv, c, at, key, &record);

	if (r != 0) {
		return r < 0 ? r : 0;
	}
	return backfill_mark_decode(c, buf_view(&record), out);
}

/* ------------------------------------------------------------ a batch */

struct piece {
	const struct schema *schema;
	const struct index *ix;
	struct slice keys[PIECE_KEYS];
	size_t n;
	struct slice mark_key;
	struct slice mark;
};

static int
fill_one(struct txn *t, struct call *c, const struct piece *p, struct slice key)
{
	struct slice record;
	struct record_head head;
	struct item item;
	struct key_values base = {.n = 0};
	struct index_entry entry;
	size_t item_bytes;
	int r = txn_get(t, c, key, &record);

	if (r == 0) {
		r = record_decode_sized(c, record, &head, &item, &item_bytes);
	}
	if (r != 0) {
		return r < 0 ? r : 0; /* > 0: the item was deleted in the meantime */
	}
	if (key_from_item(&p->schema->key, &item, &base) != 0) {
		return call_fail(c, ERR_CORRUPT, "an item lacks its key: run itemctl check");
	}
	r = index_entry(c,
			&(struct index_source){
				.schema = p->schema,
				.item = &item,
				.base = &base,
				.record = record,
				.checked = true,
				.mtime_ns = head.mtime_ns,
				.rendered_bytes = head.rendered_bytes,
				.item_bytes = item_bytes,
			},
			p->ix, &entry);
	return r < 0 ? r : index_fill(t, c, p->schema, p->ix, &entry);
}

static int
fill_piece(struct txn *t, struct call *c, void *arg)
{
	const struct piece *p = arg;

	if (!catalog_current(p->schema)) {
		return TXN_REBIND;
	}
	for (size_t i = 0; i < p->n; i++) {
		int r = fill_one(t, c, p, p->keys[i]);

		if (r < 0) {
			return r;
		}
	}
	txn_put(t, p->mark_key, p->mark);
	return 0;
}

/* Collect the next keys of the table, from the mark on. */
static int
backfill_find_keys(struct local *l, struct call *c, const struct backfill_mark *from,
		   struct piece *p, size_t *bytes)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);
	struct slice prefix = keyspace_head(&c->arena, KEYSPACE_ITEM, p->schema, NULL);

	kv_cursor_seek(cur, from->items == 0 ? prefix : from->place);
	for (; p->n < PIECE_KEYS && *bytes < PIECE_BYTES && kv_cursor_in(cur, prefix);
	     kv_cursor_next(cur)) {
		p->keys[p->n++] = slice_copy(&c->arena, kv_cursor_key(cur));
		*bytes += kv_cursor_key(cur).len + kv_cursor_value(cur).len;
	}
	return kv_cursor_status(cur, c);
}

static void
make_mark(struct call *c, const struct backfill_mark *from, struct piece *p)
{
	struct buf mark = {.arena = &c->arena};

	assert(p->n > 0);
	buf_varint(&mark, from->items + p->n);
	buf_slice(&mark, p->keys[p->n - 1]);
	buf_char(&mark, '\0');
	p->mark_key = keyspace_head(&c->arena, KEYSPACE_BACKFILL, p->schema, p->ix);
	p->mark = buf_view(&mark);
}

int
backfill_piece(struct local *l, struct call *c, const struct schema *s, const struct index *ix)
{
	struct piece *p = arena_new(&c->arena, struct piece, 1);
	struct backfill_mark from;
	struct txn_op op = {.run = fill_piece, .arg = p, .grows = true};
	int r = backfill_mark(l, c, NULL, s, ix, &from);

	if (r < 0) {
		return r;
	}
	p->schema = s;
	p->ix = ix;
	r = backfill_find_keys(l, c, &from, p, &op.bytes);
	if (r < 0 || p->n == 0) {
		return r;
	}
	make_mark(c, &from, p);
	r = txn_run(l->queue, c, &op);
	return r < 0 ? r : BACKFILL_MORE;
}
