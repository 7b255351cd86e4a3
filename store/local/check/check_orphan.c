/*
 * check_orphan - keys that belong to no table, index, stream or part of the format; records of streams
 *
 * One seek leads from one table or index to the next, whatever their size.  A repair moves the keys that belong
 * to nothing to a file.
 */
#include "store/local/check/check_int.h"
#include "store/local/records/definition.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"
#include "store/local/tables/index_job.h"
#include "store/model/schema.h"

/* A table that may have keys. */
struct owner {
	uint32_t id;
	bool dropped; /* its keys are being deleted */
	struct schema schema;
};

struct owners {
	struct owner *at;
	size_t n;
	size_t cap;
	uint64_t *streams; /* ids */
	size_t n_streams;
	size_t cap_streams;
};

enum {
	LETTER_BYTES = 1,
	TABLE_BYTES = LETTER_BYTES + 4,
	STREAM_BYTES = LETTER_BYTES + 8, /* the letter, and the id of the stream */
	PAGE_BYTES = 64 << 20, /* of stream records in a page; takes some tenths of a second */
};

/* ------------------------------------------------------------ owners */

static struct owner *
add_owner(struct check *k, struct owners *all)
{
	all->at = arena_room(&k->c->arena, all->at, all->n, &all->cap);
	return &all->at[all->n++];
}

static void
add_stream(struct check *k, struct owners *all, uint64_t id)
{
	all->streams = arena_room(&k->c->arena, all->streams, all->n_streams, &all->cap_streams);
	all->streams[all->n_streams++] = id;
}

/* A stream whose state cannot be decoded is a problem, and its records then belong to nothing. */
static void
check_orphan_read_stream(struct check *k, struct owners *all, struct slice key, struct slice value)
{
	struct stream_state s;

	call_clear(&k->scratch);
	if (stream_decode(&k->scratch, value, &s) < 0) {
		check_problem(k, "%s", k->scratch.error.message);
		check_move(k, key, value);
		return;
	}
	add_stream(k, all, s.id);
}

/* Put the missing state of an open stream; everything in it is known from the table's definition. */
static void
check_orphan_put_stream(struct check *k, struct owners *all, const struct schema *s)
{
	struct buf value = {.arena = &k->scratch.arena};

	call_clear(&k->scratch);
	stream_encode(&value, &(struct stream_state){.id = s->stream.id,
						     .view = s->stream.view,
						     .pk = s->key.pk[0].name,
						     .sk = s->key.sk[0].name});
	check_put(k, stream_key(&k->scratch.arena, s->table, &s->stream.label_ms), buf_view(&value),
		  "it was written");
	add_stream(k, all, s->stream.id);
}

static bool
has_stream(const struct owners *all, uint64_t id)
{
	for (size_t i = 0; i < all->n_streams; i++) {
		if (all->streams[i] == id) {
			return true;
		}
	}
	return false;
}

/* Collect all streams, and check that each table has the stream that its definition names. */
static int
find_streams(struct check *k, struct owners *all)
{
	struct slice prefix = keyspace_name(&k->c->arena, KEYSPACE_STREAM, slice_of(NULL, 0));
	struct kv_cursor *cur = k->cursor;

	for (kv_cursor_seek(cur, prefix); kv_cursor_in(cur, prefix); kv_cursor_next(cur)) {
		check_orphan_read_stream(k, all, kv_cursor_key(cur), kv_cursor_value(cur));
	}
	for (size_t i = 0; i < all->n; i++) {
		const struct stream_setting *s = &all->at[i].schema.stream;

		if (s->view != STREAM_NONE && !has_stream(all, s->id)) {
			k->s = &all->at[i].schema;
			check_problem(k, "its stream is not there");
			check_orphan_put_stream(k, all, k->s);
			k->s = NULL;
		}
	}
	return 0;
}

/* Collect all tables from the page's snapshot, like the keys: the catalog may be newer. */
static int
find_owners(struct check *k, struct owners *all)
{
	struct kv_cursor *cur = k->cursor;
	struct arena *a = &k->c->arena;
	struct slice tables = keyspace_name(a, KEYSPACE_TABLE, slice_of(NULL, 0));
	struct slice dropped = keyspace_name(a, KEYSPACE_DROPPED, slice_of(NULL, 0));
	int r = 0;

	kv_cursor_seek(cur, tables);
	for (; r == 0 && kv_cursor_in(cur, tables); kv_cursor_next(cur)) {
		struct slice name = slice_skip(kv_cursor_key(cur), LETTER_BYTES);
		struct owner *o = add_owner(k, all);

		r = definition_decode(k->c, slice_copy(a, name),
				      slice_copy(a, kv_cursor_value(cur)), &o->schema);
		o->id = o->schema.id;
	}
	kv_cursor_seek(cur, dropped);
	for (; kv_cursor_in(cur, dropped); kv_cursor_next(cur)) {
		*add_owner(k, all) = (struct owner){
			.id = (uint32_t)slice_be(slice_skip(kv_cursor_key(cur), LETTER_BYTES)),
			.dropped = true,
		};
	}
	r = r < 0 ? r : find_streams(k, all);
	return kv_cursor_end(cur, k->c, r);
}

