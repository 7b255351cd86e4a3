/* why_path - a path in a mount that nobody was refused, and that is not what somebody meant */
#ifndef TOOLS_WHY_WHY_PATH_H
#define TOOLS_WHY_WHY_PATH_H

#include "store/base/core/buf.h"

struct why_answer {
	bool written; /* given: the path was refused on writing, so its name is no misspelt one */
	struct buf message; /* a sentence */
	struct buf
		instead; /* what to type: the path as it is meant, in a shell's quotes, or a command line; empty: not known */
	bool more; /* the sentence says more than a refusal does, even if it is not known what to type */
	size_t refused; /* bytes of the path up to a value that the mount refuses, which its log explains; 0: none */
};

/**
 * why_path - find the first component that explains a path: a name that is not there, a clause that is not
 * finished, a filter that finds nothing for a bare word or an attribute that no item has, a file that is no item; else
 * what is there, or that the path is in no mount
 * @path: absolute
 * @out:  zero but for what is given; the buffers are the caller's
 */
void why_path(const char *path, struct why_answer *out);

#endif
