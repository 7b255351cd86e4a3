/*
 * sheet - CSV, TSV or Markdown, whose header is known only after the last item
 *
 * Rows are kept as CSV in memory, and beyond SINK_PIECE bytes in an unnamed file, so that a result of any size is read
 * from the store only once. Most columns are known after a few rows, so most rows are copied unchanged. Only rows
 * before the last change, which is a new column or another type of its values, are parsed and written again.
 */
#ifndef TOOLS_OUT_SHEET_H
#define TOOLS_OUT_SHEET_H

#include "store/model/item.h"

#include "tools/out/sink.h"

struct sheet;

enum sheet_form {
	SHEET_CSV,
	SHEET_TSV,      /* CSV with tabs */
	SHEET_MARKDOWN, /* a table; its header has no types, unlike that of CSV */
};

struct sheet *sheet_new(enum sheet_form form);

/** sheet_free - free it without printing; NULL is allowed */
void sheet_free(struct sheet *s);

/** sheet_lead - set the leading columns, before the first row; the names are copied */
void sheet_lead(struct sheet *s, const struct slice *names, size_t n);

/** sheet_add - add a row; Return: false if the temporary file cannot be written */
bool sheet_add(struct sheet *s, const struct item *it);

/** sheet_safe - escape values that a spreadsheet would take for formulas, see struct csv_columns */
void sheet_safe(struct sheet *s);

/** sheet_report - print the header without types, because the rows are not items; NULL is allowed */
void sheet_report(struct sheet *s);

/**
 * sheet_print - write the header and all rows to @out, which keeps its own failures
 *
 * Errors:  -ERR_IO    of the temporary file
 *          -ERR_BUSY  interrupted, see stop.h
 */
int sheet_print(struct sheet *s, struct call *c, struct sink *out)
	__attribute__((warn_unused_result));

#endif
