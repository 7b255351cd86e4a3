/* serve_patterns - translates a file of access patterns for the pages of a server (store/page/page_patterns.h) */
#ifndef TOOLS_PATTERNS_SERVE_PATTERNS_H
#define TOOLS_PATTERNS_SERVE_PATTERNS_H

#include "store/base/core/base.h"

/**
 * serve_patterns - translate a pattern file of "itemctl run" to JSON
 * @file: NULL: do nothing
 * @path: set to the name of the translation, an open file of this process, which stays open after exec
 *
 * Return: 0; -ERR_USAGE, with the place in the file; -ERR_IO
 */
int serve_patterns(struct call *c, const char *file, const char **path) must_check;

#endif
