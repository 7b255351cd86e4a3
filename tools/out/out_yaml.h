/* out_yaml - prints JSON as YAML for people, and items as cells between tabs for cut and awk */
#ifndef TOOLS_OUT_OUT_YAML_H
#define TOOLS_OUT_OUT_YAML_H

#include "store/model/csv.h"

/**
 * out_yaml - append a JSON text as YAML, with a newline
 * @json: text that is not JSON is appended unchanged
 * @element: as an element of a list, after "- "
 */
void out_yaml(struct buf *b, struct slice json, bool element);

/* The columns of the cells: attributes in the order of their first appearance */
struct out_cells {
	struct arena arena; /* of the columns */
	struct csv_columns columns;
};

/**
 * out_cells_put - append a row, and columns for its new attributes
 *
 * Values are separated by tabs; tabs, newlines and backslashes in them are escaped. A missing attribute is empty. The
 * row ends after its last attribute.
 */
void out_cells_put(struct out_cells *cells, struct buf *b, const struct item *it);

#endif
