/* why_outside - explains a path that is in no mount of itemfs */
#ifndef TOOLS_WHY_WHY_OUTSIDE_H
#define TOOLS_WHY_WHY_OUTSIDE_H

#include "store/base/core/base.h"

/**
 * why_outside - append a sentence about @path: the directory of a store, a missing name, a mount whose process has
 * ended, or another place; and where mounts are
 * @path: absolute
 * @dir:  the directory that exists, a part of @path
 * @name: the name that is missing in @dir; empty: all of @path exists
 * @by:   the most similar entry of @dir is appended, if there is one
 */
void why_outside(const char *path, const char *dir, struct slice name, struct buf *out,
		 struct buf *by);

#endif
