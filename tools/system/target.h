/* target - a file being written: beside its name until it is complete */
#ifndef TOOLS_SYSTEM_TARGET_H
#define TOOLS_SYSTEM_TARGET_H

#include "store/base/core/call.h"

struct target {
	const char *
		name; /* what it will be, no link; NULL: standard output or error, which stay open */
	const char *part; /* NULL: written in place */
	int fd;
};

/**
 * target_open - @name, or standard output for NULL, "-" and its own names
 *
 * Pipes and devices are written in place, and so is what standard output or
 * error is open on; a link stays a link.  A file that is replaced leaves its
 * mode, and where possible its owner and group.
 *
 * Errors:  -ERR_USAGE, -ERR_IO  as no_file(); -ERR_VALIDATION  also: a directory
 */
int target_open(struct call *c, const char *name, struct target *t)
	__attribute__((warn_unused_result));

/**
 * target_close - give a complete file its name, or take an incomplete one away
 * @r: of the writing
 *
 * Return: @r, or -ERR_IO
 */
int target_close(struct call *c, struct target *t, int r) __attribute__((warn_unused_result));

/** target_redirected - the name of the file that standard output is; of a pipe, a terminal or a device its own; NULL: none */
const char *target_redirected(struct call *c);

#endif
