/*
 * flow - the items of one read as text, one after the other
 *
 * An embedded engine reads one frozen state of the store (store/local/read/read_flow.c).  Any other is asked for pages
 * (flow_pages.c), each of its own moment, as the SDKs' paginators are.
 *
 *   struct flow *f;
 *   r = engine_flow_open(e, c, &in, &f);
 *   while ((r = flow_next(f, c, &text, 64 * 1024)) == 0) {
 *           ... send text, empty it ...
 *   }
 *   flow_close(f);
 *
 * However long the answer is, memory is that of the pieces asked for.
 */
#ifndef STORE_ENGINE_FLOW_H
#define STORE_ENGINE_FLOW_H

#include "store/base/core/buf.h"
#include "store/engine/engine.h"
#include "store/model/item_json.h"

enum flow_form {
	FLOW_LINES, /* an item a line */
	FLOW_ARRAY, /* a JSON array, with an item a line */
	FLOW_CSV,   /* store/model/csv.h: the columns are found first, in a pass of their own */
	FLOW_COUNT, /* how many items, and a newline */
};

/* What to read.  Borrowed until flow_close(), as is all it points to. */
struct flow_in {
	const struct op_in *requests; /* OP_QUERY or OP_SCAN, without Limit, start and segments */
	size_t n; /* at least 1; several Querys of one table or index, which differ in their values only, are merged by sort key */
	const struct schema *schema; /* of the table, as whoever reads knows it */
	uint64_t limit;              /* items at most; 0: all */
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
 * flow_next - append the text of the next items
 * @bytes: stop when so many have been appended; the last item is always whole
 *
 * It also stops, perhaps with nothing appended, after some thousand items or a megabyte that were
 * read, or a page that was asked for: whoever waits for the text can be looked after in between.
 *
 * Return:  0; FLOW_END: that was the end of the text, it is not called again
 * Errors:  -ERR_IO, -ERR_CORRUPT, -ERR_THROTTLED ...: the next call goes on at the same item; -ERR_CONFLICT: CSV
 * of what is not frozen, and its columns are others by now: to be begun anew
 * Thread:  one at a time
 */
static inline int
flow_next(struct flow *f, struct call *c, struct buf *out, size_t bytes)
{
	return f->ops->next(f, c, out, bytes);
}

/** flow_close - let the frozen state go; NULL is harmless */
static inline void
flow_close(struct flow *f)
{
	if (f != NULL) {
		f->ops->close(f);
	}
}

#endif
