/* row - attributes of the rows that commands print about tables and items */
#ifndef TOOLS_TEXT_ROW_H
#define TOOLS_TEXT_ROW_H

#include "store/base/core/buf.h"
#include "store/model/item.h"

static inline struct attr
row_text(const char *name, struct slice text)
{
	return (struct attr){.name = slice_from(name), .value = value_string(text)};
}

/** row_number - @v with up to 15 significant digits, without trailing zeros */
static inline struct attr
row_number(struct arena *arena, const char *name, double v)
{
	struct buf b;

	buf_init(&b, arena);
	buf_fmt(&b, "%.15g", v);
	return (struct attr){.name = slice_from(name),
			     .value = {.type = VALUE_N, .text = buf_view(&b)}};
}

static inline struct attr
row_count(struct arena *arena, const char *name, uint64_t n)
{
	return row_number(arena, name, (double)n);
}

#endif
