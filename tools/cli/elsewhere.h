/* elsewhere - suggestions for options that a command does not have and for surplus words */
#ifndef TOOLS_CLI_ELSEWHERE_H
#define TOOLS_CLI_ELSEWHERE_H

#include "tools/cli/opts.h"

/**
 * elsewhere_option - append the line for the first known option among the arguments of @command
 *
 * Return: false, and nothing is appended, if none of them is known
 */
bool elsewhere_option(struct buf *out, const char *command, int argc, char **argv);

/**
 * elsewhere_into - append " >FILE" to the line of a scan or query, and the format by its suffix
 * @file: if "EXPR", a placeholder, nothing is appended
 */
void elsewhere_into(struct buf *out, const char *file);

/**
 * elsewhere_word - append the line for surplus words
 * @at: index of the first surplus word
 *
 * Return: false if there is no line
 */
bool elsewhere_word(struct buf *out, const char *command, const struct words *w, size_t at);

#endif
