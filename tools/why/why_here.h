/* why_here - what is at a path of a mount that has no mistake in it */
#ifndef TOOLS_WHY_WHY_HERE_H
#define TOOLS_WHY_WHY_HERE_H

#include "tools/why/why_names.h"

/**
 * why_here - append a sentence on what is at @path, which is there; an item that has nothing but its key is told as one
 * @dir:   the directory that it is in
 * @level: of what is in @path, if it is a directory
 */
void why_here(const char *path, const char *dir, enum why_level level, struct buf *out);

#endif
