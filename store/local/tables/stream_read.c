/*
 * stream_read - ListStreams, DescribeStream, GetShardIterator, GetRecords
 *
 * Each request reads the store through one snapshot and keeps nothing in memory,
 * so the number of streams and readers is not limited.  Records older than a day
 * are not returned, whether they were deleted already (stream_trim.c) or not.
 */
#include "store/base/core/clock.h"
#include "store/local/commit/txn.h"
#include "store/local/jobs/tasks.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/local_int.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/local/tables/stream_place.h"
#include "store/model/arn.h"
#include "store/model/limits.h"
#include "store/model/stream_arn.h"

enum { OLD_MAX = 100000 }; /* at most this number of expired records are skipped in a page */

/* A stream that was found. */
struct found {
	struct slice table;
	uint64_t label_ms;
	struct stream_state state;
};

static struct stream_name
stream_read_name_of(struct call *c, struct slice table, uint64_t label_ms)
{
	struct buf arn = {.arena = &c->arena};
	struct buf label = {.arena = &c->arena};

	stream_arn_put(&arn, c->region, table, label_ms);
	clock_put(&label, label_ms);
	return (struct stream_name){buf_view(&arn), slice_copy(&c->arena, table), buf_view(&label)};
}

/* Return: 0; KV_ABSENT: there is none, or it has expired; < 0 */
static int
stream_read_find_stream(struct call *c, const struct kv_view *look, struct slice arn,
			struct found *out)
{
	struct buf value = {.arena = &c->arena};

	if (!stream_arn_read(arn, &out->table, &out->label_ms)) {
		return KV_ABSENT;
	}
	struct slice key = stream_key(&c->arena, out->table, &out->label_ms);
	int r = kv_get(look->kv, c, look->at, key, &value);

	if (r == 0) {
		r = stream_decode(c, buf_view(&value), &out->state);
	}
	return r == 0 && stream_gone(&out->state, c->now_ms) ? KV_ABSENT : r;
}

static int
no_stream(struct call *c, struct slice arn)
{
	return call_fail(c, ERR_NO_TABLE, "Requested resource not found: Stream: %.*s not found",
			 SLICE_ARG(arn));
}

/* ------------------------------------------------------------ ListStreams */

/* Return: the key to begin at, of those with @prefix */
static struct slice
list_from(struct call *c, const struct list_streams_in *in, struct slice prefix)
{
	struct buf from = {.arena = &c->arena};
	struct slice table;
	uint64_t label;

	if (stream_arn_read(in->start, &table, &label)) {
		buf_slice(&from, stream_key(&c->arena, table, &label));
		buf_char(&from, '\0');
	}
	return slice_cmp(buf_view(&from), prefix) < 0 ? prefix : buf_view(&from);
}

/* @cur is at a stream.  Return: 0; 1: the stream has expired; < 0 */
static int
stream_read_list_one(struct call *c, struct kv_cursor *cur, struct stream_name *out)
{
	struct stream_state state;
	struct slice table;
	uint64_t label;
	int r = stream_parse_key(c, kv_cursor_key(cur), &table, &label);

	if (r == 0) {
		r = stream_decode(c, kv_cursor_value(cur), &state);
	}
	if (r < 0 || stream_gone(&state, c->now_ms)) {
		return r < 0 ? r : 1;
	}
	*out = stream_read_name_of(c, table, label);
	return 0;
}

int
local_exec_list_streams(struct local *l, struct call *c, const struct list_streams_in *in,
			struct list_streams_out *out)
{
	size_t limit = in->limit == 0 ? LIMIT_LIST_STREAMS : in->limit;
	struct stream_name *streams = arena_new(&c->arena, struct stream_name, limit + 1);
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(l->kv, NULL);
	struct slice prefix =
		in->table.len > 0 ? stream_key(&c->arena, arn_table(in->table), NULL)
				  : keyspace_name(&c->arena, KEYSPACE_STREAM, slice_of(NULL, 0));
	size_t n = 0;
	int r = 0;

	kv_cursor_seek(cur, list_from(c, in, prefix));
	for (; r >= 0 && n <= limit && kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		r = stream_read_list_one(c, cur, &streams[n]);
		n += r == 0;
	}
	r = kv_cursor_end(cur, c, r);
	if (r < 0) {
		return r;
	}
	*out = (struct list_streams_out){.streams = streams, .n_streams = n};
	if (n > limit) {
		out->n_streams = limit;
		out->last = streams[limit - 1].arn;
	}
	return 0;
}

/* ------------------------------------------------------------ DescribeStream */

