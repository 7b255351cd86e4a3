/*
 * fold - attributes as running text, in a column of a table
 *
 *   EmployeeName: John Smith  Salary: 55000
 *   CommissionPct: 5
 *
 * For tables with more attributes than a terminal has columns: items of one table
 * need not have attributes in common.
 */
#ifndef TOOLS_TEXT_FOLD_H
#define TOOLS_TEXT_FOLD_H

#include "store/base/core/buf.h"

/* Text being laid out; lines end with '\n'. */
struct fold {
	struct buf *out;
	size_t width;  /* columns of a line, at least 1 */
	size_t column; /* of the last line */
};

/** fold_width - columns that UTF-8 text takes on a terminal */
size_t fold_width(struct slice text);

/** fold_text - text broken between words, within one that is wider than a line */
void fold_text(struct fold *f, struct slice text);

/**
 * fold_add - one attribute behind the others
 *
 * It begins a line of its own when it does not fit behind them, and is broken as text is where it
 * is wider than a line.
 */
void fold_add(struct fold *f, struct slice name, struct slice value);

#endif
