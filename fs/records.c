/*
 * records - from GetRecords to lines.  Behind it: outflow.c.
 */
#include "fs/records.h"

#include <stdlib.h>

#include "store/base/mem.h"
#include "store/engine/change_line.h"

enum {
	PAGE = 100, /* records asked for at once */
	PAGE_BUDGET = 64 * 1024 * 1024,
};

struct records {
	struct flow flow; /* first */
	struct mount *m;
	const struct schema *schema;
	struct buf stream;   /* its ARN; on the heap, as the next two */
	struct buf shard;    /* the one that is read; empty: none yet */
	struct buf iterator; /* in it; empty: at its end */
	bool open;           /* more may be written into the shard */
	bool end;            /* of all shards */
};

int
records_stat(struct call *c, const struct place *p)
{
	if (p->schema->stream.view != STREAM_NONE) {
		return 0;
	}
	int r = call_fail(
		c, ERR_VALIDATION,
		"table %.*s has no stream: \"itemctl alter %.*s --stream VIEW\" begins one",
		SLICE_ARG(p->table), SLICE_ARG(p->table));

	return r < 0 ? PLACE_NO_QUERY : r;
}

static void
set(struct buf *b, struct slice s)
{
	buf_clear(b);
	buf_slice(b, s);
}

/* ------------------------------------------------------------ the stream, shard by shard */

/* The newest stream of the table. */
static int
find_stream(struct records *r, struct call *c)
{
	struct list_streams_in in = {.table = r->schema->table};
	struct list_streams_out out;

	do {
		out = (struct list_streams_out){0};
		int e = engine_list_streams(r->m->engine, c, &in, &out);

		if (e < 0) {
			return e;
		}
		if (out.n_streams > 0) {
			set(&r->stream, out.streams[out.n_streams - 1].arn);
		}
		in.start = out.last;
	} while (in.start.len > 0);
	r->end = r->stream.len == 0;
	return 0;
}

/* The shard after the one that was read, from its oldest record on. */
static int
next_shard(struct records *r, struct call *c)
{
	struct describe_stream_in in = {
		.stream = buf_view(&r->stream), .start_shard = buf_view(&r->shard), .limit = 1};
	struct describe_stream_out out = {0};
	int e = engine_describe_stream(r->m->engine, c, &in, &out);

	if (e < 0) {
		return e;
	}
	r->end = out.n_shards == 0;
	if (r->end) {
		return 0;
	}
	struct get_shard_iterator_in from = {.stream = buf_view(&r->stream),
					     .shard = out.shards[0].id,
					     .type = ITERATOR_TRIM_HORIZON};
	struct get_shard_iterator_out got = {0};

	e = engine_get_shard_iterator(r->m->engine, c, &from, &got);
	if (e == 0) {
		r->open = out.shards[0].last.len == 0;
		set(&r->shard, out.shards[0].id);
		set(&r->iterator, got.iterator);
	}
	return e;
}

static void
put_record(struct buf *out, const struct records *r, const struct stream_record *record)
{
	change_line_put(out, r->schema, r->m->form.typed,
			&(struct change_line){
				.event = record->event,
				.seq = record->seq,
				.service = record->service,
				.keys = record->keys,
				.new_image = record->new_image,
				.old_image = record->old_image,
			});
}

/* A page without records is the end of a shard that is written into, for now. */
static int
next_page(struct records *r, struct call *c, struct buf *text)
{
	struct get_records_in in = {.iterator = buf_view(&r->iterator), .limit = PAGE};
	struct get_records_out out = {0};
	int e = engine_get_records(r->m->engine, c, &in, &out);

	if (e < 0) {
		return e;
	}
	for (size_t i = 0; i < out.n_records; i++) {
		put_record(text, r, &out.records[i]);
	}
	set(&r->iterator, out.n_records == 0 && r->open ? slice_of(NULL, 0) : out.next);
	return 0;
}

static int
more(struct records *r, struct call *c, struct buf *text)
{
	if (r->stream.len == 0) {
		return find_stream(r, c);
	}
	return r->iterator.len == 0 ? next_shard(r, c) : next_page(r, c, text);
}

/* ------------------------------------------------------------ the flow */

static int
next(struct flow *f, struct call *c, struct buf *out, size_t bytes)
{
	struct records *r = (struct records *)f;
	size_t enough = out->len + bytes;
	int e = 0;

	while (e == 0 && !r->end && out->len < enough) {
		struct call own;

		call_open(&own, c->now_ms, PAGE_BUDGET);
		e = more(r, &own, out);
		if (e < 0) {
			e = call_fail(c, own.error.code, "%s", own.error.message);
		}
		call_close(&own);
	}
	return e == 0 && r->end ? FLOW_END : e;
}

static void
close_records(struct flow *f)
{
	struct records *r = (struct records *)f;

	buf_release(&r->stream);
	buf_release(&r->shard);
	buf_release(&r->iterator);
	free(r);
}

static const struct flow_ops records_ops = {.next = next, .close = close_records};

struct flow *
records_flow(struct mount *m, const struct place *p)
{
	struct records *r = mem_new(struct records);

	*r = (struct records){.flow = {.ops = &records_ops}, .m = m, .schema = p->schema};
	buf_init(&r->stream, NULL);
	buf_init(&r->shard, NULL);
	buf_init(&r->iterator, NULL);
	return &r->flow;
}
