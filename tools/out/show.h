/* show - lines for people on standard error */
#ifndef TOOLS_OUT_SHOW_H
#define TOOLS_OUT_SHOW_H

#include "store/base/core/buf.h"

/** show_put - append lines; what users typed, files hold and servers say may be in them: nothing of that acts on a terminal */
void show_put(struct buf *out, struct slice lines);

/** show_lines - the same to standard error */
void show_lines(struct slice lines);

#endif