int
local_exec_describe_stream(struct local *l, struct call *c, const struct describe_stream_in *in,
			   struct describe_stream_out *out)
{
	cleanup(kv_view_close) struct kv_view look = kv_view_open(l->kv);
	struct stream_shard *shard = arena_new(&c->arena, struct stream_shard, 1);
	struct found f;
	int r = stream_read_find_stream(c, &look, in->stream, &f);

	if (r != 0) {
		return r < 0 ? r : no_stream(c, in->stream);
	}
	*shard = (struct stream_shard){
		.id = stream_shard(&c->arena, f.state.id, f.label_ms),
		.first = stream_seq(&c->arena, f.state.id),
	};
	if (f.state.ended_seq != 0) {
		shard->last = stream_seq(&c->arena, f.state.ended_seq);
	}
	*out = (struct describe_stream_out){
		.name = stream_read_name_of(c, f.table, f.label_ms),
		.enabled = f.state.ended_seq == 0,
		.view = f.state.view,
		.created_ms = f.label_ms,
		.pk = f.state.pk,
		.sk = f.state.sk,
		.shards = shard,
		/* The only shard has no parent. */
		.n_shards = !in->filtered && slice_cmp(in->start_shard, shard->id) < 0,
	};
	return 0;
}

/* ------------------------------------------------------------ GetShardIterator */

static int
trimmed(struct call *c)
{
	return call_fail(
		c, ERR_TRIMMED,
		"The operation attempted to read past the oldest stream record in a shard.");
}

/* Return: 0; -ERR_TRIMMED: the first record at or after @p has been deleted or is too old; < 0 */
static int
stream_read_check_place(struct call *c, const struct kv_view *look, const struct stream_state *s,
			const struct stream_place *p)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(look->kv, look->at);
	struct stream_entry e = {0};

	if (p->seq <= s->trimmed) {
		return trimmed(c);
	}
	kv_cursor_seek(cur, stream_record_key(&c->arena, s->id, &p->seq));
	if (!kv_cursor_in(cur, stream_record_key(&c->arena, s->id, NULL))) {
		return kv_cursor_status(cur, c);
	}
	int r = kv_cursor_end(cur, c, stream_entry_decode(c, kv_cursor_value(cur), &e));

	return r == 0 && stream_old(e.time_ms, c->now_ms) ? trimmed(c) : r;
}

/* Set @p to the sequence number of the request. */
static int
place_by_number(struct call *c, const struct kv_view *look, const struct get_shard_iterator_in *in,
		const struct stream_state *s, struct stream_place *p)
{
	uint64_t newest = s->ended_seq;
	uint64_t seq;
	int r = newest != 0 ? 0 : txn_stored_seq(c, look->kv, look->at, &newest);

	if (r < 0) {
		return r;
	}
	if (!stream_read_seq(in->seq, &seq) || seq < s->id || seq > newest) {
		return call_fail(c, ERR_VALIDATION, "Invalid SequenceNumber for the shard");
	}
	p->seq = seq + (in->type == ITERATOR_AFTER_SEQUENCE_NUMBER);
	return stream_read_check_place(c, look, s, p);
}

int
local_exec_get_shard_iterator(struct local *l, struct call *c,
			      const struct get_shard_iterator_in *in,
			      struct get_shard_iterator_out *out)
{
	cleanup(kv_view_close) struct kv_view look = kv_view_open(l->kv);
	struct found f;
	int r = stream_read_find_stream(c, &look, in->stream, &f);

	if (r != 0) {
		return r < 0 ? r : call_fail(c, ERR_NO_TABLE, "Stream does not exist");
	}
	if (!slice_eq(in->shard, stream_shard(&c->arena, f.state.id, f.label_ms))) {
		return call_fail(c, ERR_NO_TABLE, "Shard does not exist");
	}
	struct stream_place p = {.stream = f.state.id, .made_ms = c->now_ms};

	if (in->type == ITERATOR_TRIM_HORIZON) {
		p.seq = f.state.id;
		p.horizon = true;
	} else if (in->type == ITERATOR_LATEST) {
		r = txn_stored_seq(c, look.kv, look.at, &p.seq);
		p.seq++;
	} else {
		r = place_by_number(c, &look, in, &f.state, &p);
	}
	if (r == 0) {
		out->iterator = stream_place_write(c, in->stream, &p);
	}
	return r;
}

/* ------------------------------------------------------------ GetRecords */

static enum stream_event
event_of(const struct stream_entry *e)
{
	return !e->has_new ? STREAM_REMOVE : e->had_old ? STREAM_MODIFY : STREAM_INSERT;
}

static struct slice
event_id(struct call *c, uint64_t stream, uint64_t seq)
{
	return slice_from(arena_print(&c->arena, "%016llx%016llx", (unsigned long long)stream,
				      (unsigned long long)seq));
}

