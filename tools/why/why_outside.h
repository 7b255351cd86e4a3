/* why_outside - a path that is in no mount of itemfs */
#ifndef TOOLS_WHY_WHY_OUTSIDE_H
#define TOOLS_WHY_WHY_OUTSIDE_H

#include "store/base/core/buf.h"

/**
 * why_outside - append a sentence on @path: a store's directory, a name that is not there, a mount whose process has ended, or just elsewhere;
 * and where mounts are
 * @path: absolute
 * @dir:  its part that is there, a directory
 * @name: what is not there in @dir; empty: all of @path is there
 * @by:   appended: the entry of @dir that is meant by @name, where one is near
 */
void why_outside(const char *path, const char *dir, struct slice name, struct buf *out,
		 struct buf *by);

#endif
