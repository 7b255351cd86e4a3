/* elsewhere - options and words that a command has not, and the command that does it */
#ifndef TOOLS_CLI_ELSEWHERE_H
#define TOOLS_CLI_ELSEWHERE_H

#include "store/base/core/buf.h"

#include "tools/cli/opts.h"

/** elsewhere_option - append what does it, for the first option among the words behind @command that is known; false: none is */
bool elsewhere_option(struct buf *out, const char *command, int argc, char **argv);

/** elsewhere_into - append to the line @out of a scan or query what writes its answer to @file, in the form of its suffix; nothing for "EXPR", which stands for no file */
void elsewhere_into(struct buf *out, const char *file);

/** elsewhere_word - likewise, for the words from @at on, which are too many */
bool elsewhere_word(struct buf *out, const char *command, const struct words *w, size_t at);

#endif
