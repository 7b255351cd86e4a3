/* complete - completion in the shell: commands, options, tables, indexes, attributes, partition keys */
#ifndef TOOLS_SESSION_COMPLETE_H
#define TOOLS_SESSION_COMPLETE_H

#include "store/base/core/base.h"

/**
 * complete_line - append candidates for @word, each followed by NUL; a prompt_complete_fn
 * @arg: struct ctl; its store is opened if necessary, and closed again
 */
void complete_line(void *arg, struct slice before, struct slice word, struct buf *out);

#endif
