/* out_yaml - JSON as YAML for people; and cells between tabs for cut and awk */
#ifndef TOOLS_OUT_OUT_YAML_H
#define TOOLS_OUT_OUT_YAML_H

#include "store/base/core/buf.h"
#include "store/model/item.h"

/**
 * out_yaml - append a JSON text as YAML, with a newline
 * @element: as an element of a list, behind "- "
 */
void out_yaml(struct buf *b, struct slice json, bool element);

/* The columns of cells: attributes in the order in which they came. A row ends with its last one. */
struct out_cells {
	struct slice *names;
	size_t n;
	size_t room;
};

/** out_cells_put - append a row: tabs between values, within them \t, \n and \\; an attribute that is not there is empty */
void out_cells_put(struct out_cells *cells, struct buf *b, const struct item *it);

/** out_cells_add - a column behind the others, unless it is there */
void out_cells_add(struct out_cells *cells, struct slice name);

void out_cells_release(struct out_cells *cells);

#endif
