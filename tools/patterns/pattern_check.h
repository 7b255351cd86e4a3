/* pattern_check - runs all access patterns of a file as tests: itemctl run PATTERNS --all */
#ifndef TOOLS_PATTERNS_PATTERN_CHECK_H
#define TOOLS_PATTERNS_PATTERN_CHECK_H

#include "tools/patterns/patterns.h"

struct ctl;

/**
 * pattern_check - run all patterns with the values in the file, and print for each whether its result is as expected
 *
 * Return: 0; 1 if a pattern has failed; -ERR_USAGE  a pattern writes to another machine without --yes or --dry-run;
 *         -ERR_BUSY  interrupted; the errors of ctl_open_store()
 */
int pattern_check(struct ctl *ctl, struct call *c, const struct patterns *all) must_check;

#endif
