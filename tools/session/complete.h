/* complete - what may stand at the end of a line of the shell: commands, options, tables, indexes, attributes */
#ifndef TOOLS_SESSION_COMPLETE_H
#define TOOLS_SESSION_COMPLETE_H

#include "store/base/core/buf.h"

/** complete_line - a prompt_complete_fn; @arg: struct ctl, whose store is opened and closed again */
void complete_line(void *arg, struct slice before, struct slice word, struct buf *out);

#endif
