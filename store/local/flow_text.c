/*
 * flow_text - items to text, for flow.c
 *
 * CSV wants its header first, and the header all attributes that any item has.  The state that is
 * read is frozen, so all items are simply read twice.
 */
#include "store/local/flow_text.h"

#include "store/local/record.h"

enum { COLUMNS_MAX = 10000 };

void
flow_text_init(struct flow_text *t, const struct flow_in *in, const struct key_schema *key)
{
	*t = (struct flow_text){
		.form = in->form, .json = in->json, .key = key, .noting = in->form == FLOW_CSV};
	arena_init(&t->columns_arena, SIZE_MAX);
}

void
flow_text_release(struct flow_text *t)
{
	arena_drop(&t->columns_arena);
}

static void
put_separator(const struct flow_text *t, struct buf *out)
{
	if (t->form == FLOW_ARRAY) {
		buf_slice(out, t->n == 0 ? SLICE("[\n") : SLICE(",\n"));
	}
}

static void
end_item(struct flow_text *t, struct buf *out)
{
	if (t->form == FLOW_LINES) {
		buf_char(out, '\n');
	}
	t->n++;
}

/* The next name or value of a record's key attribute. */
static bool
read_text(const unsigned char **at, const unsigned char *end, struct slice *out)
{
	uint64_t len;

	if (!varint_read(at, end, &len) || len > (size_t)(end - *at)) {
		return false;
	}
	*out = slice_of((const char *)*at, len);
	*at += len;
	return true;
}

/* Do the attributes of the key come first, as they do when the mount wrote it, and mostly else? */
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

	if (!varint_read(&at, end, &n) || n == 0 || !read_text(&at, end, &name) ||
	    !slice_eq(name, k->pk->name)) {
		return false;
	}
	if (!key_schema_has_sort(k)) {
		return true;
	}
	if (n == 1 || at == end) {
		return false;
	}
	at++; /* a key's type: S, N or B, all of one shape */
	return read_text(&at, end, &value) && read_text(&at, end, &name) &&
	       slice_eq(name, k->sk->name);
}

int
flow_text_record(struct flow_text *t, struct call *scratch, struct buf *out, struct slice record)
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
	put_separator(t, out);
	int r = record_put_json(scratch, record, t->json, out, &bytes);

	if (r < 0) {
		out->len = before;
		return r;
	}
	end_item(t, out);
	return 0;
}

int
flow_text_item(struct flow_text *t, struct call *scratch, struct buf *out, const struct item *it)
{
	struct item first = item_key_first(&scratch->arena, t->key, it);

	if (t->noting) {
		csv_note(&t->columns, &t->columns_arena, &first);
		t->n++;
		return t->columns.n <= COLUMNS_MAX
			       ? 0
			       : call_fail(scratch, ERR_VALIDATION,
					   "these items have over %d different attributes, too "
					   "many for columns",
					   COLUMNS_MAX);
	}
	if (t->form == FLOW_CSV) {
		csv_put_item(out, &t->columns, &first);
	} else {
		put_separator(t, out);
		item_put_json(out, &first, t->json);
	}
	end_item(t, out);
	return 0;
}

bool
flow_text_end(struct flow_text *t, struct buf *out)
{
	switch (t->form) {
	case FLOW_LINES:
		break;
	case FLOW_ARRAY:
		buf_slice(out, t->n == 0 ? SLICE("[]\n") : SLICE("\n]\n"));
		break;
	case FLOW_CSV:
		if (t->noting && t->n > 0) {
			t->noting = false;
			t->n = 0;
			csv_put_header(out, &t->columns);
			return true;
		}
		break;
	case FLOW_COUNT:
		buf_fmt(out, "%llu\n", (unsigned long long)t->n);
		break;
	}
	return false;
}
