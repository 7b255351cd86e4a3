/* why_here - describes what is at a path of a mount that has no mistake */
#ifndef TOOLS_WHY_WHY_HERE_H
#define TOOLS_WHY_WHY_HERE_H

#include "tools/why/why_names.h"

/**
 * why_here - append a sentence about what is at @path, which exists
 * @dir:   the directory that it is in
 * @level: level of the entries of @path if it is a directory, else of @path; not WHY_OUTSIDE
 */
void why_here(const char *path, const char *dir, enum why_level level, struct buf *out);

#endif
