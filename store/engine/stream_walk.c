/*
 * stream_walk - see stream_walk.h; uses DescribeStream, GetShardIterator and GetRecords
 *
 * The states of a shard:
 *
 *   FOUND --its parent is read--> READING --no NextShardIterator--> DONE
 *     ^                              |
 *     +--the iterator has expired----+
 *
 * When a shard is DONE, the shards are listed again to find its children. A shard that the server does not find and
 * does not list any more is gone.
 */
#include "store/engine/stream_walk.h"

#include "store/engine/engine.h"

enum shard_state { SHARD_FOUND, SHARD_READING, SHARD_DONE };

struct shard {
	enum shard_state state;
	struct buf id; /* on the heap, as the next three */
	struct buf parent;
	struct buf iterator;
	struct buf seq;  /* of the last record; empty: none was read */
	bool open;       /* it had no last sequence number when it was listed */
	bool newest;     /* its first iterator is LATEST */
	bool listed;     /* by the present listing, or the last one */
	bool tip;        /* no more records for now */
	bool doubted;    /* the server did not find it: the next listing decides */
	unsigned barren; /* empty pages in a row */
};

struct stream_walk {
	struct engine *engine;
	bool goes_on;
	uint32_t limit;
	struct buf stream; /* its ARN; on the heap, as the next two */
	struct buf after;  /* STREAM_WALK_AFTER: the number; empty after the first listing */
	struct buf listed; /* the listing continues after this shard */
	struct shard *at;  /* on the heap */
	size_t n;
	size_t cap;
	size_t turn;  /* index of the shard to try first */
	bool listing; /* list the shards, or go on listing, next */
	bool asked;   /* they were listed since the last tip */
	bool enabled; /* the stream gets new records */
	bool reached; /* a shard may have the change "after" */
	bool lost;
};

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
stream_walk_find(const struct stream_walk *w, struct slice id)
{
	for (size_t i = 0; i < w->n; i++) {
		if (slice_eq(buf_view(&w->at[i].id), id)) {
			return &w->at[i];
		}
	}
	return NULL;
}

/* Compares sequence numbers, whole numbers of any length; Return: < 0, 0, > 0 */
static int
stream_walk_compare(struct slice a, struct slice b)
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

/* Skips the records of a shard up to the number; a shard that begins after it is read completely. */
static void
begin_after(struct stream_walk *w, struct shard *sh, const struct stream_shard *listed)
{
	struct slice after = buf_view(&w->after);

	if (stream_walk_compare(listed->first, after) > 0) {
		return;
	}
	w->reached = true;
	if (listed->last.len > 0 && stream_walk_compare(listed->last, after) <= 0) {
		sh->state = SHARD_DONE;
	} else {
		buf_set(&sh->seq, after);
	}
}

static struct shard *
stream_walk_add(struct stream_walk *w, const struct stream_shard *listed)
{
	if (w->n == w->cap) {
		w->cap = w->cap == 0 ? 8 : 2 * w->cap;
		w->at = mem_resized(w->at, w->cap, sizeof(w->at[0]));
	}
	struct shard *sh = &w->at[w->n++];

	*sh = (struct shard){.state = SHARD_FOUND};
	buf_set(&sh->id, listed->id);
	buf_set(&sh->parent, listed->parent);
	if (w->after.len > 0) {
		begin_after(w, sh, listed);
	}
	return sh;
}

/* Removes shards that are not listed any more, if they are DONE or the server does not find them. */
static void
forget_old(struct stream_walk *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++) {
		bool gone = w->at[i].doubted && !w->at[i].listed;

		w->lost = w->lost || gone;
		if (gone || (w->at[i].state == SHARD_DONE && !w->at[i].listed)) {
			shard_release(&w->at[i]);
		} else {
			w->at[n] = w->at[i];
			w->at[n++].listed = false;
		}
	}
	w->n = n;
}

