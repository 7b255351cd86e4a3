/*
 * wrap - attributes wrapped as running text, in a column of a table
 *
 *   EmployeeName: John Smith  Salary: 55000
 *   CommissionPct: 5
 *
 * It is for tables with more attributes than a terminal has columns: items of one table need not have attributes in
 * common. Lines break between attributes, or else between words. A word is broken only if it is wider than a line.
 */
#ifndef TOOLS_TEXT_WRAP_H
#define TOOLS_TEXT_WRAP_H

#include "store/base/core/base.h"

/* The state of wrapping; lines end with '\n' */
struct wrap {
	struct buf *out;
	size_t width;  /* columns of a line, at least 1 */
	size_t column; /* columns used in the last line */
};

/** wrap_width - number of columns that UTF-8 text occupies on a terminal */
size_t wrap_width(struct slice text);

/** wrap_text - append text, broken between words, and within a word that is wider than a line */
void wrap_text(struct wrap *f, struct slice text);

/**
 * wrap_add - append an attribute
 *
 * It begins a new line if it does not fit on the current one. An attribute that is wider than a line is broken.
 */
void wrap_add(struct wrap *f, struct slice name, struct slice value);

#endif
