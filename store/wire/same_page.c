/* same_page - see same_page.h */
#include "store/wire/same_page.h"

static bool
same_page_mark(struct slice asked, struct slice told)
{
	return told.len > 0 && slice_eq(asked, told);
}

static bool
same_page_key(const struct item *asked, const struct item *told)
{
	return told->n > 0 && item_eq(asked, told);
}

bool
same_page(const struct op_in *in, const struct op_out *out)
{
	switch ((int)in->type) {
	case OP_QUERY:
		return same_page_key(&in->query.read.start, &out->query.page.last);
	case OP_SCAN:
		return same_page_key(&in->scan.read.start, &out->scan.page.last);
	case OP_EXECUTE_STATEMENT:
		return same_page_mark(in->execute_statement.next, out->execute_statement.next);
	case OP_LIST_TABLES:
		return same_page_mark(in->list_tables.start, out->list_tables.last);
	case OP_LIST_TAGS_OF_RESOURCE:
		return same_page_mark(in->list_tags_of_resource.next,
				      out->list_tags_of_resource.next);
	case OP_LIST_STREAMS:
		return same_page_mark(in->list_streams.start, out->list_streams.last);
	case OP_DESCRIBE_STREAM:
		return same_page_mark(in->describe_stream.start_shard,
				      out->describe_stream.last_shard);
	case OP_GET_RECORDS:
		return out->get_records.n_records > 0 &&
		       same_page_mark(in->get_records.iterator, out->get_records.next);
	default:
		return false;
	}
}
