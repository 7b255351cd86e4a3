/*
 * read_row_stream - a stream of rows: several Queries or Scans as one text over one snapshot
 *
 * The file uses select.c, plan.c and read_page.c as Query and Scan do, but reads no pages: the snapshot and its cursors
 * stay open until the end.
 *
 * Several collections are merged by the part of their keys that follows the collection's own part: the sort key, then
 * the table's key. Items with equal parts are ordered by their partition keys.
 */
#include "store/base/core/merge.h"
#include "store/engine/row_stream.h"
#include "store/engine/row_stream_text.h"
#include "store/local/commit/damage.h"
#include "store/local/read/plan.h"
#include "store/local/read/read_page.h"
#include "store/local/read/select.h"
#include "store/local/records/catalog.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/reader.h"
#include "store/local/records/record.h"
#include "store/op/op.h"
#include "store/op/validate.h"

/* Limits on the items and bytes that one row_stream_next() reads; the last item may exceed the second. */
enum { READ_MAX = 4096, READ_BYTES = 1024 * 1024 };

/* One request. */
struct source {
	const struct op_in *in;
	struct select_bound bound;
	struct plan plan;
	struct page_reader reader;
	struct slice collection; /* for the merge: the prefix of the collection's keys */
	struct slice tail;       /* for the merge: the rest of the key at the cursor */
	bool live;               /* there is an item at the cursor */
};

struct local_row_stream {
	struct row_stream row_stream;
	struct local *local;
	struct view view; /* snapshot NULL: not taken yet */
	struct call keep; /* memory of the expressions and runs of keys */
	struct call item; /* memory of the current item */
	struct source *sources;
	size_t n;
	size_t n_open; /* number of sources whose reader is open: the first ones */
	struct merge merge;
	uint64_t limit;
	bool plain;            /* records become text without a filter or projection */
	bool begun;            /* the cursors have been positioned */
	bool counted;          /* all items were counted without cursors */
	struct source *broken; /* its cursor has failed, and each further call fails, too */
	struct row_stream_text text;
	size_t read; /* bytes of records read in this row_stream_next() */
};

/* ------------------------------------------------------------ binding */

static int
read_row_stream_bind(struct local_row_stream *f, struct source *s)
{
	struct call *c = &f->keep;
	const struct query_in *query = s->in->type == OP_QUERY ? &s->in->query : NULL;
	int r = op_validate(c, s->in);

	if (r == 0) {
		r = select_bind(f->local, c, op_read(s->in), query, &s->bound);
	}
	if (r == 0) {
		r = select_check(c, op_read(s->in),
				 query != NULL ? SELECT_OF_QUERY : SELECT_OF_SCAN, &s->bound);
	}
	if (r < 0) {
		return r;
	}
	s->bound.spec.count = f->text.form == ROW_STREAM_COUNT;
	if (query == NULL) {
		/* All blocks of a table would displace those that others read again. */
		s->bound.spec.once = true;
		plan_whole(c, s->bound.schema, s->bound.ix, &s->plan);
		return 0;
	}
	plan_collection(c, s->bound.schema, s->bound.ix, &s->bound.condition, &s->plan);
	s->plan.backward = query->backward;
	s->collection = keyspace_collection(&c->arena, KEYSPACE_ITEM, s->bound.schema, s->bound.ix,
					    &s->bound.condition.equal);
	return 0;
}

/*
 * Whether the request has no filter, no projection (a count may have one), and no items to fetch from the table for
 * entries of an index; and the table is not throttled.
 */
static bool
is_plain(const struct source *s)
{
	const struct page_spec *spec = &s->bound.spec;

	return spec->filter == NULL && (spec->projection == NULL || spec->count) && !spec->fetch &&
	       !s->bound.schema->throttle;
}

