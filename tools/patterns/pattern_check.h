/* pattern_check - every access pattern of a file as a check: itemctl run PATTERNS --all */
#ifndef TOOLS_PATTERNS_PATTERN_CHECK_H
#define TOOLS_PATTERNS_PATTERN_CHECK_H

#include "tools/patterns/patterns.h"

struct ctl;

/**
 * pattern_check - run all of them with their own values, and print of each whether it is as expected
 *
 * Return:  1 if one is not
 * Errors:  the store cannot be opened; interrupted; patterns that write, on a server elsewhere, without --yes or --dry-run
 */
int pattern_check(struct ctl *ctl, struct call *c, const struct patterns *all)
	__attribute__((warn_unused_result));

#endif
