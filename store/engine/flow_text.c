/*
 * flow_text - see flow_text.h; for flow_pages.c and store/local/read/read_flow.c
 *
 * CSV begins with a header of all attributes that any item has, so all items are read twice. Without a snapshot they
 * may change in between.
 */
#include "store/engine/flow_text.h"

#include "store/model/csv.h"
#include "store/model/item_json.h"
#include "store/model/schema.h"

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

int
flow_text_item(struct flow_text *t, struct call *scratch, struct buf *out, const struct item *it)
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
	if (t->form == FLOW_CSV && t->living && !csv_has(&t->columns, &first)) {
		return call_fail(
			scratch, ERR_CONFLICT,
			"an item has changed, and has an attribute that the header lacks: read again");
	}
	if (t->form == FLOW_CSV) {
		csv_put_item(out, &t->columns, &first);
	} else {
		flow_text_before(t, out);
		item_put_json(out, &first, t->json);
	}
	flow_text_after(t, out);
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
