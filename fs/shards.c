/*
 * shards - from DescribeStream and GetRecords to lines.  Behind it: records.c and tail.c.
 *
 * A shard's life:
 *
 *   FOUND --its parent is read--> READING --no NextShardIterator--> DONE
 *     ^                              |
 *     +--the iterator has expired----+
 *
 * Whenever one is done, its children are looked for.
 */
#include "fs/shards.h"

#include <assert.h>
#include <stdlib.h>

#include "store/base/mem.h"
#include "store/engine/change_line.h"

enum {
	PAGE = 100 /* records asked for at once, where the text is made a little ahead of who reads it */
};

enum shard_state { SHARD_FOUND, SHARD_READING, SHARD_DONE };

struct shard {
	enum shard_state state;
	struct buf id; /* on the heap, as the next three */
	struct buf parent;
	struct buf iterator;
	struct buf seq;  /* of the last record; empty: none was read */
	bool open;       /* it had no end when it was listed */
	bool newest;     /* its first iterator is LATEST */
	bool listed;     /* by the listing that is under way, or the last one */
	bool tip;        /* nothing more for now */
	unsigned barren; /* empty pages in a row */
};

struct shards {
	struct mount *m;
	struct arena arena; /* of the schema */
	const struct schema *schema;
	enum shards_from from;
	struct buf stream; /* its ARN; on the heap, as the next */
	struct buf after;  /* a listing goes on behind this shard */
	struct shard *at;  /* on the heap */
	size_t n;
	size_t cap;
	size_t turn;  /* whose turn it is */
	bool listing; /* they are to be listed, or listed on */
	bool asked;   /* they were, since the last tip */
	bool enabled; /* the stream is written into */
	bool lost;
};

static void
set(struct buf *b, struct slice s)
{
	buf_clear(b);
	buf_slice(b, s);
}

/* ------------------------------------------------------------ the list */

static void
shard_release(struct shard *sh)
{
	buf_release(&sh->id);
	buf_release(&sh->parent);
	buf_release(&sh->iterator);
	buf_release(&sh->seq);
}

static struct shard *
find(const struct shards *s, struct slice id)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_eq(buf_view(&s->at[i].id), id)) {
			return &s->at[i];
		}
	}
	return NULL;
}

static struct shard *
add(struct shards *s, const struct stream_shard *listed)
{
	if (s->n == s->cap) {
		s->cap = s->cap == 0 ? 8 : 2 * s->cap;
		s->at = mem_resized(s->at, s->cap, sizeof(s->at[0]));
	}
	struct shard *sh = &s->at[s->n++];

	*sh = (struct shard){.state = SHARD_FOUND};
	buf_init(&sh->id, NULL);
	buf_init(&sh->parent, NULL);
	buf_init(&sh->iterator, NULL);
	buf_init(&sh->seq, NULL);
	set(&sh->id, listed->id);
	set(&sh->parent, listed->parent);
	return sh;
}

/* Those that are read and that the server has forgotten, too. */
static void
forget_old(struct shards *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (s->at[i].state == SHARD_DONE && !s->at[i].listed) {
			shard_release(&s->at[i]);
		} else {
			s->at[n] = s->at[i];
			s->at[n++].listed = false;
		}
	}
	s->n = n;
}

/* One page of the list. */
static int
list(struct shards *s, struct call *c)
{
	struct describe_stream_in in = {.stream = buf_view(&s->stream),
					.start_shard = buf_view(&s->after)};
	struct describe_stream_out out = {0};
	int r = engine_describe_stream(s->m->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < out.n_shards; i++) {
		struct shard *sh = find(s, out.shards[i].id);

		sh = sh != NULL ? sh : add(s, &out.shards[i]);
		sh->open = out.shards[i].last.len == 0;
		sh->listed = true;
	}
	s->enabled = out.enabled;
	s->listing = out.last_shard.len > 0;
	set(&s->after, out.last_shard);
	if (!s->listing) {
		forget_old(s);
	}
	return 0;
}

/* ------------------------------------------------------------ one shard */

static int
begin(struct shards *s, struct call *c, struct shard *sh)
{
	struct get_shard_iterator_in in = {.stream = buf_view(&s->stream),
					   .shard = buf_view(&sh->id),
					   .seq = buf_view(&sh->seq),
					   .type = sh->seq.len > 0 ? ITERATOR_AFTER_SEQUENCE_NUMBER
						   : sh->newest    ? ITERATOR_LATEST
								   : ITERATOR_TRIM_HORIZON};
	struct get_shard_iterator_out out = {0};
	int r = engine_get_shard_iterator(s->m->engine, c, &in, &out);

	if (r == 0) {
		set(&sh->iterator, out.iterator);
		sh->state = SHARD_READING;
		sh->barren = 0;
	}
	return r;
}

static void
note_page(struct shards *s, struct shard *sh, const struct get_records_out *out)
{
	unsigned most = s->from == SHARDS_NEWEST ? 1 : SHARDS_EMPTY_MAX;

	sh->barren = out->n_records > 0 ? 0 : sh->barren + 1;
	sh->tip = sh->open && sh->barren >= most;
	if (out->n_records > 0) {
		set(&sh->seq, out->records[out->n_records - 1].seq);
	}
	set(&sh->iterator, out->next);
	if (out->next.len == 0) {
		sh->state = SHARD_DONE;
		s->asked = false;
	}
}