/* Reads one page of the list of shards. */
static int
stream_walk_list(struct stream_walk *w, struct call *c)
{
	struct describe_stream_in in = {.stream = buf_view(&w->stream),
					.start_shard = buf_view(&w->listed)};
	struct describe_stream_out out = {0};
	int r = engine_describe_stream(w->engine, c, &in, &out);

	if (r < 0) {
		return r;
	}
	for (size_t i = 0; i < out.n_shards; i++) {
		struct shard *sh = stream_walk_find(w, out.shards[i].id);

		sh = sh != NULL ? sh : stream_walk_add(w, &out.shards[i]);
		sh->open = out.shards[i].last.len == 0;
		sh->tip = sh->tip && sh->open;
		sh->listed = true;
	}
	w->enabled = out.enabled;
	w->listing = out.last_shard.len > 0;
	buf_set(&w->listed, out.last_shard);
	if (!w->listing) {
		forget_old(w);
		/* The shard with that number is gone, and perhaps later ones, too. */
		w->lost = w->lost || (w->after.len > 0 && !w->reached);
		buf_clear(&w->after);
	}
	return 0;
}

/* ------------------------------------------------------------ one shard */

static int
stream_walk_begin(struct stream_walk *w, struct call *c, struct shard *sh)
{
	struct get_shard_iterator_in in = {.stream = buf_view(&w->stream),
					   .shard = buf_view(&sh->id),
					   .seq = buf_view(&sh->seq),
					   .type = sh->seq.len > 0 ? ITERATOR_AFTER_SEQUENCE_NUMBER
						   : sh->newest    ? ITERATOR_LATEST
								   : ITERATOR_TRIM_HORIZON};
	struct get_shard_iterator_out out = {0};
	int r = engine_get_shard_iterator(w->engine, c, &in, &out);

	if (r == 0) {
		buf_set(&sh->iterator, out.iterator);
		sh->state = SHARD_READING;
		sh->barren = 0;
	}
	return r;
}

static void
note_page(struct stream_walk *w, struct shard *sh, const struct get_records_out *out)
{
	unsigned most = w->goes_on ? 1 : STREAM_WALK_EMPTY_MAX;

	assert(sh->state == SHARD_READING);
	sh->barren = out->n_records > 0 ? 0 : sh->barren + 1;
	sh->tip = sh->open && sh->barren >= most;
	if (out->n_records > 0) {
		buf_set(&sh->seq, out->records[out->n_records - 1].seq);
	}
	buf_set(&sh->iterator, out->next);
	if (out->next.len == 0) {
		sh->state = SHARD_DONE;
		w->asked = false;
	}
}

static int
stream_walk_next_page(struct stream_walk *w, struct call *c, struct shard *sh,
		      struct stream_walk_page *page)
{
	struct get_records_in in = {.iterator = buf_view(&sh->iterator), .limit = w->limit};
	struct get_records_out out = {0};
	int r = engine_get_records(w->engine, c, &in, &out);

	if (r == 0) {
		*page = (struct stream_walk_page){out.records, out.n_records};
		note_page(w, sh, &out);
	}
	return r;
}

/* The server does not find a shard: list the shards to see whether it is gone. The second time, report the error. */
static int
doubt(struct stream_walk *w, struct call *c, struct shard *sh, int r)
{
	sh->doubted = !sh->doubted;
	if (!sh->doubted) {
		return r;
	}
	c->error = (struct error){0};
	w->listing = true;
	return 0;
}

/* After an expired iterator or trimmed records, goes on with the records that are left. */
static int
stream_walk_recover(struct stream_walk *w, struct call *c, struct shard *sh, int r)
{
	bool trimmed = r == -ERR_TRIMMED;
	bool at_horizon = sh->seq.len == 0 && !sh->newest;

	if (r == 0) {
		sh->doubted = false;
	}
	if (r == -ERR_NO_TABLE || (trimmed && at_horizon)) {
		sh->state = SHARD_FOUND;
		return doubt(w, c, sh, r);
	}
	if (!trimmed && r != -ERR_EXPIRED_ITERATOR) {
		return r;
	}
	sh->state = SHARD_FOUND;
	c->error = (struct error){0};
	w->lost = w->lost || trimmed || (sh->seq.len == 0 && sh->newest);
	if (trimmed) {
		buf_clear(&sh->seq);
		sh->newest = false;
	}
	return 0;
}

/* ------------------------------------------------------------ all of them */

