/* help - what "itemctl help" prints, made from the tables */
#ifndef TOOLS_HELP_H
#define TOOLS_HELP_H

#include "store/base/buf.h"

#include "tools/command.h"

/** help_list - all commands, one line each; @commands ends with NULL */
void help_list(struct buf *out, const struct command *const *commands, const struct opt *global);

/** help_usage - how the command is written, a line for each form */
void help_usage(struct buf *out, const struct command *command);

/** help_command - usage, paragraphs and options of one */
void help_command(struct buf *out, const struct command *command);

#endif
