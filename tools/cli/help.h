/* help - texts of "itemctl help", made from the tables of commands, options, topics and synonyms */
#ifndef TOOLS_CLI_HELP_H
#define TOOLS_CLI_HELP_H

#include "tools/cli/commands.h"
#include "tools/cli/topics.h"

/** help_width - columns of the terminal @fd, at least 40; 80 if @fd is not a terminal */
size_t help_width(int fd);

/** help_word - length of the text up to @end or to the first blank or newline outside of brackets */
size_t help_word(const char *text, const char *end);

/** help_overview - append half a screen: the names of all commands, and how to begin */
void help_overview(struct buf *out);

/** help_list - append all commands, one line each, then the topics and global options */
void help_list(struct buf *out, size_t width, const struct opt *global);

/** help_usage - append the usage of a command, one line for each form */
void help_usage(struct buf *out, size_t width, const struct command *command);

/** help_topic - append the text of a topic */
void help_topic(struct buf *out, size_t width, const struct topic *topic);

/** help_aliases - append other names of commands and options, from synonyms.h */
void help_aliases(struct buf *out, size_t width);

/** help_command - append usage, paragraphs, options and examples of a command */
void help_command(struct buf *out, size_t width, const struct command *command);

#endif
