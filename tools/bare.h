/* bare - texts that somebody has forgotten to put in quotes */
#ifndef TOOLS_BARE_H
#define TOOLS_BARE_H

#include "store/base/slice.h"

/* "name operator word": both are names of attributes as it stands. */
struct bare {
	struct slice name;
	struct slice operator;
	struct slice word;
};

/** bare_find - the first comparison of @expression with a bare word; false: there is none */
bool bare_find(struct slice expression, struct bare *out);

#endif
