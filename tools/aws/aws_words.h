/* aws_words - keys and items without types in command lines of the AWS tool, as words of itemctl */
#ifndef TOOLS_AWS_AWS_WORDS_H
#define TOOLS_AWS_AWS_WORDS_H

#include "store/base/core/call.h"

/** aws_words_option - the name of an option, without dashes and value; empty: @arg is not an option */
struct slice aws_words_option(const char *arg);

/**
 * aws_words_replace - replace plain values of --key and --item by values that the command takes as words
 * @command: the command of itemctl
 * @argv:    words from the command on; changed in place to options that synonyms.h knows
 *
 * Return: true if a value was plain: then the line is not a request of the API
 */
bool aws_words_replace(struct call *c, const char *command, int argc, char **argv);

#endif
