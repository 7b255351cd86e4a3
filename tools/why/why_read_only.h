/* why_read_only - whether a mount is read-only, and why */
#ifndef TOOLS_WHY_WHY_READ_ONLY_H
#define TOOLS_WHY_WHY_READ_ONLY_H

#include "store/base/core/buf.h"

/**
 * why_read_only - return true if @path is in a mount that is read-only
 * @path: absolute; need not exist
 * @out:  the reason, a sentence, is appended if the mount has one
 */
bool why_read_only(const char *path, struct buf *out);

#endif
