/* flow_record - conversion of a record to the text of a flow without decoding it; for read_flow.c */
#include "store/local/read/flow_record.h"

#include "store/local/records/record.h"

/* Read the name or the value of a key attribute in a record. */
static bool
flow_record_read_text(const unsigned char **at, const unsigned char *end, struct slice *out)
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

	if (!varint_read(&at, end, &n) || n == 0 || !flow_record_read_text(&at, end, &name) ||
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
	return flow_record_read_text(&at, end, &value) && flow_record_read_text(&at, end, &name) &&
	       slice_eq(name, k->sk->name);
}

int
flow_record_put(struct flow_text *t, struct call *scratch, struct buf *out, struct slice record)
{
	size_t before = out->len;
	size_t bytes;

	if (t->form == FLOW_COUNT) {
		t->n++;
		return 0;
	}
	if (t->form == FLOW_CSV || !begins_with_key(record, t->key)) {
		return 1;
	}
	flow_text_before(t, out);
	int r = record_put_json(scratch, record, t->json, out, &bytes);

	if (r < 0) {
		out->len = before;
		return r;
	}
	flow_text_after(t, out);
	return 0;
}
