/* out_md - items as the rows of a table in Markdown */
#ifndef TOOLS_OUT_OUT_MD_H
#define TOOLS_OUT_OUT_MD_H

#include "store/model/csv.h"

/** out_md_header - the names of the columns, and the line below them; numbers stand on the right */
void out_md_header(struct buf *out, const struct csv_columns *columns);

/** out_md_row - an item; what means something in Markdown is escaped, a line break is <br> */
void out_md_row(struct buf *out, const struct csv_columns *columns, const struct item *it);

#endif
