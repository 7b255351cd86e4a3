/* row_stream_record - conversion of a record to the text of a row stream without decoding it; for read_row_stream.c */
#include "store/local/read/row_stream_record.h"

#include "store/local/records/record.h"

/* Read the name or the value of a key attribute in a record. */
static bool
row_stream_record_read_text(const unsigned char **at, const unsigned char *end, struct slice *out)
{
	uint64_t len;

	if (!varint_read(at, end, &len) || len > (size_t)(end - *at)) {
		return false;
	}
	*out = slice_of((const char *)*at, len);
	*at += len;
	return true;
}

/* Whether the key attributes come first in the record, as in all items written by the mount and in most others. */
static bool
begins_with_key(struct slice record, const struct key_schema *k)
{
	struct slice body = record_body(record);
	struct slice name;
	struct slice value;
	uint64_t n;

	if (body.len == 0) {
		return false;
	}
	const unsigned char *at = (const unsigned char *)body.at;
	const unsigned char *end = at + body.len;

	if (!varint_read(&at, end, &n) || n == 0 || !row_stream_record_read_text(&at, end, &name) ||
	    !slice_eq(name, k->pk->name)) {
		return false;
	}
	if (!key_schema_has_sort(k)) {
		return true;
	}
	if (n == 1 || at == end) {
		return false;
	}
	at++; /* the type of a key attribute: S, N or B, which have the same form */
	return row_stream_record_read_text(&at, end, &value) &&
	       row_stream_record_read_text(&at, end, &name) && slice_eq(name, k->sk->name);
}

int
row_stream_record_put(struct row_stream_text *t, struct call *scratch, struct buf *out,
		      struct slice record)
{
	size_t before = out->len;
	size_t bytes;

	if (t->form == ROW_STREAM_COUNT) {
		t->n++;
		return 0;
	}
	if (t->form == ROW_STREAM_CSV || !begins_with_key(record, t->key)) {
		return 1;
	}
	row_stream_text_before(t, out);
	int r = record_put_json(scratch, record, t->json, out, &bytes);

	if (r < 0) {
		out->len = before;
		return r;
	}
	row_stream_text_after(t, out);
	return 0;
}
