/* flow_text - the items of a flow in one of its forms: what stands before, between and behind them */
#ifndef STORE_LOCAL_FLOW_TEXT_H
#define STORE_LOCAL_FLOW_TEXT_H

#include "store/engine/flow.h"
#include "store/model/csv.h"

struct flow_text {
	enum flow_form form;
	enum item_form json;
	const struct key_schema *key; /* the table's */
	uint64_t n;                   /* items written, or counted, or noted */
	bool noting; /* CSV: the first pass, that finds the columns and writes nothing */
	struct csv_columns columns;
	struct arena columns_arena;
};

/** flow_text_init - pair with flow_text_release() */
void flow_text_init(struct flow_text *t, const struct flow_in *in, const struct key_schema *key);
void flow_text_release(struct flow_text *t);

/**
 * flow_text_record - the next item, from its record
 * @scratch: memory that may be gone afterwards
 *
 * Return:  0; 1: it must be decoded, nothing was appended
 * Errors:  -ERR_CORRUPT
 */
int flow_text_record(struct flow_text *t, struct call *scratch, struct buf *out,
		     struct slice record) __attribute__((warn_unused_result));

/**
 * flow_text_item - the next item
 * @scratch: memory that may be gone afterwards
 *
 * Errors:  -ERR_VALIDATION  it has too many attributes that others have not
 */
int flow_text_item(struct flow_text *t, struct call *scratch, struct buf *out,
		   const struct item *it) __attribute__((warn_unused_result));

/** flow_text_end - there are no more; true: but now they are read a second time, from the first one */
bool flow_text_end(struct flow_text *t, struct buf *out);

#endif
