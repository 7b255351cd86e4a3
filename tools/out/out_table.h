/*
 * out_table - prints items as columns for people, up to 500 rows at a time
 *
 * On a terminal no line is wider than it: attributes that do not fit beside the others are wrapped as running text in
 * one column. Elsewhere lines have no limit.
 */
#ifndef TOOLS_OUT_OUT_TABLE_H
#define TOOLS_OUT_OUT_TABLE_H

#include "store/model/item.h"

#include "tools/out/sink.h"

struct out_table;

struct out_table *out_table_new(void);

/** out_table_free - free it without printing; NULL is allowed */
void out_table_free(struct out_table *t);

/** out_table_lead - set the leading columns, before the first row; the names are copied */
void out_table_lead(struct out_table *t, const struct slice *names, size_t n);

/** out_table_add - add a copy of a row, and print when there are enough; Return: as sink_put() */
bool out_table_add(struct out_table *t, struct sink *sink, const struct item *it);

/** out_table_flush - print the rows that are not printed yet; Return: as sink_put() */
bool out_table_flush(struct out_table *t, struct sink *sink);

/** out_table_upright - print one item with a line per attribute; Return: as sink_put() */
bool out_table_upright(struct out_table *t, struct sink *sink, const struct item *it);

#endif
