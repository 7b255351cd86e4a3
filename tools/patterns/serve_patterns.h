/* serve_patterns - a file of access patterns as the pages of a server read it (store/page/page_patterns.h) */
#ifndef TOOLS_PATTERNS_SERVE_PATTERNS_H
#define TOOLS_PATTERNS_SERVE_PATTERNS_H

#include "store/base/core/call.h"

/**
 * serve_patterns - translate a file as "itemctl run" has it
 * @file: NULL: nothing is done
 * @path: names the translation for this process and the program that it becomes
 *
 * Errors:  -ERR_USAGE  with the place in the file
 */
int serve_patterns(struct call *c, const char *file, const char **path)
	__attribute__((warn_unused_result));

#endif
