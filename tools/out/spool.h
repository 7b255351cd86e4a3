/*
 * spool - CSV, TSV or Markdown, whose header is known only after the last item
 *
 * Rows are kept as CSV in memory, and beyond SINK_PIECE bytes in an unnamed file, so that a result of any size is read
 * from the store only once. Most columns are known after a few rows, so most rows are copied unchanged. Only rows
 * before the last change, which is a new column or another type of its values, are parsed and written again.
 */
#ifndef TOOLS_OUT_SPOOL_H
#define TOOLS_OUT_SPOOL_H

#include "store/model/item.h"

#include "tools/out/sink.h"

struct spool;

/** spool_new - an empty spool; @delimiter: of CSV; @markdown: a table, whose header has no types */
struct spool *spool_new(char delimiter, bool markdown);

/** spool_free - free it without printing; NULL is allowed */
void spool_free(struct spool *s);

/** spool_lead - set the leading columns, before the first row; the names are copied */
void spool_lead(struct spool *s, const struct slice *names, size_t n);

/** spool_add - add a row; Return: false if the temporary file cannot be written */
bool spool_add(struct spool *s, const struct item *it);

/** spool_safe - escape values that a spreadsheet would take for formulas, see struct csv_columns */
void spool_safe(struct spool *s);

/** spool_report - print the header without types, because the rows are not items; NULL is allowed */
void spool_report(struct spool *s);

/**
 * spool_print - write the header and all rows to @out, which keeps its own failures
 *
 * Errors:  -ERR_IO    of the temporary file
 *          -ERR_BUSY  interrupted, see stop.h
 */
int spool_print(struct spool *s, struct call *c, struct sink *out) must_check;

#endif
