/* scan_hints - scans to suggest after a query that found nothing */
#ifndef TOOLS_ADVICE_SCAN_HINTS_H
#define TOOLS_ADVICE_SCAN_HINTS_H

#include "tools/advice/query_hints.h"

/**
 * scan_hints_filter - append a scan with a filter if the words are a condition: "total > 1", "total=1", "total gt 1"
 *
 * Appends nothing otherwise, for a far store, or if no item of a sample has the attribute.
 */
void scan_hints_filter(const struct query_hints *q, struct call *c, struct buf *b);

/** scan_hints_limit - for "show TABLE 5" append a scan of the first 5 items; nothing if the word is no small number */
void scan_hints_limit(const struct query_hints *q, struct buf *b);

#endif