static const struct owner *
find_owner(const struct owners *all, uint32_t id)
{
	for (size_t i = 0; i < all->n; i++) {
		if (all->at[i].id == id) {
			return &all->at[i];
		}
	}
	return NULL;
}

/* Return: whether index @id of @s may have keys with @letter; the mark of a backfill exists only during a backfill. */
static bool
may_have(const struct schema *s, char letter, uint32_t id)
{
	const struct index *ix = schema_index_by_id(s, (uint16_t)id);

	if (letter == KEYSPACE_BACKFILL) {
		return ix != NULL && ix->state != INDEX_ACTIVE;
	}
	return ix != NULL || id == KEYSPACE_BASE;
}

/* ------------------------------------------------------------ keys */

static const char *
what_is_there(char letter)
{
	switch (letter) {
	case KEYSPACE_ITEM:
		return "items or index entries";
	case KEYSPACE_PARTITION:
		return "counts of collections";
	case KEYSPACE_BACKFILL:
		return "marks of a backfill";
	default:
		return "totals";
	}
}

/* The keys with @prefix, the last problem, belong to nothing: move as many as fit into the page. */
static void
check_orphan_move(struct check *k, struct slice prefix)
{
	struct kv_cursor *cur = k->cursor;
	size_t n = 0;

	assert(prefix.len > 0 && kv_cursor_in(cur, prefix));
	if (k->t == NULL || k->local->dir == NULL) {
		return;
	}
	for (; kv_cursor_in(cur, prefix) && (n == 0 || !check_full(k)); kv_cursor_next(cur)) {
		call_clear(&k->scratch);
		check_move(k, kv_cursor_key(cur), kv_cursor_value(cur));
		k->looked++;
		n++;
	}
	check_done(k, arena_print(&k->c->arena, "%zu %s moved to " CHECK_DAMAGED "/", n,
				  n == 1 ? "key was" : "keys were"));
}

/* A key of a table.  Return: length of the prefix whose keys need no further check; 0: only this key */
static size_t
check_orphan_of_table(struct check *k, const struct owners *all, struct slice key)
{
	uint32_t id =
		(uint32_t)slice_be(slice_of(key.at + LETTER_BYTES, TABLE_BYTES - LETTER_BYTES));
	uint32_t index = (uint32_t)slice_be(
		slice_of(key.at + TABLE_BYTES, KEYSPACE_HEAD_BYTES - TABLE_BYTES));
	const struct owner *o = find_owner(all, id);
	struct backfill_mark mark;

	if (o == NULL) {
		check_problem(k, "there are %s of a table that does not exist, number %u",
			      what_is_there(key.at[0]), id);
		check_orphan_move(k, slice_of(key.at, TABLE_BYTES));
		return TABLE_BYTES;
	}
	if (o->dropped) {
		return TABLE_BYTES;
	}
	call_clear(&k->scratch);
	if (!may_have(&o->schema, key.at[0], index)) {
		k->s = &o->schema;
		check_problem(k, "there are %s of an index that %s, number %u",
			      what_is_there(key.at[0]),
			      schema_index_by_id(k->s, (uint16_t)index) == NULL ? "does not exist"
										: "is complete",
			      index);
		check_orphan_move(k, slice_of(key.at, KEYSPACE_HEAD_BYTES));
		k->s = NULL;
	} else if (key.at[0] == KEYSPACE_BACKFILL &&
		   backfill_mark_decode(&k->scratch, kv_cursor_value(k->cursor), &mark) != 0) {
		check_problem(k, "%s", k->scratch.error.message);
		check_move(k, key, kv_cursor_value(k->cursor));
	}
	return KEYSPACE_HEAD_BYTES;
}

/* Likewise for the key of a stream record. */
static size_t
check_orphan_of_stream(struct check *k, const struct owners *all, struct slice key)
{
	uint64_t id = slice_be(slice_of(key.at + LETTER_BYTES, STREAM_BYTES - LETTER_BYTES));

	if (!has_stream(all, id)) {
		check_problem(k, "there are records of a stream that does not exist, number %llu",
			      (unsigned long long)id);
		check_orphan_move(k, slice_of(key.at, STREAM_BYTES));
	}
	return STREAM_BYTES;
}

