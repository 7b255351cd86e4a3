/* why_path - explains a path in a mount that was not refused, but may be a mistake */
#ifndef TOOLS_WHY_WHY_PATH_H
#define TOOLS_WHY_WHY_PATH_H

#include "store/base/core/base.h"

struct why_answer {
	bool written;       /* in: the path was refused on writing, so its name is not misspelt */
	struct buf message; /* a sentence */
	struct buf
		instead; /* what to type: the corrected path, quoted for a shell, or a command line; empty: unknown */
	bool more; /* the answer says more than the log line of a refusal */
	size_t refused; /* bytes of the path up to a value that the mount refuses, see its log; 0: none */
};

/**
 * why_path - find the first component that explains a path
 *
 * That is a missing name, an unfinished clause, a filter that finds nothing because of an unquoted word or an attribute
 * that no item has, or a file that is no item.  If there is none, describe what is at the path, or say that it is in no
 * mount.
 *
 * @path: absolute
 * @out:  zero except for the input; the caller releases the buffers
 */
void why_path(const char *path, struct why_answer *out);

#endif
