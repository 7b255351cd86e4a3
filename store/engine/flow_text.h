/* flow_text - the items of a flow in one of its forms: what stands before, between and behind them */
#ifndef STORE_ENGINE_FLOW_TEXT_H
#define STORE_ENGINE_FLOW_TEXT_H

#include "store/engine/flow.h"
#include "store/model/csv.h"

struct flow_text {
	enum flow_form form;
	enum item_form json;
	const struct key_schema *key; /* the table's */
	uint64_t n;                   /* items written, or counted, or noted */
	bool living;                  /* what is read is not frozen */
	bool noting; /* CSV: the first pass, that finds the columns and writes nothing */
	struct csv_columns columns;
	struct arena columns_arena;
};

/** flow_text_init - pair with flow_text_release() */
void flow_text_init(struct flow_text *t, const struct flow_in *in, const struct key_schema *key);
void flow_text_release(struct flow_text *t);

/**
 * flow_text_item - the next item
 * @scratch: memory that may be gone afterwards
 *
 * Errors:  -ERR_VALIDATION  it has too many attributes that others have not; -ERR_CONFLICT  it was not so when the
 * columns were found
 */
int flow_text_item(struct flow_text *t, struct call *scratch, struct buf *out,
		   const struct item *it) __attribute__((warn_unused_result));

/** flow_text_before, flow_text_after - around an item that the caller writes; not in CSV */
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

/** flow_text_end - there are no more; true: but now they are read a second time, from the first one */
bool flow_text_end(struct flow_text *t, struct buf *out);

#endif