/* Likewise for any key. */
static size_t
look_at_key(struct check *k, const struct owners *all, struct slice key)
{
	size_t least = LETTER_BYTES;

	switch (key.at[0]) {
	case KEYSPACE_ITEM:
	case KEYSPACE_PARTITION:
	case KEYSPACE_TOTALS:
	case KEYSPACE_BACKFILL:
		least = KEYSPACE_HEAD_BYTES;
		break;
	case KEYSPACE_RECORD:
		least = STREAM_BYTES;
		break;
	case KEYSPACE_TABLE:
	case KEYSPACE_ARCHIVE:
	case KEYSPACE_TRANSFER:
	case KEYSPACE_TRANSFER_OF:
	case KEYSPACE_TOKEN:
	case KEYSPACE_META:
	case KEYSPACE_STREAM:
	case KEYSPACE_DROPPED:
		return LETTER_BYTES;
	default:
		check_problem(k,
			      "there are keys that begin with the byte %02x, which means nothing",
			      (unsigned char)key.at[0]);
		check_orphan_move(k, slice_of(key.at, LETTER_BYTES));
		return LETTER_BYTES;
	}
	if (key.len < least) {
		check_problem(k, "a key of %zu bytes cannot be read", key.len);
		check_move(k, key, kv_cursor_value(k->cursor));
		return 0; /* valid keys may begin with these bytes */
	}
	return least == STREAM_BYTES ? check_orphan_of_stream(k, all, key)
				     : check_orphan_of_table(k, all, key);
}

int
check_orphans(struct check *k)
{
	struct kv_cursor *cur = k->cursor;
	struct owners all = {0};
	int r = find_owners(k, &all);

	if (r < 0) {
		return r;
	}
	kv_cursor_seek(cur, slice_of("", 1));
	/* A full page of problems ends the search: orphans beyond it are not reported. */
	while (!check_full(k) && kv_cursor_valid(cur)) {
		struct slice key = slice_copy(&k->c->arena, kv_cursor_key(cur));
		size_t same = look_at_key(k, &all, key);

		if (key.at[0] == (char)0xff) {
			break; /* no keys follow */
		}
		if (same == 0) {
			kv_cursor_next(cur);
			continue;
		}
		kv_cursor_seek(cur, keyspace_after(&k->c->arena, slice_of(key.at, same)));
	}
	return kv_cursor_status(cur, k->c);
}

/* ------------------------------------------------------------ records of streams, which are one range of keys */

/* The records that a page has decoded. */
struct check_record_range {
	uint64_t n;
	uint64_t first; /* sequence numbers */
	uint64_t last;
};

/* ------------------------------------------------------------ one record */

static int
check_record_image(struct call *c, struct slice body)
{
	struct item item;
	size_t bytes;

	return body.len == 0 ? 0 : record_body_decode(c, body, &item, &bytes);
}

/* Decode everything that GetRecords decodes. */
static int
check_record_decode(struct call *c, struct slice key, struct slice value, uint64_t *seq)
{
	struct stream_entry e = {0};
	int r = stream_record_seq(c, key, seq);

	r = r < 0 ? r : stream_entry_decode(c, value, &e);
	r = r < 0 ? r : check_record_image(c, e.keys);
	r = r < 0 ? r : check_record_image(c, e.new_image);
	return r < 0 ? r : check_record_image(c, e.old_image);
}

static void
check_record_at_cursor(struct check *k, struct check_record_range *range)
{
	struct slice key = kv_cursor_key(k->cursor);
	struct slice value = kv_cursor_value(k->cursor);
	uint64_t seq = 0;

	if (key.len < STREAM_BYTES) {
		return;
	}
	call_clear(&k->scratch);
	if (check_record_decode(&k->scratch, key, value, &seq) == 0) {
		range->first = range->n == 0 || seq < range->first ? seq : range->first;
		range->last = seq > range->last ? seq : range->last;
		range->n++;
		return;
	}
	if (seq != 0) {
		check_problem(k, "the stream record with sequence number %llu cannot be decoded",
			      (unsigned long long)seq);
	} else {
		check_problem(k, "a stream record has a key of %zu bytes", key.len);
	}
	check_move(k, key, value);
}

/* ------------------------------------------------------------ a page */

/* The page has met a damaged file.  Its other problems concern single records and remain valid. */
static void
check_record_damaged(struct check *k, const struct check_record_range *range)
{
	if (range->n == 0) {
		check_pass_over(k, "stream records cannot be read");
	} else {
		check_pass_over(k,
				"of the stream records with sequence numbers from %llu to %llu, "
				"%llu can be read and others cannot",
				(unsigned long long)range->first, (unsigned long long)range->last,
				(unsigned long long)range->n);
	}
}

int
check_records(struct check *k, struct slice *from)
{
	struct slice prefix = keyspace_name(&k->c->arena, KEYSPACE_RECORD, slice_of(NULL, 0));
	struct check_record_range range = {0};
	struct kv_cursor *cur = k->cursor;
	size_t bytes = 0;

	check_seek(k, prefix, *from);
	for (; !check_full(k) && bytes < PAGE_BYTES && kv_cursor_in(cur, prefix);
	     kv_cursor_next(cur)) {
		bytes += kv_cursor_value(cur).len;
		check_record_at_cursor(k, &range);
		k->looked++;
		k->ahead++; /* no totals contain the number of records */
	}
	bool more = kv_cursor_in(cur, prefix);

	*from = more ? slice_copy(&k->c->arena, kv_cursor_key(cur)) : slice_of(NULL, 0);
	int r = kv_cursor_status(cur, k->c);

	if (r == -ERR_CORRUPT && k->t == NULL) {
		check_record_damaged(k, &range);
		r = 0;
	}
	return r == 0 && more ? CHECK_PAUSED : r;
}
