/* why_path - a path in a mount that nobody was refused, and that is not what somebody meant */
#ifndef TOOLS_WHY_PATH_H
#define TOOLS_WHY_PATH_H

#include "store/base/buf.h"

/**
 * why_path - append a sentence on the first component that explains it: a name that is not there, a clause that is not
 * finished, a filter that finds nothing for a bare word or an attribute that no item has, a file that is no item; else on
 * what is there, or on a path that is in no mount
 * @path: absolute
 */
void why_path(const char *path, struct buf *out);

#endif
