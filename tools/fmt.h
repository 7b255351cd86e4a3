/* fmt - a text made by a format of printf() */
#ifndef TOOLS_FMT_H
#define TOOLS_FMT_H

#include "store/base/slice.h"

/** fmt_slice - in the memory of @a, with a NUL behind it */
struct slice fmt_slice(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
