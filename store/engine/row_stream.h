/*
 * row_stream - the result of a read of any length as a stream of text
 *
 * An embedded engine reads one snapshot of the store (store/local/read/read_row_stream.c). Other engines are asked for
 * pages (row_stream_pages.c), each of which shows the state at its own time, as with the paginators of the SDKs.
 *
 *   struct row_stream *f;
 *   r = engine_row_stream_open(e, c, &in, &f);
 *   while ((r = row_stream_next(f, c, &text, 64 * 1024)) == 0) {
 *           ... send text, empty it ...
 *   }
 *   row_stream_close(f);
 *
 * Memory does not grow with the length of the result.
 */
#ifndef STORE_ENGINE_ROW_STREAM_H
#define STORE_ENGINE_ROW_STREAM_H

#include "store/engine/engine.h"
#include "store/model/item_json.h"

enum row_stream_form {
	ROW_STREAM_LINES, /* one item per line */
	ROW_STREAM_ARRAY, /* a JSON array, one item per line */
	ROW_STREAM_CSV,   /* store/model/csv.h; a first pass over all items finds the columns */
	ROW_STREAM_COUNT, /* the number of items, and a newline */
};

/* What to read. It is borrowed until row_stream_close(), with all it points to. */
struct row_stream_in {
	const struct op_in *requests; /* OP_QUERY or OP_SCAN, without Limit, start and segments */
	/* At least 1. Several are Querys of one table or index that differ in their values only; merged by sort key. */
	size_t n;
	const struct schema *schema; /* of the table, as the caller knows it */
	uint64_t limit;              /* most items; 0: all */
	enum row_stream_form form;
	enum item_form json; /* how items are written; key attributes come first */
};

struct row_stream_ops {
	int (*next)(struct row_stream *f, struct call *c, struct buf *out, size_t bytes);
	void (*close)(struct row_stream *f);
};

struct row_stream {
	const struct row_stream_ops *ops;
};

enum { ROW_STREAM_END = 1 };

/**
 * row_stream_next - append the text of the next items to @out
 * @bytes: stop when at least this number of bytes was appended; the last item is always complete
 *
 * It also stops, perhaps with nothing appended, after one page, or after some thousand items or a megabyte were read,
 * so that the caller can check whether its reader is still there.
 *
 * Return:  0; ROW_STREAM_END at the end of the text: do not call it again
 * Errors:  -ERR_IO, -ERR_CORRUPT, -ERR_THROTTLED, ...: the next call continues with the same item
 *          -ERR_CONFLICT: CSV without a snapshot, and an item has new attributes: start again
 * Thread:  one at a time
 */
static inline int
row_stream_next(struct row_stream *f, struct call *c, struct buf *out, size_t bytes)
{
	return f->ops->next(f, c, out, bytes);
}

/**
 * row_stream_pages_open - open a row stream over pages of Query and Scan, for any engine; pair with row_stream_close()
 *
 * It makes no request: errors of the engine come from row_stream_next().
 */
struct row_stream *row_stream_pages_open(struct engine *e, struct call *c,
					 const struct row_stream_in *in);

/** row_stream_close - free the row stream and its snapshot; @f may be NULL */
static inline void
row_stream_close(struct row_stream *f)
{
	if (f != NULL) {
		f->ops->close(f);
	}
}

#endif
