/*
 * page_patterns - access patterns that a browser can run, from a file with one JSON object a line
 *
 *   {"pattern": "orders", "about": "of a customer",
 *    "parameters": [{"name": "customer", "about": "who ordered", "value": "C1", "number": false}],
 *    "lines": [{"text": "query shop ...", "table": "shop", "index": "ByDate", "words": ["C#${customer}"], "op": ">=",
 *               "value": "2026", "to": "2027", "filter": "Total > 5", "order": "desc", "limit": "25", "note": "..."}]}
 *
 * itemctl serve --patterns makes it.  A line without "table" is only shown.  "words" are values of the partition
 * key, then of the sort key; the operator is for the next attribute.  Everything but names may be left out.
 *
 * Where a parameter's value goes, a text has U+0001, its name, U+0002.  Within quotes of an expression these are
 * written \u0001 and \u0002, and the value is escaped.
 */
#ifndef STORE_PAGE_PAGE_PATTERNS_H
#define STORE_PAGE_PAGE_PATTERNS_H

#include "store/base/core/call.h"

struct page_patterns;

/**
 * page_patterns_read - the whole file
 *
 * Errors:  -ERR_VALIDATION  it cannot be read, or a line of it is not as above; the message names the file and the line
 * Memory:  of the call
 */
int page_patterns_read(struct call *c, const char *path, const struct page_patterns **out)
	__attribute__((warn_unused_result));

#endif
