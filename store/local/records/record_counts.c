/* record_counts - encoder and decoder of the counts of collections, tables and indexes */
#include "store/local/records/reader.h"
#include "store/local/records/record.h"
#include "store/op/op.h"

static int
read_end(struct call *c, const struct reader *r)
{
	return reader_at_end(r)
		       ? 0
		       : call_fail(c, ERR_CORRUPT, "The store is damaged: a record cannot be read");
}

void
record_counts_encode(struct buf *out, const struct record_counts *n)
{
	buf_varint(out, n->items);
	buf_varint(out, n->item_bytes);
	buf_varint(out, n->rendered_bytes);
}

int
record_counts_decode(struct call *c, struct slice record, struct record_counts *out)
{
	struct reader r = reader_of(&c->arena, record);

	out->items = get_varint(&r);
	out->item_bytes = get_varint(&r);
	out->rendered_bytes = get_varint(&r);
	return read_end(c, &r);
}

void
record_totals_encode(struct buf *out, const struct totals *t)
{
	buf_varint(out, t->items);
	buf_varint(out, t->bytes);
	buf_varint(out, t->partitions);
}

int
record_totals_decode(struct call *c, struct slice record, struct totals *out)
{
	struct reader r = reader_of(&c->arena, record);

	out->items = get_varint(&r);
	out->bytes = get_varint(&r);
	out->partitions = get_varint(&r);
	return read_end(c, &r);
}
