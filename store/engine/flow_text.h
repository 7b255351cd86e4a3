/* flow_text - the output forms of a flow: the text of items, and the text before, between and after them */
#ifndef STORE_ENGINE_FLOW_TEXT_H
#define STORE_ENGINE_FLOW_TEXT_H

#include "store/engine/flow.h"
#include "store/model/csv.h"

struct flow_text {
	enum flow_form form;
	enum item_form json;
	const struct key_schema *key; /* the table's */
	uint64_t n;                   /* items written, counted, or seen in the first pass */
	bool living; /* there is no snapshot: items may change between the passes */
	bool noting; /* CSV: in the first pass, which finds the columns and writes nothing */
	struct csv_columns columns;
	struct arena columns_arena;
};

/** flow_text_init - initialize; @key is borrowed; pair with flow_text_release() */
void flow_text_init(struct flow_text *t, const struct flow_in *in, const struct key_schema *key);
void flow_text_release(struct flow_text *t);

/**
 * flow_text_item - append the next item
 * @scratch: for memory that is not needed afterwards, and for the error
 *
 * Errors:  -ERR_VALIDATION  CSV: the items have too many different attributes
 *          -ERR_CONFLICT    CSV: the item has an attribute that it did not have in the first pass
 */
int flow_text_item(struct flow_text *t, struct call *scratch, struct buf *out,
		   const struct item *it) __attribute__((warn_unused_result));

/** flow_text_before, flow_text_after - append the text around an item that the caller writes itself; not for CSV */
static inline void
flow_text_before(const struct flow_text *t, struct buf *out)
{
	if (t->form == FLOW_ARRAY) {
		buf_slice(out, t->n == 0 ? SLICE("[\n") : SLICE(",\n"));
	}
}

static inline void
flow_text_after(struct flow_text *t, struct buf *out)
{
	if (t->form == FLOW_LINES) {
		buf_char(out, '\n');
	}
	t->n++;
}

/**
 * flow_text_end - append the end of the text or, after the first pass of CSV, the header
 *
 * Return: true if all items must be read a second time, from the first one
 */
bool flow_text_end(struct flow_text *t, struct buf *out);

#endif
