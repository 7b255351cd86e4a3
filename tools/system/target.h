/* target - an output file that is written under a temporary name until it is complete */
#ifndef TOOLS_SYSTEM_TARGET_H
#define TOOLS_SYSTEM_TARGET_H

#include "store/base/core/base.h"

struct target {
	const char *
		name; /* its final name, not a link; NULL: standard output or error, which stay open */
	const char *part; /* its temporary name; NULL: written in place */
	int fd;
};

/**
 * target_open - open @name; NULL, "-" and names like /dev/stdout are standard output
 *
 * Pipes, devices and the files that are standard output or error are written in place. A link stays a link: its target
 * is replaced. The new file keeps the mode and, if possible, the owner and group of the one that it replaces.
 *
 * Errors:  as no_file_made(); -ERR_USAGE  also for a directory and for a file in a mount
 */
int target_open(struct call *c, const char *name, struct target *t) must_check;

/**
 * target_close - rename a complete file, or remove an incomplete one
 * @r: the result of writing it, 0 or -ERR_*
 *
 * Return: @r, or -ERR_IO
 */
int target_close(struct call *c, struct target *t, int r) must_check;

/** target_redirected - the name of the file, pipe, terminal or device that is standard output; NULL if unknown */
const char *target_redirected(struct call *c);

#endif
