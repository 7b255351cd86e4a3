/* out_md - prints items as rows of a table in GitHub's Markdown */
#ifndef TOOLS_OUT_OUT_MD_H
#define TOOLS_OUT_OUT_MD_H

#include "store/model/csv.h"

/** out_md_header - append the names of the columns and the line below them, which aligns numbers to the right */
void out_md_header(struct buf *out, const struct csv_columns *columns);

/** out_md_row - append an item; special characters of Markdown are escaped, line breaks become <br> */
void out_md_row(struct buf *out, const struct csv_columns *columns, const struct item *it);

#endif
