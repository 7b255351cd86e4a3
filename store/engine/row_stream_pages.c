/*
 * row_stream_pages - a row stream over pages, see row_stream.h; merged.c reads the pages
 *
 * Each row_stream_next() requests at most one page. To count, pages without items are requested, one request after the
 * other. Otherwise a projection gets, in addition, the attributes by which several collections are merged. They are not
 * written.
 */
#include "store/engine/engine.h"
#include "store/engine/merged.h"
#include "store/engine/row_stream.h"
#include "store/engine/row_stream_text.h"
#include "store/model/item.h"
#include "store/model/schema.h"
#include "store/model/shard_order.h"
#include "store/op/op.h"

/* A placeholder that no user types. */
#define ALIAS "#itemfs_m"

struct paged_rows {
	struct row_stream row_stream; /* first */
	struct engine *engine;
	const struct row_stream_in *in;
	struct call keep;           /* memory of the requests */
	struct arena_mark prepared; /* after this: the start key of the next page to count */
	struct call item;           /* memory of the present item, or of the page that is counted */
	struct op_in *requests;
	struct shard_order order;
	struct shard_hidden hidden;
	struct merged *merged; /* NULL: read from the beginning next */
	const struct item *at; /* the item to write next; NULL: ask merged */
	size_t counted;        /* ROW_STREAM_COUNT: requests that are complete */
	struct row_stream_text text;
};

/* ------------------------------------------------------------ requests */

static void
ask_for_hidden(struct paged_rows *f)
{
	struct call *c = &f->keep;
	const struct read_in *first = op_read(f->requests);
	size_t n = first->ph.n_names;
	struct name_alias *names = arena_new(&c->arena, struct name_alias, n + SHARD_ORDER_MAX);
	struct buf text;

	f->hidden = shard_order_hidden(&f->order, &first->ph, first->projection);
	buf_init(&text, &c->arena);
	buf_slice(&text, first->projection);
	if (n > 0) {
		memcpy(names, first->ph.names, n * sizeof(names[0]));
	}
	for (size_t i = 0; i < f->hidden.n; i++) {
		struct buf alias;

		buf_init(&alias, &c->arena);
		buf_fmt(&alias, ALIAS "%zu", i);
		buf_str(&text, ", ");
		buf_slice(&text, buf_view(&alias));
		names[n++] = (struct name_alias){buf_view(&alias), f->hidden.names[i]};
	}
	for (size_t i = 0; i < f->in->n; i++) {
		struct read_in *read = op_read(&f->requests[i]);

		read->projection = buf_view(&text);
		read->ph.names = names;
		read->ph.n_names = n;
		read->ph.names_given = n > 0;
	}
}

/* A request with a projection stays as it is: with SELECT_COUNT, its placeholders would be unused. */
static void
ask_for_counts(struct paged_rows *f)
{
	for (size_t i = 0; i < f->in->n; i++) {
		struct read_in *read = op_read(&f->requests[i]);

		if (read->projection.len == 0) {
			read->select = SELECT_COUNT;
		}
	}
}

static void
row_stream_pages_prepare(struct paged_rows *f)
{
	const struct row_stream_in *in = f->in;
	const struct read_in *first;

	f->requests = arena_new(&f->keep.arena, struct op_in, in->n);
	memcpy(f->requests, in->requests, in->n * sizeof(f->requests[0]));
	first = op_read(f->requests);
	if (in->form == ROW_STREAM_COUNT) {
		ask_for_counts(f);
		return;
	}
	const struct index *ix =
		first->index.len == 0 ? NULL : schema_index(in->schema, first->index);

	f->order = shard_order(in->schema, schema_key(in->schema, ix));
	if (in->n > 1 && first->projection.len > 0) {
		ask_for_hidden(f);
	}
}

/* ------------------------------------------------------------ counting */

static bool
row_stream_pages_is_full(const struct paged_rows *f)
{
	return f->in->limit > 0 && f->text.n >= f->in->limit;
}