static bool
stream_walk_is_ready(const struct stream_walk *w, const struct shard *sh)
{
	if (sh->state == SHARD_DONE || sh->tip) {
		return false;
	}
	if (sh->state == SHARD_READING || sh->parent.len == 0) {
		return true;
	}
	const struct shard *parent = stream_walk_find(w, buf_view(&sh->parent));

	return parent == NULL || parent->state == SHARD_DONE;
}

static struct shard *
next_shard(struct stream_walk *w)
{
	for (size_t i = 0; i < w->n; i++) {
		size_t k = (w->turn + i) % w->n;

		if (stream_walk_is_ready(w, &w->at[k])) {
			w->turn = w->goes_on ? k + 1 : k;
			return &w->at[k];
		}
	}
	return NULL;
}

static bool
has_child(const struct stream_walk *w, const struct shard *parent)
{
	for (size_t i = 0; i < w->n; i++) {
		if (slice_eq(buf_view(&w->at[i].parent), buf_view(&parent->id))) {
			return true;
		}
	}
	return false;
}

/* No shard can be read now: lists the shards once for new ones and ended ones, then returns TIP or END. */
static int
rest(struct stream_walk *w)
{
	bool all_done = true, grown_up = true;

	for (size_t i = 0; i < w->n; i++) {
		bool done = w->at[i].state == SHARD_DONE;

		all_done = all_done && done;
		grown_up = grown_up && (!done || has_child(w, &w->at[i]));
	}
	if (!w->asked && (all_done || !grown_up || !w->goes_on)) {
		w->asked = w->listing = true;
		return 0;
	}
	if (all_done && !w->enabled) {
		return STREAM_WALK_END;
	}
	w->asked = false;
	for (size_t i = 0; i < w->n; i++) {
		w->at[i].tip = false;
	}
	return STREAM_WALK_TIP;
}

int
stream_walk_next(struct stream_walk *w, struct call *c, struct stream_walk_page *page)
{
	*page = (struct stream_walk_page){0};
	if (w->listing) {
		return stream_walk_list(w, c);
	}
	struct shard *sh = next_shard(w);

	if (sh == NULL) {
		return rest(w);
	}
	int r = sh->state == SHARD_FOUND ? stream_walk_begin(w, c, sh)
					 : stream_walk_next_page(w, c, sh, page);

	return stream_walk_recover(w, c, sh, r);
}

bool
stream_walk_lost(struct stream_walk *w)
{
	bool lost = w->lost;

	w->lost = false;
	return lost;
}

int
stream_walk_none(struct call *c, struct slice table)
{
	return call_fail(
		c, ERR_VALIDATION,
		"table %.*s has no stream; to enable one: itemctl alter %.*s --stream NEW_AND_OLD_IMAGES",
		SLICE_ARG(table), SLICE_ARG(table));
}

/* ------------------------------------------------------------ opening, closing */

/* Gets an iterator at the end of each open shard. */
static int
begin_newest(struct stream_walk *w, struct call *c)
{
	int r = 0;

	while (r == 0 && w->listing) {
		r = stream_walk_list(w, c);
	}
	for (size_t i = 0; i < w->n && r == 0; i++) {
		struct shard *sh = &w->at[i];

		sh->newest = sh->open;
		if (sh->open) {
			r = stream_walk_begin(w, c, sh);
		} else {
			sh->state = SHARD_DONE;
		}
	}
	return r;
}

int
stream_walk_open(struct engine *e, struct call *c, const struct stream_walk_in *in,
		 struct stream_walk **out)
{
	struct stream_walk *w = mem_new(struct stream_walk);

	*w = (struct stream_walk){
		.engine = e, .goes_on = in->goes_on, .limit = in->limit, .listing = true};
	buf_set(&w->stream, in->stream);
	if (in->from == STREAM_WALK_AFTER) {
		buf_set(&w->after, in->after);
	}
	int r = in->from == STREAM_WALK_NEWEST ? begin_newest(w, c) : 0;

	if (r < 0) {
		stream_walk_close(w);
		return r;
	}
	*out = w;
	return 0;
}

void
stream_walk_close(struct stream_walk *w)
{
	if (w == NULL) {
		return;
	}
	for (size_t i = 0; i < w->n; i++) {
		shard_release(&w->at[i]);
	}
	free(w->at);
	buf_release(&w->stream);
	buf_release(&w->after);
	buf_release(&w->listed);
	free(w);
}
