/* tail - shards and their iterators; what a change looks like is the caller's */
#include "tools/tail.h"

#include <stdlib.h>

#include "store/base/buf.h"
#include "store/base/mem.h"

#include "tools/ctl.h"

struct shard {
	struct shard *next;
	struct buf id;       /* on the heap, as the iterator */
	struct buf iterator; /* empty: at the shard's end */
};

struct tail {
	struct engine *engine;
	struct buf stream; /* its ARN; on the heap */
	enum tail_from from;
	struct slice seq;
	struct shard *shards; /* those that have been seen, oldest first */
	bool begun;           /* shards that come from here on are read from their beginning */
};

static void
set(struct buf *b, struct slice s)
{
	buf_clear(b);
	buf_slice(b, s);
}

/* ------------------------------------------------------------ the stream */

/* The table's newest one. */
static int
find_stream(struct tail *t, struct call *c, struct slice table)
{
	struct list_streams_in in = {.table = table};
	struct list_streams_out out;

	do {
		out = (struct list_streams_out){0};
		int r = engine_list_streams(t->engine, c, &in, &out);

		if (r < 0) {
			return r;
		}
		if (out.n_streams > 0) {
			set(&t->stream, out.streams[out.n_streams - 1].arn);
		}
		in.start = out.last;
	} while (in.start.len > 0);
	return t->stream.len > 0
		       ? 0
		       : call_fail(c, ERR_VALIDATION,
				   "table %.*s has no stream: \"itemctl alter %.*s --stream VIEW\" "
				   "begins one",
				   SLICE_ARG(table), SLICE_ARG(table));
}

/* Sequence numbers are whole numbers of any length; -1, 0, 1. */
static int
compare(struct slice a, struct slice b)
{
	while (a.len > 0 && a.at[0] == '0') {
		a = slice_skip(a, 1);
	}
	while (b.len > 0 && b.at[0] == '0') {
		b = slice_skip(b, 1);
	}
	if (a.len != b.len) {
		return a.len < b.len ? -1 : 1;
	}
	return a.len == 0 ? 0 : memcmp(a.at, b.at, a.len);
}

/* Where in a shard that has just been seen reading begins; ITERATOR_NONE: it is not read. */
static enum iterator_type
place(const struct tail *t, const struct stream_shard *shard)
{
	bool closed = shard->last.len > 0;

	if (t->begun || t->from == TAIL_START) {
		return ITERATOR_TRIM_HORIZON;
	}
	if (t->from == TAIL_NOW) {
		return closed ? ITERATOR_NONE : ITERATOR_LATEST;
	}
	if (closed && compare(shard->last, t->seq) <= 0) {
		return ITERATOR_NONE;
	}
	return compare(shard->first, t->seq) <= 0 ? ITERATOR_AFTER_SEQUENCE_NUMBER
						  : ITERATOR_TRIM_HORIZON;
}

static int
begin_shard(struct tail *t, struct call *c, const struct stream_shard *shard, struct shard *own)
{
	struct get_shard_iterator_in in = {
		.stream = buf_view(&t->stream), .shard = shard->id, .type = place(t, shard)};
	struct get_shard_iterator_out out = {0};
	int r = 0;

	if (in.type == ITERATOR_AFTER_SEQUENCE_NUMBER) {
		in.seq = t->seq;
	}
	if (in.type != ITERATOR_NONE) {
		r = engine_get_shard_iterator(t->engine, c, &in, &out);
	}
	if (r == 0) {
		set(&own->iterator, out.iterator);
	}
	return r;
}

static struct shard **
place_of(struct tail *t, struct slice id)
{
	struct shard **at = &t->shards;

	while (*at != NULL && !slice_eq(buf_view(&(*at)->id), id)) {
		at = &(*at)->next;
	}
	return at;
}

/* Shards that have not been seen yet. */
static int
find_shards(struct tail *t, struct call *c)
{
	struct describe_stream_in in = {.stream = buf_view(&t->stream)};
	struct describe_stream_out out;

	do {
		out = (struct describe_stream_out){0};
		int r = engine_describe_stream(t->engine, c, &in, &out);

		for (size_t i = 0; r == 0 && i < out.n_shards; i++) {
			struct shard **at = place_of(t, out.shards[i].id);

			if (*at != NULL) {
				continue;
			}
			*at = mem_new(struct shard);
			set(&(*at)->id, out.shards[i].id);
			r = begin_shard(t, c, &out.shards[i], *at);
		}
		if (r < 0) {
			return r;
		}
		in.start_shard = out.last_shard;
	} while (in.start_shard.len > 0);
	t->begun = true;
	return 0;
}

int
tail_open(struct engine *e, struct call *c, struct slice table, enum tail_from from,
	  struct slice seq, struct tail **out)
{
	struct tail *t = mem_new(struct tail);

	*t = (struct tail){.engine = e, .from = from, .seq = seq};
	int r = find_stream(t, c, table);
	if (r == 0) {
		r = find_shards(t, c);
	}
	if (r < 0) {
		tail_close(t);
		return r;
	}
	*out = t;
	return 0;
}

void
tail_close(struct tail *t)
{
	struct shard *next;

	for (struct shard *s = t->shards; s != NULL; s = next) {
		next = s->next;
		buf_release(&s->id);
		buf_release(&s->iterator);
		free(s);
	}
	buf_release(&t->stream);
	free(t);
}

/* ------------------------------------------------------------ reading */

/* A page of a shard; @ended: it was its last. */
static int
read_shard(struct tail *t, struct call *c, struct shard *s, tail_fn *fn, void *arg, size_t *n,
	   bool *ended)
{
	struct get_records_in in = {.iterator = buf_view(&s->iterator)};
	struct get_records_out out = {0};
	int r = engine_get_records(t->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < out.n_records; i++) {
		++*n;
		if (!fn(arg, &out.records[i])) {
			return TAIL_STOP;
		}
	}
	set(&s->iterator, out.next);
	*ended = out.next.len == 0;
	return 0;
}

int
tail_round(struct tail *t, struct call *c, tail_fn *fn, void *arg, size_t *n)
{
	bool more_shards = false;
	int r = 0;

	*n = 0;
	for (struct shard *s = t->shards; s != NULL && r == 0; s = s->next) {
		struct call own;
		bool ended = false;

		if (s->iterator.len == 0) {
			continue;
		}
		call_open(&own, c->now_ms, CTL_BUDGET);
		r = read_shard(t, &own, s, fn, arg, n, &ended);
		if (r < 0) {
			r = ctl_adopt(c, &own);
		}
		call_close(&own);
		more_shards = more_shards || ended;
	}
	return r == 0 && more_shards ? find_shards(t, c) : r;
}
