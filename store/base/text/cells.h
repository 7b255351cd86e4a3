/* cells - text of cells, RFC 4180: where a record ends, and what is in it */
#ifndef STORE_BASE_TEXT_CELLS_H
#define STORE_BASE_TEXT_CELLS_H

#include "store/base/core/buf.h"
#include "store/base/core/call.h"

/* One cell as it was read. */
struct cell {
	struct slice text;
	bool quoted;
};

enum { CELLS_LAST = 1 };

/**
 * cells_record - length of the first record of @text, its newline included
 * @whole: nothing follows @text
 *
 * Return: 0 when the record is not complete.
 */
size_t cells_record(struct slice text, char delimiter, bool whole);

/** cells_quote - append @text between quotes, those in it doubled */
void cells_quote(struct buf *out, struct slice text);

/** cells_line - a record without the newline at its end */
struct slice cells_line(struct slice record);

/**
 * cells_next - take the first cell of what is left of a record without its newline
 *
 * Return:  0, CELLS_LAST
 * Errors:  -ERR_VALIDATION  its quotes are wrong
 * Memory:  a quoted cell's text is in the call's arena, others borrow @rest
 */
int cells_next(struct call *c, char delimiter, struct slice *rest, struct cell *out)
	__attribute__((warn_unused_result));

#endif
