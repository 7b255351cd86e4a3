/*
 * flow - the result of a read of any length as a stream of text
 *
 * An embedded engine reads one snapshot of the store (store/local/read/read_flow.c). Other engines are asked for pages
 * (flow_pages.c), each of which shows the state at its own time, as with the paginators of the SDKs.
 *
 *   struct flow *f;
 *   r = engine_flow_open(e, c, &in, &f);
 *   while ((r = flow_next(f, c, &text, 64 * 1024)) == 0) {
 *           ... send text, empty it ...
 *   }
 *   flow_close(f);
 *
 * Memory does not grow with the length of the result.
 */
#ifndef STORE_ENGINE_FLOW_H
#define STORE_ENGINE_FLOW_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"
#include "store/model/item_json.h"

enum flow_form {
	FLOW_LINES, /* one item per line */
	FLOW_ARRAY, /* a JSON array, one item per line */
	FLOW_CSV,   /* store/model/csv.h; a first pass over all items finds the columns */
	FLOW_COUNT, /* the number of items, and a newline */
};

/* What to read. It is borrowed until flow_close(), with all it points to. */
struct flow_in {
	const struct op_in *requests; /* OP_QUERY or OP_SCAN, without Limit, start and segments */
	/* At least 1. Several are Querys of one table or index that differ in their values only; merged by sort key. */
	size_t n;
	const struct schema *schema; /* of the table, as the caller knows it */
	uint64_t limit;              /* most items; 0: all */
	enum flow_form form;
	enum item_form json; /* how items are written; key attributes come first */
};

struct flow_ops {
	int (*next)(struct flow *f, struct call *c, struct buf *out, size_t bytes);
	void (*close)(struct flow *f);
};

struct flow {
	const struct flow_ops *ops;
};

enum { FLOW_END = 1 };

/**
 * flow_next - append the text of the next items to @out
 * @bytes: stop when at least this number of bytes was appended; the last item is always complete
 *
 * It also stops, perhaps with nothing appended, after one page, or after some thousand items or a megabyte were read,
 * so that the caller can check whether its reader is still there.
 *
 * Return:  0; FLOW_END at the end of the text: do not call it again
 * Errors:  -ERR_IO, -ERR_CORRUPT, -ERR_THROTTLED, ...: the next call continues with the same item
 *          -ERR_CONFLICT: CSV without a snapshot, and an item has new attributes: start again
 * Thread:  one at a time
 */
static inline int
flow_next(struct flow *f, struct call *c, struct buf *out, size_t bytes)
{
	return f->ops->next(f, c, out, bytes);
}

/** flow_close - free the flow and its snapshot; @f may be NULL */
static inline void
flow_close(struct flow *f)
{
	if (f != NULL) {
		f->ops->close(f);
	}
}

#endif