/* Counts the next page. */
static int
row_stream_pages_count_page(struct paged_rows *f, struct call *c)
{
	struct op_in *in = &f->requests[f->counted];
	struct op_out out = {.type = in->type};

	assert(f->counted < f->in->n);
	call_clear(&f->item);
	call_for(&f->item, c);
	int r = engine_execute(f->engine, &f->item, in, &out);

	if (r < 0) {
		return call_adopt(c, &f->item);
	}
	const struct page *page = op_page(in, &out);

	f->text.n += page->count;
	arena_reset(&f->keep.arena, f->prepared);
	op_read(in)->start = item_copy(&f->keep.arena, &page->last);
	f->counted += page->last.n == 0;
	return 0;
}

static int
next_count(struct paged_rows *f, struct call *c, struct buf *out)
{
	int r = row_stream_pages_count_page(f, c);

	if (r < 0 || (f->counted < f->in->n && !row_stream_pages_is_full(f))) {
		return r;
	}
	f->text.n = row_stream_pages_is_full(f) ? f->in->limit : f->text.n;
	(void)row_stream_text_end(&f->text, out);
	return ROW_STREAM_END;
}

/* ------------------------------------------------------------ items */

static void
row_stream_pages_begin(struct paged_rows *f)
{
	for (size_t i = 0; i < f->in->n; i++) {
		op_read(&f->requests[i])->start = (struct item){.n = 0};
	}
	f->merged = merged_open(&(struct merged_in){
		.engine = f->engine,
		.requests = f->requests,
		.n = f->in->n,
		.order = &f->order,
		.backward = f->requests->type == OP_QUERY && f->requests->query.backward,
		.most = f->in->limit,
		.now_ms = f->keep.now_ms,
	});
}

static int
row_stream_pages_write_item(struct paged_rows *f, struct call *c, struct buf *out)
{
	struct item rest = *f->at;

	call_clear(&f->item);
	if (f->hidden.n > 0) {
		rest = shard_order_shown(&f->item.arena, &f->hidden, f->at);
	}
	int r = row_stream_text_item(&f->text, &f->item, out, &rest);

	if (r < 0) {
		return call_adopt(c, &f->item);
	}
	f->at = NULL;
	return 0;
}

static int
end_of_items(struct paged_rows *f, struct buf *out)
{
	merged_close(f->merged);
	f->merged = NULL;
	return row_stream_text_end(&f->text, out) ? 0 : ROW_STREAM_END;
}

static int
next_items(struct paged_rows *f, struct call *c, struct buf *out, size_t until)
{
	bool asked = false;
	int r = 0;

	while (r == 0 && out->len < until) {
		int found = f->at != NULL                 ? 0
			    : row_stream_pages_is_full(f) ? MERGED_END
							  : merged_next(f->merged, &f->at);

		if (found == MERGED_END) {
			return end_of_items(f, out);
		}
		if (found == MERGED_READ && asked) {
			return 0;
		}
		asked = asked || found == MERGED_READ;
		r = found == MERGED_READ ? merged_read(f->merged, c)
					 : row_stream_pages_write_item(f, c, out);
	}
	return r;
}

static int
row_stream_pages_next(struct row_stream *row_stream, struct call *c, struct buf *out, size_t bytes)
{
	struct paged_rows *f = (struct paged_rows *)row_stream;

	if (f->text.form == ROW_STREAM_COUNT) {
		return next_count(f, c, out);
	}
	if (f->merged == NULL) {
		row_stream_pages_begin(f);
	}
	return next_items(f, c, out, out->len + bytes);
}

/* ------------------------------------------------------------ */

static void
row_stream_pages_close(struct row_stream *row_stream)
{
	struct paged_rows *f = (struct paged_rows *)row_stream;

	merged_close(f->merged);
	row_stream_text_release(&f->text);
	call_close(&f->item);
	call_close(&f->keep);
	free(f);
}

static const struct row_stream_ops row_stream_ops = {.next = row_stream_pages_next,
						     .close = row_stream_pages_close};

struct row_stream *
row_stream_pages_open(struct engine *e, struct call *c, const struct row_stream_in *in)
{
	struct paged_rows *f = mem_new(struct paged_rows);

	assert(in->n > 0);
	f->row_stream.ops = &row_stream_ops;
	f->engine = e;
	f->in = in;
	call_open(&f->keep, c->now_ms, SIZE_MAX);
	call_open(&f->item, c->now_ms, SIZE_MAX);
	row_stream_pages_prepare(f);
	f->prepared = arena_mark(&f->keep.arena);
	row_stream_text_init(&f->text, in, &in->schema->key);
	f->text.living = true;
	return &f->row_stream;
}
