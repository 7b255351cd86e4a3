/*
 * out_table - items as columns for people, some hundred rows at a time
 *
 * On a terminal no line is wider than it: attributes that have no room beside the others are
 * folded into one column of running text, between words where there are any.
 */
#ifndef TOOLS_OUT_OUT_TABLE_H
#define TOOLS_OUT_OUT_TABLE_H

#include "store/model/item.h"

#include "tools/out/sink.h"

struct out_table;

struct out_table *out_table_new(void);
void out_table_free(struct out_table *t);

/** out_table_lead - the columns that come first, where a row has them; they are copied */
void out_table_lead(struct out_table *t, const struct slice *names, size_t n);

/** out_table_add - one more row, copied; Return: as sink_put() */
bool out_table_add(struct out_table *t, struct sink *sink, const struct item *it);

/** out_table_flush - print the rows that wait, and forget them */
bool out_table_flush(struct out_table *t, struct sink *sink);

/** out_table_upright - one item, a line for each attribute */
bool out_table_upright(struct out_table *t, struct sink *sink, const struct item *it);

#endif