static int
read_row_stream_bind_all(struct local_row_stream *f, const struct row_stream_in *in)
{
	f->plain = true;
	for (size_t i = 0; i < f->n; i++) {
		f->sources[i].in = &in->requests[i];
		int r = read_row_stream_bind(f, &f->sources[i]);

		if (r < 0) {
			return r;
		}
		f->plain = f->plain && is_plain(&f->sources[i]);
	}
	row_stream_text_init(&f->text, in, &f->sources->bound.schema->key);
	return 0;
}

/* ------------------------------------------------------------ stored counts */

/* Add the stored count of a whole collection, table or index.  Return: 0; 1: its items must be counted; < 0 */
static int
kept_count(struct local_row_stream *f, const struct source *s, uint64_t *n)
{
	struct call *c = &f->keep;
	struct record_counts counts = {0};
	struct buf record = {.arena = &c->arena};
	struct slice key;

	if (!f->plain || (s->in->type == OP_QUERY && s->bound.condition.op != KEYCOND_NONE)) {
		return 1;
	}
	if (s->in->type == OP_QUERY) {
		key = keyspace_collection(&c->arena, KEYSPACE_PARTITION, s->bound.schema,
					  s->bound.ix, &s->bound.condition.equal);
	} else {
		key = keyspace_head(&c->arena, KEYSPACE_TOTALS, s->bound.schema, s->bound.ix);
	}
	int r = kv_get(f->local->kv, c, f->view.snapshot, key, &record);

	if (r != 0) {
		return r == KV_ABSENT ? 0 : r;
	}
	r = record_counts_decode(c, buf_view(&record), &counts);
	*n += counts.items;
	return r;
}

/* Count all items without reading them.  Return: 0; 1: that is not possible; < 0 */
static int
count_at_once(struct local_row_stream *f)
{
	uint64_t n = 0;
	int r = f->text.form == ROW_STREAM_COUNT ? 0 : 1;

	for (size_t i = 0; i < f->n && r == 0; i++) {
		r = kept_count(f, &f->sources[i], &n);
	}
	if (r == 0) {
		f->text.n = f->limit > 0 && n > f->limit ? f->limit : n;
		f->counted = true;
	}
	return r;
}

/* ------------------------------------------------------------ cursors */

/* Check that no cursor has skipped an item. If one has, the text of this row_stream_next() must not be used. */
static int
check_cursors(struct local_row_stream *f, struct call *c)
{
	int r = 0;

	for (size_t i = 0; i < f->n_open; i++) {
		int status = kv_cursor_status(f->sources[i].reader.cursor, c);

		if (status < 0) {
			f->broken = &f->sources[i];
			r = status;
		}
	}
	return r;
}

/* Update the source to the key at its cursor. */
static void
read_row_stream_look(struct source *s)
{
	s->live = page_at(&s->reader, &s->plan);
	if (s->live) {
		s->tail = slice_skip(kv_cursor_key(s->reader.cursor), s->collection.len);
	}
}

static bool
read_row_stream_before(const void *arg, size_t i, size_t j)
{
	const struct local_row_stream *f = arg;
	const struct source *a = &f->sources[i];
	const struct source *b = &f->sources[j];

	if (!a->live || !b->live) {
		return a->live;
	}
	int r = slice_cmp(a->tail, b->tail);

	if (r == 0) {
		r = slice_cmp(a->collection, b->collection);
	}
	return a->plan.backward ? r > 0 : r < 0;
}

/* Move all cursors to the first item of their runs. */
static void
rewind_all(struct local_row_stream *f)
{
	assert(f->n > 0 && f->n_open == f->n);
	for (size_t i = 0; i < f->n; i++) {
		page_seek(&f->sources[i].reader, &f->sources[i].plan);
		read_row_stream_look(&f->sources[i]);
	}
	merge_init(&f->merge, &f->keep.arena, f->n, read_row_stream_before, f);
	f->begun = true;
}

