/*
 * sheet - rows that wait for their header: columns are known when all items are
 *
 * Rows are kept as CSV in memory, and beyond a piece in an unnamed file, so that an answer of any
 * size is read from the store only once.  Most columns are known after a few rows, so nearly all
 * are copied as they are; those before the last new column, or the last one that held one type of
 * values until then, are read and written again.
 */
#ifndef TOOLS_OUT_SHEET_H
#define TOOLS_OUT_SHEET_H

#include "store/model/item.h"

#include "tools/out/sink.h"

struct sheet;

enum sheet_form {
	SHEET_CSV,
	SHEET_TSV,      /* the same between tabs */
	SHEET_MARKDOWN, /* a table, without the types that the header of CSV has */
};

struct sheet *sheet_new(enum sheet_form form);
void sheet_free(struct sheet *s);

/** sheet_lead - before the first row: these columns come first; the names are copied */
void sheet_lead(struct sheet *s, const struct slice *names, size_t n);

/** sheet_add - one more row; Return: false when the file cannot be written */
bool sheet_add(struct sheet *s, const struct item *it);

/** sheet_safe - print it for a spreadsheet: struct csv_columns */
void sheet_safe(struct sheet *s);

/** sheet_report - its rows are no items: the header has no types; NULL is harmless */
void sheet_report(struct sheet *s);

/** sheet_print - header and rows; Errors: -ERR_IO of the file; @out keeps its own failures */
int sheet_print(struct sheet *s, struct call *c, struct sink *out)
	__attribute__((warn_unused_result));

#endif
