/*
 * page_patterns - access patterns that a browser can run; a file has one JSON object per line for each
 *
 *   {"pattern": "orders", "about": "of a customer",
 *    "parameters": [{"name": "customer", "about": "who ordered", "value": "C1", "number": false}],
 *    "lines": [{"text": "query shop ...", "table": "shop", "index": "ByDate", "words": ["C#${customer}"], "op": ">=",
 *               "value": "2026", "to": "2027", "filter": "Total > 5", "order": "desc", "limit": "25", "note": "..."}]}
 *
 * itemctl serve --patterns writes the file.  A line without "table" is shown, but not run.  "words" are values of the
 * partition key, then of the sort key; the operator "op" is for the next attribute.  All members except names may be
 * omitted.
 *
 * A text has U+0001, a parameter's name and U+0002 in the place of the parameter's value.  Within quotes of an
 * expression these characters are written \u0001 and \u0002, and the value is escaped.
 */
#ifndef STORE_PAGE_PAGE_PATTERNS_H
#define STORE_PAGE_PAGE_PATTERNS_H

#include "store/base/core/base.h"

struct json;
struct page_patterns;

/**
 * page_patterns_read - read a file of access patterns
 *
 * Return:  0
 * Errors:  -ERR_VALIDATION  the file cannot be read, or a line is wrong; the message has the file and the line
 * Memory:  that of the call
 */
int page_patterns_read(struct call *c, const char *path, const struct page_patterns **out)
	must_check;

/** page_patterns_find - Return: the pattern of that name, or NULL; @all may be NULL */
const struct json *page_patterns_find(const struct page_patterns *all, struct slice name);

#endif
