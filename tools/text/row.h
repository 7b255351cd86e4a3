/* row - attributes of the rows that commands print about tables and items */
#ifndef TOOLS_TEXT_ROW_H
#define TOOLS_TEXT_ROW_H

#include "store/model/item.h"

#include "tools/text/fmt.h"

static inline struct attr
row_text(const char *name, struct slice text)
{
	return (struct attr){.name = slice_from(name), .value = value_string(text)};
}

/** row_number - @v with up to 15 significant digits, without trailing zeros */
static inline struct attr
row_number(struct arena *arena, const char *name, double v)
{
	return (struct attr){
		.name = slice_from(name),
		.value = {.type = VALUE_N, .text = fmt_slice(arena, "%.15g", v)},
	};
}

static inline struct attr
row_count(struct arena *arena, const char *name, uint64_t n)
{
	return (struct attr){
		.name = slice_from(name),
		.value = {.type = VALUE_N, .text = fmt_slice(arena, "%lu", (unsigned long)n)},
	};
}

#endif