static int
image(struct call *c, struct slice body, struct item *out, uint64_t *bytes)
{
	size_t size = 0;
	int r = body.len == 0 ? 0 : record_body_decode(c, body, out, &size);

	*bytes += size;
	return r;
}

static int
stream_read_record(struct call *c, const struct stream_state *s, uint64_t seq,
		   const struct stream_entry *e, struct stream_record *out)
{
	*out = (struct stream_record){
		.id = event_id(c, s->id, seq),
		.event = event_of(e),
		.view = s->view,
		.service = e->service,
		.time_ms = e->time_ms / 1000 * 1000,
		.seq = stream_seq(&c->arena, seq),
	};
	int r = image(c, e->keys, &out->keys, &out->bytes);

	if (r == 0) {
		r = image(c, e->new_image, &out->new_image, &out->bytes);
	}
	return r < 0 ? r : image(c, e->old_image, &out->old_image, &out->bytes);
}

/* A page that is being read. */
struct records {
	struct call *c;
	const struct stream_state *s;
	struct stream_place place; /* after the last record read */
	size_t limit;
	struct stream_record *at;
	size_t n;
	size_t cap;
	uint64_t bytes;
	size_t old; /* number of expired records skipped */
};

/* @cur is at a record.  Return: 0: added or skipped; 1: the page is full without it; < 0 */
static int
add_record(struct records *rs, struct kv_cursor *cur)
{
	struct call *c = rs->c;
	struct stream_entry e = {0};
	struct stream_record record = {0};
	uint64_t seq = 0;
	struct slice value = kv_cursor_value(cur);
	int r = stream_record_seq(c, kv_cursor_key(cur), &seq);

	if (r == 0) {
		r = stream_entry_decode(c, value, &e);
	}
	if (r < 0) {
		return r;
	}
	if (stream_old(e.time_ms, c->now_ms)) {
		rs->place.seq = seq + 1;
		return rs->place.horizon ? rs->old++ >= OLD_MAX : trimmed(c);
	}
	/* The images borrow the value, which is valid only until the cursor moves: copy it. */
	r = stream_entry_decode(c, slice_copy(&c->arena, value), &e);
	if (r == 0) {
		r = stream_read_record(c, rs->s, seq, &e, &record);
	}
	if (r < 0) {
		return r;
	}
	if (rs->n > 0 && rs->bytes + record.bytes > LIMIT_PAGE_BYTES) {
		return 1;
	}
	rs->at = arena_room(&c->arena, rs->at, rs->n, &rs->cap);
	rs->at[rs->n++] = record;
	rs->bytes += record.bytes;
	rs->place.seq = seq + 1;
	rs->place.horizon = false;
	return 0;
}

/* Return: 0: there are no more records; 1: there may be; < 0 */
static int
stream_read_fill(struct records *rs, const struct kv_view *look)
{
	cleanup(kv_cursor_freep) struct kv_cursor *cur = kv_cursor_new(look->kv, look->at);
	struct slice prefix = stream_record_key(&rs->c->arena, rs->s->id, NULL);
	int r = 0;

	kv_cursor_seek(cur, stream_record_key(&rs->c->arena, rs->s->id, &rs->place.seq));
	for (; r == 0 && kv_cursor_in(cur, prefix) && rs->n < rs->limit; kv_cursor_next(cur)) {
		r = add_record(rs, cur);
	}
	r = kv_cursor_end(cur, rs->c, r);
	return r != 0 ? r : kv_cursor_in(cur, prefix);
}

int
local_exec_get_records(struct local *l, struct call *c, const struct get_records_in *in,
		       struct get_records_out *out)
{
	cleanup(kv_view_close) struct kv_view look = kv_view_open(l->kv);
	struct records rs = {.c = c, .limit = in->limit == 0 ? LIMIT_RECORDS : in->limit};
	struct slice arn;
	struct found f;
	int r = stream_place_read(c, in->iterator, &arn, &rs.place);

	tasks_sweep(l->tasks, c->now_ms);
	if (r < 0) {
		return r;
	}
	r = stream_read_find_stream(c, &look, arn, &f);
	if (r < 0) {
		return r;
	}
	if (r == KV_ABSENT || f.state.id != rs.place.stream) {
		return no_stream(c, arn);
	}
	rs.s = &f.state;
	if (rs.place.seq <= f.state.trimmed) {
		if (!rs.place.horizon) {
			return trimmed(c);
		}
		rs.place.seq = f.state.trimmed + 1;
	}
	r = stream_read_fill(&rs, &look);
	if (r < 0) {
		return r;
	}
	*out = (struct get_records_out){.records = rs.at, .n_records = rs.n};
	if (r > 0 || f.state.ended_seq == 0) {
		rs.place.made_ms = c->now_ms;
		out->next = stream_place_write(c, arn, &rs.place);
	}
	return 0;
}
