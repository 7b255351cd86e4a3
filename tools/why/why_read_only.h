/* why_read_only - a mount where nothing is written tells why */
#ifndef TOOLS_WHY_WHY_READ_ONLY_H
#define TOOLS_WHY_WHY_READ_ONLY_H

#include "store/base/core/buf.h"

/**
 * why_read_only - is @path in a mount that is read-only?
 * @path: absolute; need not be there
 * @out:  its reason, a sentence, is appended where it has one
 */
bool why_read_only(const char *path, struct buf *out);

#endif
