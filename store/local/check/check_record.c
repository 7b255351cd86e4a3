/*
 * check_record - decodes the records of all streams, which are one range of keys
 *
 * check_stray.c finds the keys that belong to no stream or are too short to name one.
 */
#include "store/local/check/check_int.h"
#include "store/local/check/check_page.h"
#include "store/local/check/check_repair.h"
#include "store/local/records/keyspace.h"
#include "store/local/records/record.h"
#include "store/local/records/stream_state.h"

enum {
	STREAM_BYTES = 1 + 8,  /* of a key: the letter, and the id of the stream */
	PAGE_BYTES = 64 << 20, /* size of the records in a page; takes some tenths of a second */
};

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
	static const char letter[] = {KEYSPACE_RECORD};
	struct slice prefix = slice_of(letter, sizeof(letter));
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