static struct source *
first_source(struct local_row_stream *f)
{
	struct source *s = &f->sources[merge_winner(&f->merge)];

	return s->live && (f->limit == 0 || f->text.n < f->limit) ? s : NULL;
}

/* ------------------------------------------------------------ items */

/* Whether the key attributes come first in the record, as in all items written by the mount and in most others. */
static bool
begins_with_key(struct slice record, const struct key_schema *k)
{
	struct reader r = reader_of(NULL, record_body(record));
	size_t n = get_count(&r);

	if (n == 0 || !slice_eq(get_text(&r), k->pk->name)) {
		return false;
	}
	if (!key_schema_has_sort(k)) {
		return true;
	}
	(void)get_be(&r, 1); /* the type of a key attribute: S, N or B, which have the same form */
	(void)get_text(&r);
	return n > 1 && slice_eq(get_text(&r), k->sk->name);
}

/* Append an item to the text from its record, without decoding it.  Return: 0; 1: it must be decoded; < 0 */
static int
read_row_stream_put_record(struct row_stream_text *t, struct call *scratch, struct buf *out,
			   struct slice record)
{
	size_t before = out->len;
	size_t bytes;

	if (t->form == ROW_STREAM_COUNT) {
		t->n++;
		return 0;
	}
	if (t->form == ROW_STREAM_CSV || !begins_with_key(record, t->key)) {
		return 1;
	}
	row_stream_text_before(t, out);
	int r = record_put_json(scratch, record, t->json, out, &bytes);

	if (r < 0) {
		out->len = before;
		return r;
	}
	row_stream_text_after(t, out);
	return 0;
}

/* Decode, filter, project and write the item at the cursor. Its memory is reused for the next item. */
static int
examine(struct local_row_stream *f, struct call *c, struct source *s, struct buf *out)
{
	size_t fetched = s->reader.sum.fetched;

	page_clear(&s->reader);
	int r = page_examine(&s->reader, &f->item, &s->plan);

	f->read += s->reader.sum.fetched - fetched;
	if (r == 0 && s->reader.page.count > 0) {
		if (s->bound.spec.count) {
			f->text.n++;
		} else {
			r = row_stream_text_item(&f->text, &f->item, out, s->reader.page.items);
		}
	}
	return r < 0 ? call_adopt(c, &f->item) : r;
}

/* Write the item at the cursor. */
static int
read_row_stream_write_item(struct local_row_stream *f, struct call *c, struct source *s,
			   struct buf *out)
{
	struct slice record = kv_cursor_value(s->reader.cursor);
	int r = 1;

	call_clear(&f->item);
	f->read += record.len;
	if (f->plain) {
		r = read_row_stream_put_record(&f->text, &f->item, out, record);
		s->reader.sum.bytes += r > 0 ? 0 : record.len;
	}
	return r > 0 ? examine(f, c, s, out) : r < 0 ? call_adopt(c, &f->item) : 0;
}

static int
read_row_stream_write_items(struct local_row_stream *f, struct call *c, struct buf *out,
			    size_t until)
{
	f->read = 0;
	for (size_t i = 0; i < READ_MAX && f->read < READ_BYTES && out->len < until; i++) {
		struct source *s = first_source(f);

		if (s == NULL) {
			f->begun = false;
			return row_stream_text_end(&f->text, out) ? 0 : ROW_STREAM_END;
		}
		int r = read_row_stream_write_item(f, c, s, out);

		if (r < 0) {
			return r;
		}
		page_step(&s->reader, &s->plan);
		read_row_stream_look(s);
		merge_replay(&f->merge);
	}
	return 0;
}

/* ------------------------------------------------------------ consumed capacity */

/* The current schema of the table, whose throttle settings may have changed; NULL if the table is gone. */
static const struct schema *
schema_now(struct local_row_stream *f, struct call *c, const struct source *s)
{
	const struct schema *now = NULL;

	if (catalog_find(f->local->catalog, c, s->bound.schema->table, &now) < 0) {
		c->error = (struct error){0};
		return NULL;
	}
	return now->id == s->bound.schema->id ? now : NULL;
}

