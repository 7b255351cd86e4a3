/* aws_words - keys and items of a command line of AWS that do not say their types: words of ours */
#ifndef TOOLS_AWS_AWS_WORDS_H
#define TOOLS_AWS_AWS_WORDS_H

#include "store/base/core/call.h"

/** aws_words_option - the name of an option, without dashes and value; empty: it is a word */
struct slice aws_words_option(const char *arg);

/**
 * aws_words_replace - make words of plain values
 * @command: of ours
 * @argv:    its words from the command on; --key and --item in it are changed to what synonyms.h has
 *
 * Return: are there any?  Then the line is no request of the API.
 */
bool aws_words_replace(struct call *c, const char *command, int argc, char **argv);

#endif
