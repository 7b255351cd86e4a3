/*
 * stream_state - encoder and decoder of streams and their records
 *
 * Shapes: FORMAT.md. The file also makes the names by which clients know the parts of a stream.
 */
#include "store/local/records/stream_state.h"

#include "store/local/records/keyspace.h"
#include "store/local/records/reader.h"
#include "store/model/limits.h"

enum { SEQ_BYTES = 8, RECORD_KEY_BYTES = 1 + 2 * SEQ_BYTES };

enum flag { HAD_OLD = 1, HAS_NEW = 2, BY_SERVICE = 4, FLAGS_END = 8 };

bool
stream_old(uint64_t ms, uint64_t now_ms)
{
	return now_ms >= ms && now_ms - ms >= LIMIT_STREAM_MS;
}

bool
stream_gone(const struct stream_state *s, uint64_t now_ms)
{
	return s->ended_seq != 0 && stream_old(s->ended_ms, now_ms);
}

/* ------------------------------------------------------------ keys */

struct slice
stream_key(struct arena *a, struct slice table, const uint64_t *label_ms)
{
	struct buf out = {.arena = a};

	buf_char(&out, KEYSPACE_STREAM);
	buf_slice(&out, table);
	buf_char(&out, '\0');
	if (label_ms != NULL) {
		buf_u64be(&out, *label_ms);
	}
	return buf_view(&out);
}

int
stream_parse_key(struct call *c, struct slice key, struct slice *table, uint64_t *label_ms)
{
	size_t tail = 1 + SEQ_BYTES;

	if (key.len <= 1 + tail || key.at[key.len - tail] != '\0') {
		return call_fail(c, ERR_CORRUPT, "the key of a stream is damaged");
	}
	*table = slice_of(key.at + 1, key.len - 1 - tail);
	*label_ms = slice_be(slice_skip(key, key.len - SEQ_BYTES));
	return 0;
}

struct slice
stream_record_key(struct arena *a, uint64_t stream, const uint64_t *seq)
{
	struct buf out = {.arena = a};

	buf_char(&out, KEYSPACE_RECORD);
	buf_u64be(&out, stream);
	if (seq != NULL) {
		buf_u64be(&out, *seq);
	}
	return buf_view(&out);
}

int
stream_record_seq(struct call *c, struct slice key, uint64_t *seq)
{
	if (key.len != RECORD_KEY_BYTES) {
		return call_fail(c, ERR_CORRUPT, "the key of a record in a stream is damaged");
	}
	*seq = slice_be(slice_skip(key, RECORD_KEY_BYTES - SEQ_BYTES));
	return 0;
}

/* ------------------------------------------------------------ values */

void
stream_encode(struct buf *out, const struct stream_state *s)
{
	assert(s->pk.len > 0);
	buf_u64be(out, s->id);
	buf_char(out, (char)s->view);
	buf_u64be(out, s->ended_seq);
	buf_u64be(out, s->ended_ms);
	buf_u64be(out, s->trimmed);
	buf_text(out, s->pk);
	buf_text(out, s->sk);
}

int
stream_decode(struct call *c, struct slice bytes, struct stream_state *out)
{
	struct reader r = reader_of(&c->arena, bytes);

	out->id = get_be(&r, SEQ_BYTES);
	out->view = (enum stream_view)get_choice(&r, STREAM_NEW_AND_OLD_IMAGES + 1);
	out->ended_seq = get_be(&r, SEQ_BYTES);
	out->ended_ms = get_be(&r, SEQ_BYTES);
	out->trimmed = get_be(&r, SEQ_BYTES);
	out->pk = get_text(&r);
	out->sk = get_text(&r);
	if (!reader_at_end(&r) || out->view == STREAM_NONE || out->pk.len == 0) {
		return call_fail(c, ERR_CORRUPT, "the record of a stream is damaged");
	}
	return 0;
}

void
stream_entry_encode(struct buf *out, const struct stream_entry *e)
{
	assert(e->had_old || e->has_new);
	buf_u64be(out, e->time_ms);
	buf_char(out, (char)((e->had_old ? HAD_OLD : 0) | (e->has_new ? HAS_NEW : 0) |
			     (e->service ? BY_SERVICE : 0)));
	buf_text(out, e->keys);
	buf_text(out, e->new_image);
	buf_text(out, e->old_image);
}

int
stream_entry_decode(struct call *c, struct slice bytes, struct stream_entry *out)
{
	struct reader r = reader_of(&c->arena, bytes);

	out->time_ms = get_be(&r, SEQ_BYTES);
	unsigned flags = get_choice(&r, FLAGS_END);

	out->had_old = (flags & HAD_OLD) != 0;
	out->has_new = (flags & HAS_NEW) != 0;
	out->service = (flags & BY_SERVICE) != 0;
	out->keys = get_text(&r);
	out->new_image = get_text(&r);
	out->old_image = get_text(&r);
	if (!reader_at_end(&r) || !(out->had_old || out->has_new)) {
		return call_fail(c, ERR_CORRUPT, "a record in a stream is damaged");
	}
	return 0;
}

/* ------------------------------------------------------------ for clients */

struct slice
stream_shard(struct arena *a, uint64_t stream, uint64_t label_ms)
{
	return slice_from(arena_print(a, "shardId-%020llu-%08x", (unsigned long long)label_ms,
				      (unsigned)stream));
}
