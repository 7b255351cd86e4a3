/* cells - records and cells of CSV text (RFC 4180) */
#ifndef STORE_BASE_TEXT_CELLS_H
#define STORE_BASE_TEXT_CELLS_H

#include "store/base/core/base.h"

/* One cell. */
struct cell {
	struct slice text;
	bool quoted;
};

enum { CELLS_LAST = 1 };

/**
 * cells_record - length of the first record of @text, including its newline
 * @whole: @text is complete: its last record may lack the newline
 *
 * Return: the length; 0 if the record is not complete.
 */
size_t cells_record(struct slice text, char delimiter, bool whole);

/** cells_quote - append @text in quotes, with the quotes in it doubled */
void cells_quote(struct buf *out, struct slice text);

/** cells_line - @record without the newline (LF or CR LF) at its end */
struct slice cells_line(struct slice record);

/**
 * cells_next - parse the first cell of the rest of a record and remove it from *rest
 * @rest: the record without its newline at first
 *
 * Return:  0, or CELLS_LAST if it is the last cell
 * Errors:  -ERR_VALIDATION  its quotes are wrong
 * Memory:  the text of a quoted cell is in the call's arena; others borrow from @rest
 */
int cells_next(struct call *c, char delimiter, struct slice *rest, struct cell *out) must_check;

#endif
