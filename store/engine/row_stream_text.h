/* row_stream_text - the output forms of a row stream: the text of items, and the text before, between and after them */
#ifndef STORE_ENGINE_ROW_STREAM_TEXT_H
#define STORE_ENGINE_ROW_STREAM_TEXT_H

#include "store/engine/row_stream.h"
#include "store/model/csv.h"

struct row_stream_text {
	enum row_stream_form form;
	enum item_form json;
	const struct key_schema *key; /* the table's */
	uint64_t n;                   /* items written, counted, or seen in the first pass */
	bool living; /* there is no snapshot: items may change between the passes */
	bool noting; /* CSV: in the first pass, which finds the columns and writes nothing */
	struct csv_columns columns;
	struct arena columns_arena;
};

/** row_stream_text_init - initialize; @key is borrowed; pair with row_stream_text_release() */
void row_stream_text_init(struct row_stream_text *t, const struct row_stream_in *in,
			  const struct key_schema *key);
void row_stream_text_release(struct row_stream_text *t);

/**
 * row_stream_text_item - append the next item
 * @scratch: for memory that is not needed afterwards, and for the error
 *
 * Errors:  -ERR_VALIDATION  CSV: the items have too many different attributes
 *          -ERR_CONFLICT    CSV: the item has an attribute that it did not have in the first pass
 */
int row_stream_text_item(struct row_stream_text *t, struct call *scratch, struct buf *out,
			 const struct item *it) must_check;

/**
 * row_stream_text_before, row_stream_text_after - append the text around an item that the caller writes itself; not for
 * CSV
 */
static inline void
row_stream_text_before(const struct row_stream_text *t, struct buf *out)
{
	if (t->form == ROW_STREAM_ARRAY) {
		buf_slice(out, t->n == 0 ? SLICE("[\n") : SLICE(",\n"));
	}
}

static inline void
row_stream_text_after(struct row_stream_text *t, struct buf *out)
{
	if (t->form == ROW_STREAM_LINES) {
		buf_char(out, '\n');
	}
	t->n++;
}

/**
 * row_stream_text_end - append the end of the text or, after the first pass of CSV, the header
 *
 * Return: true if all items must be read a second time, from the first one
 */
bool row_stream_text_end(struct row_stream_text *t, struct buf *out);

#endif
