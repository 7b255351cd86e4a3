/* index_job - each step looks at the state of the index, does the work of that state, and stores the next state */
#include "store/local/tables/index_job.h"

#include "store/base/core/clock.h"
#include "store/local/commit/damage.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/ranges.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/tables/alter.h"
#include "store/local/tables/tables.h"
#include "store/local/write/index.h"
#include "store/model/schema.h"

enum {
	CALL_BUDGET = 64 << 20,
	PIECE_KEYS = 64, /* takes the commit leader about a millisecond */
	PIECE_BYTES = 128 << 10,
};

/* ------------------------------------------------------------ backfill: its mark */

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

/* ------------------------------------------------------------ backfill: a batch */

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
	return r < 0 ? r : INDEX_JOB_MORE;
}

/* ------------------------------------------------------------ state changes */

struct step {
	const struct index_name *name;
	enum index_state from;
	enum index_state to; /* ignored if @from is DELETING: the index is removed */
};

static void
remove_index(struct schema *s, const struct index *ix)
{
	size_t at = (size_t)(ix - s->index);

	assert(at < s->n_index);
	s->n_index--;
	memmove(&s->index[at], &s->index[at + 1], (s->n_index - at) * sizeof(*ix));
}

static int
take_step(struct txn *t, struct call *c, struct schema *s, void *arg)
{
	const struct step *step = arg;
	struct index *ix = (struct index *)schema_index_by_id(s, step->name->id);

	if (s->id != step->name->table_id || ix == NULL || ix->state != step->from) {
		return call_fail(c, ERR_NO_INDEX, "the index has another state now");
	}
	if (step->to == INDEX_ACTIVE) {
		txn_del(t, keyspace_head(&c->arena, KEYSPACE_BACKFILL, s, ix));
	}
	if (step->from == INDEX_DELETING) {
		remove_index(s, ix);
	} else {
		ix->state = step->to;
	}
	table_altered(t, c, s->table, txn_seq(t));
	return 0;
}

/* Return: INDEX_JOB_MORE: look again, even if somebody else has changed the state; < 0 */
static int
change_state(struct local *l, struct call *c, const struct index_name *name, enum index_state from,
	     enum index_state to)
{
	struct step step = {name, from, to};
	int r = alter_table(l, c, name->table, take_step, &step, NULL);

	return r == 0 || r == -ERR_NO_INDEX || r == -ERR_NO_TABLE ? INDEX_JOB_MORE : r;
}

/* ------------------------------------------------------------ deletion */

/* Return: 0, RANGES_MORE, < 0. */
static int
delete_entries(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	       struct ranges_walk *w)
{
	static const char spaces[] = {KEYSPACE_ITEM, KEYSPACE_PARTITION, KEYSPACE_TOTALS,
				      KEYSPACE_BACKFILL, '\0'};
	cleanup(buf_release) struct buf head = {0};

	buf_u32be(&head, name->table_id);
	buf_u16be(&head, name->id);
	return ranges_delete(l, time_slice, spaces, buf_view(&head), w);
}

/* ------------------------------------------------------------ steps */

static int
run_step(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	 struct ranges_walk *w)
{
	cleanup(call_close) struct call c;
	const struct index *ix = NULL;
	int r = 0;

	call_open(&c, clock_now_ms(), CALL_BUDGET);
	const struct schema *s = catalog_get(l->catalog, &c, name->table);

	if (s != NULL && s->id == name->table_id) {
		ix = schema_index_by_id(s, name->id);
	}
	switch (ix == NULL ? INDEX_ACTIVE : ix->state) {
	case INDEX_ACTIVE:
		return 0;
	case INDEX_CREATING:
		return change_state(l, &c, name, INDEX_CREATING, INDEX_BACKFILLING);
	case INDEX_BACKFILLING:
		/* damage_seen() makes writes fail, so that whoever waits for the index learns that it stopped. */
		r = damage_seen(l, &c, backfill_piece(l, &c, s, ix));
		return r != 0 ? r : change_state(l, &c, name, INDEX_BACKFILLING, INDEX_ACTIVE);
	case INDEX_DELETING:
		r = delete_entries(l, time_slice, name, w);
		return r != 0 ? r : change_state(l, &c, name, INDEX_DELETING, INDEX_ACTIVE);
	}
	return 0;
}

int
index_job_run(struct local *l, const struct time_slice *time_slice, const struct index_name *name,
	      struct ranges_walk *w)
{
	int r;

	do {
		r = run_step(l, time_slice, name, w);
	} while (r == INDEX_JOB_MORE && !time_slice_over(time_slice));
	return r;
}
