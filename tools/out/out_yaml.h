/* out_yaml - prints JSON as YAML for people, and items as cells between tabs for cut and awk */
#ifndef TOOLS_OUT_OUT_YAML_H
#define TOOLS_OUT_OUT_YAML_H

#include "store/base/core/buf.h"
#include "store/model/item.h"

/**
 * out_yaml - append a JSON text as YAML, with a newline
 * @json: text that is not JSON is appended unchanged
 * @element: as an element of a list, after "- "
 */
void out_yaml(struct buf *b, struct slice json, bool element);

/* The columns of the cells: attributes in the order of their first appearance */
struct out_cells {
	struct slice *names;
	size_t n;
	size_t room;
};

/**
 * out_cells_put - append a row, and columns for its new attributes
 *
 * Values are separated by tabs; tabs, newlines and backslashes in them are escaped. A missing attribute is empty. The
 * row ends after its last attribute.
 */
void out_cells_put(struct out_cells *cells, struct buf *b, const struct item *it);

/** out_cells_add - append a column unless it exists */
void out_cells_add(struct out_cells *cells, struct slice name);

void out_cells_release(struct out_cells *cells);

#endif