static int
next_page(struct shards *s, struct call *c, struct shard *sh, struct buf *text)
{
	struct get_records_in in = {.iterator = buf_view(&sh->iterator),
				    .limit = s->from == SHARDS_OLDEST ? PAGE : 0};
	struct get_records_out out = {0};
	int r = engine_get_records(s->m->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < out.n_records; i++) {
		change_line_put_record(text, s->schema, s->m->form.typed, &out.records[i]);
	}
	note_page(s, sh, &out);
	return 0;
}

/* Where a reader has been away for too long he goes on at what is left. */
static int
recover(struct shards *s, struct call *c, struct shard *sh, int r)
{
	bool trimmed = r == -ERR_TRIMMED;

	if (!trimmed && r != -ERR_EXPIRED_ITERATOR) {
		return r;
	}
	sh->state = SHARD_FOUND;
	if (trimmed && sh->seq.len == 0 && !sh->newest) {
		return r; /* not even at the horizon */
	}
	c->error = (struct error){0};
	s->lost = s->lost || trimmed || (sh->seq.len == 0 && sh->newest);
	if (trimmed) {
		buf_clear(&sh->seq);
		sh->newest = false;
	}
	return 0;
}

/* ------------------------------------------------------------ all of them */

static bool
is_ready(const struct shards *s, const struct shard *sh)
{
	if (sh->state == SHARD_DONE || sh->tip) {
		return false;
	}
	if (sh->state == SHARD_READING || sh->parent.len == 0) {
		return true;
	}
	const struct shard *parent = find(s, buf_view(&sh->parent));

	return parent == NULL || parent->state == SHARD_DONE;
}

static struct shard *
next_shard(struct shards *s)
{
	for (size_t i = 0; i < s->n; i++) {
		size_t k = (s->turn + i) % s->n;

		if (is_ready(s, &s->at[k])) {
			s->turn = s->from == SHARDS_NEWEST ? k + 1 : k;
			return &s->at[k];
		}
	}
	return NULL;
}

static bool
has_child(const struct shards *s, const struct shard *parent)
{
	for (size_t i = 0; i < s->n; i++) {
		if (slice_eq(buf_view(&s->at[i].parent), buf_view(&parent->id))) {
			return true;
		}
	}
	return false;
}

/* None can be read now: are there others, will there be? */
static int
rest(struct shards *s)
{
	bool all_done = true, grown_up = true;

	for (size_t i = 0; i < s->n; i++) {
		bool done = s->at[i].state == SHARD_DONE;

		all_done = all_done && done;
		grown_up = grown_up && (!done || has_child(s, &s->at[i]));
	}
	if (!s->asked && (all_done || !grown_up)) {
		s->asked = s->listing = true;
		return 0;
	}
	if (all_done && !s->enabled) {
		return SHARDS_END;
	}
	s->asked = false;
	for (size_t i = 0; i < s->n; i++) {
		s->at[i].tip = false;
	}
	return SHARDS_TIP;
}

int
shards_read(struct shards *s, struct call *c, struct buf *text)
{
	if (s->listing) {
		return list(s, c);
	}
	struct shard *sh = next_shard(s);

	if (sh == NULL) {
		return rest(s);
	}
	int r = sh->state == SHARD_FOUND ? begin(s, c, sh) : next_page(s, c, sh, text);

	return recover(s, c, sh, r);
}

bool
shards_lost(struct shards *s)
{
	bool lost = s->lost;

	s->lost = false;
	return lost;
}

/* ------------------------------------------------------------ opening, closing */

int
shards_none(struct call *c, struct slice table)
{
	int r = call_fail(
		c, ERR_VALIDATION,
		"table %.*s has no stream: \"itemctl alter %.*s --stream VIEW\" begins one",
		SLICE_ARG(table), SLICE_ARG(table));

	return r < 0 ? PLACE_NO_QUERY : r;
}

/* The places of now, while whoever opens waits. */
static int
begin_newest(struct shards *s, struct call *c)
{
	int r = 0;

	while (r == 0 && s->listing) {
		r = list(s, c);
	}
	for (size_t i = 0; i < s->n && r == 0; i++) {
		struct shard *sh = &s->at[i];

		sh->newest = sh->open;
		if (sh->open) {
			r = begin(s, c, sh);
		} else {
			sh->state = SHARD_DONE;
		}
	}
	return r;
}

int
shards_open(struct mount *m, struct call *c, const struct place *p, enum shards_from from,
	    struct shards **out)
{
	struct describe_table_in in = {.table = p->table};
	struct describe_table_out table = {0};
	int r = engine_describe_table(m->engine, c, &in, &table);

	if (r < 0) {
		return r;
	}
	assert(table.table.schema != NULL);
	if (table.table.schema->stream.view == STREAM_NONE || table.table.latest_stream.len == 0) {
		return shards_none(c, p->table);
	}
	struct shards *s = mem_new(struct shards);

	*s = (struct shards){.m = m, .from = from, .listing = true};
	arena_init(&s->arena, SIZE_MAX);
	s->schema = schema_copy(&s->arena, table.table.schema);
	buf_init(&s->stream, NULL);
	buf_init(&s->after, NULL);
	set(&s->stream, table.table.latest_stream);
	r = from == SHARDS_NEWEST ? begin_newest(s, c) : 0;
	if (r < 0) {
		shards_close(s);
		return r;
	}
	*out = s;
	return 0;
}

void
shards_close(struct shards *s)
{
	if (s == NULL) {
		return;
	}
	for (size_t i = 0; i < s->n; i++) {
		shard_release(&s->at[i]);
	}
	free(s->at);
	buf_release(&s->stream);
	buf_release(&s->after);
	arena_drop(&s->arena);
	free(s);
}