static int
admit_all(struct local_row_stream *f, struct call *c)
{
	int r = 0;

	for (size_t i = 0; i < f->n && r == 0; i++) {
		struct source *s = &f->sources[i];

		r = select_admit(f->local, c, &s->bound, schema_now(f, c, s),
				 s->in->type == OP_QUERY ? &s->bound.condition.equal : NULL);
	}
	return r;
}

static void
pay_all(struct local_row_stream *f, struct call *c)
{
	for (size_t i = 0; i < f->n; i++) {
		struct source *s = &f->sources[i];

		if (s->reader.sum.bytes > 0) {
			(void)select_pay(f->local, c, op_read(s->in), &s->bound, &s->reader.sum);
		}
		s->reader.sum = (struct page_sum){0};
	}
}

/* ------------------------------------------------------------ the row stream */

static int
next_text(struct local_row_stream *f, struct call *c, struct buf *out, size_t bytes)
{
	if (f->counted) {
		(void)row_stream_text_end(&f->text, out);
		return ROW_STREAM_END;
	}
	if (f->broken != NULL) {
		return kv_cursor_status(f->broken->reader.cursor, c);
	}
	int r = admit_all(f, c);
	int damaged = 0;
	size_t had = out->len;

	if (r == 0 && !f->begun) {
		rewind_all(f);
	}
	if (r == 0) {
		r = read_row_stream_write_items(f, c, out, out->len + bytes);
		damaged = check_cursors(f, c);
	}
	pay_all(f, c);
	if (damaged < 0) {
		out->len = had;
		return damaged;
	}
	return r;
}

static int
read_row_stream_next(struct row_stream *row_stream, struct call *c, struct buf *out, size_t bytes)
{
	struct local_row_stream *f = (struct local_row_stream *)row_stream;

	return damage_seen(f->local, c, next_text(f, c, out, bytes));
}

static void
read_row_stream_close(struct row_stream *row_stream)
{
	struct local_row_stream *f = (struct local_row_stream *)row_stream;

	for (size_t i = 0; i < f->n_open; i++) {
		page_close(&f->sources[i].reader);
	}
	if (f->view.snapshot != NULL) {
		f->local->kv->ops->snapshot_free(f->local->kv, f->view.snapshot);
	}
	row_stream_text_release(&f->text);
	call_close(&f->item);
	call_close(&f->keep);
	free(f);
}

static const struct row_stream_ops row_stream_ops = {.next = read_row_stream_next,
						     .close = read_row_stream_close};

int
local_row_stream_open(struct engine *e, struct call *c, const struct row_stream_in *in,
		      struct row_stream **out)
{
	struct local_row_stream *f = mem_new(struct local_row_stream);

	f->row_stream.ops = &row_stream_ops;
	f->local = (struct local *)e;
	f->n = in->n;
	f->limit = in->limit;
	f->text.form = in->form;
	call_open(&f->keep, c->now_ms, SIZE_MAX);
	call_open(&f->item, c->now_ms, SIZE_MAX);
	f->sources = arena_new(&f->keep.arena, struct source, f->n);
	int r = read_row_stream_bind_all(f, in);

	if (r == 0) {
		f->view.snapshot = f->local->kv->ops->snapshot_new(f->local->kv);
		r = count_at_once(f);
	}
	if (r < 0) {
		r = call_adopt(c, &f->keep);
		read_row_stream_close(&f->row_stream);
		return r;
	}
	for (; !f->counted && f->n_open < f->n; f->n_open++) {
		struct source *s = &f->sources[f->n_open];

		s->bound.spec.view = &f->view;
		page_open(&s->reader, f->local, &s->bound.spec);
	}
	*out = &f->row_stream;
	return 0;
}
