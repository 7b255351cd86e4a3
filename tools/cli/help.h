/* help - what "itemctl help" prints, made from the tables */
#ifndef TOOLS_CLI_HELP_H
#define TOOLS_CLI_HELP_H

#include "store/base/core/buf.h"

#include "tools/cli/commands.h"
#include "tools/cli/topics.h"

/** help_width - of the terminal @fd, 40 columns at least; of anything else 80 */
size_t help_width(int fd);

/** help_overview - what fits on half a screen: the names of all commands, and how to begin */
void help_overview(struct buf *out, const struct help_group *groups);

/** help_list - all commands, one line each, then the topics and global options */
void help_list(struct buf *out, size_t width, const struct help_group *groups,
	       const struct opt *global);

/** help_usage - how the command is written, for each form */
void help_usage(struct buf *out, size_t width, const struct command *command);

void help_topic(struct buf *out, size_t width, const struct topic *topic);

/** help_aliases - what else commands and options may be called, from synonyms.h */
void help_aliases(struct buf *out, size_t width, const struct help_group *groups);

/** help_command - usage, paragraphs, options and examples of one */
void help_command(struct buf *out, size_t width, const struct command *command);

#endif
