/*
 * records - see records.h
 *
 * producer.c reads this row stream.
 */
#include "fs/made/records.h"

#include "store/base/core/clock.h"
#include "store/engine/change_line.h"
#include "store/engine/engine.h"
#include "store/engine/stream_walk.h"
#include "store/model/schema.h"

enum {
	PAGE = 100, /* records per request: the text is made a little ahead of the reader */
	PAGE_BUDGET = 64 * 1024 * 1024,
	/* Waiting READs are answered after each turn, since an endpoint may be slow. */
	TURN_NS = 10 * NS_PER_MS,
};

struct records {
	struct row_stream row_stream; /* first */
	struct stream_walk *walk;
	struct arena arena; /* memory of the schema */
	const struct schema *schema;
	bool typed;
};

static int
records_step(struct records *r, struct call *c, struct buf *out)
{
	struct stream_walk_page page;
	struct call own;

	call_open(&own, c->now_ms, PAGE_BUDGET);
	call_for(&own, c);
	int e = stream_walk_next(r->walk, &own, &page);

	for (size_t i = 0; i < page.n; i++) {
		change_line_put(out, r->schema, r->typed, &page.records[i]);
	}
	if (e < 0) {
		e = call_adopt(c, &own);
	}
	call_close(&own);
	return e;
}

static int
records_next(struct row_stream *f, struct call *c, struct buf *out, size_t bytes)
{
	uint64_t end_ns = clock_steady_ns() + TURN_NS;
	size_t enough = out->len + bytes;
	int e = 0;

	while (e == 0 && out->len < enough && clock_steady_ns() < end_ns) {
		e = records_step((struct records *)f, c, out);
	}
	return e > 0 ? ROW_STREAM_END : e;
}

static void
close_records(struct row_stream *f)
{
	struct records *r = (struct records *)f;

	stream_walk_close(r->walk);
	arena_drop(&r->arena);
	free(r);
}

static const struct row_stream_ops records_ops = {.next = records_next, .close = close_records};

int
records_none(struct call *c, struct slice table)
{
	int r = stream_walk_none(c, table);

	return r < 0 ? PLACE_NO_QUERY : r;
}

int
records_stream(struct mount *m, struct call *c, const struct place *p, const struct schema **schema,
	       struct slice *arn)
{
	struct describe_table_in in = {.table = p->table};
	struct describe_table_out table = {0};
	int r = engine_describe_table(m->engine, c, &in, &table);

	if (r < 0) {
		return r;
	}
	assert(table.table.schema != NULL);
	*schema = table.table.schema;
	*arn = table.table.latest_stream;
	return (*schema)->stream.view == STREAM_NONE || arn->len == 0 ? records_none(c, p->table)
								      : 0;
}

int
records_row_stream(struct mount *m, struct call *c, const struct place *p, struct row_stream **out)
{
	struct stream_walk_in in = {.from = STREAM_WALK_OLDEST, .limit = PAGE};
	const struct schema *schema = NULL;
	struct stream_walk *walk = NULL;
	int e = records_stream(m, c, p, &schema, &in.stream);

	if (e == 0) {
		e = stream_walk_open(m->engine, c, &in, &walk);
	}
	if (e != 0) {
		return e;
	}
	struct records *r = mem_new(struct records);

	*r = (struct records){
		.row_stream = {.ops = &records_ops}, .walk = walk, .typed = m->form.typed};
	arena_init(&r->arena, SIZE_MAX);
	r->schema = schema_copy(&r->arena, schema);
	*out = &r->row_stream;
	return 0;
}
