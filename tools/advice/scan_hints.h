/* scan_hints - after a query that has found nothing: the scan that was meant */
#ifndef TOOLS_ADVICE_SCAN_HINTS_H
#define TOOLS_ADVICE_SCAN_HINTS_H

#include "tools/advice/query_hints.h"

/** scan_hints_filter - "total > 1", "total=1", "total gt 1" of an attribute that items have: append the line with a filter; nothing if it is none */
void scan_hints_filter(const struct query_hints *q, struct call *c, struct buf *b);

/** scan_hints_limit - "show TABLE 5": append the line with the first 5 items; nothing if the word is no small number */
void scan_hints_limit(const struct query_hints *q, struct buf *b);

#endif
