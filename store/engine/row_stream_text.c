/*
 * row_stream_text - see row_stream_text.h; for row_stream_pages.c and store/local/read/read_row_stream.c
 *
 * CSV begins with a header of all attributes that any item has, so all items are read twice. Without a snapshot they
 * may change in between.
 */
#include "store/engine/row_stream_text.h"

#include "store/model/csv.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

enum { COLUMNS_MAX = 10000 };

void
row_stream_text_init(struct row_stream_text *t, const struct row_stream_in *in,
		     const struct key_schema *key)
{
	*t = (struct row_stream_text){.form = in->form,
				      .json = in->json,
				      .key = key,
				      .noting = in->form == ROW_STREAM_CSV};
	arena_init(&t->columns_arena, SIZE_MAX);
}

void
row_stream_text_release(struct row_stream_text *t)
{
	arena_drop(&t->columns_arena);
}

int
row_stream_text_item(struct row_stream_text *t, struct call *scratch, struct buf *out,
		     const struct item *it)
{
	struct item first = item_key_first(&scratch->arena, t->key, it);

	if (t->noting) {
		csv_note(&t->columns, &t->columns_arena, &first);
		t->n++;
		return t->columns.n <= COLUMNS_MAX
			       ? 0
			       : call_fail(
					 scratch, ERR_VALIDATION,
					 "these items have more than %d different attributes, which is too many for "
					 "columns",
					 COLUMNS_MAX);
	}
	if (t->form == ROW_STREAM_CSV && t->living && !csv_has(&t->columns, &first)) {
		return call_fail(
			scratch, ERR_CONFLICT,
			"an item has changed, and has an attribute that the header lacks: read again");
	}
	if (t->form == ROW_STREAM_CSV) {
		csv_put_item(out, &t->columns, &first);
	} else {
		row_stream_text_before(t, out);
		item_put_json(out, &first, t->json);
	}
	row_stream_text_after(t, out);
	return 0;
}

bool
row_stream_text_end(struct row_stream_text *t, struct buf *out)
{
	switch (t->form) {
	case ROW_STREAM_LINES:
		break;
	case ROW_STREAM_ARRAY:
		buf_slice(out, t->n == 0 ? SLICE("[]\n") : SLICE("\n]\n"));
		break;
	case ROW_STREAM_CSV:
		if (t->noting && t->n > 0) {
			t->noting = false;
			t->n = 0;
			csv_put_header(out, &t->columns);
			return true;
		}
		break;
	case ROW_STREAM_COUNT:
		buf_fmt(out, "%llu\n", (unsigned long long)t->n);
		break;
	}
	return false;
}
