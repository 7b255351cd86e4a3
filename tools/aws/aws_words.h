/* aws_words - words of a command line of the AWS tool: which command can execute it, keys and items without types */
#ifndef TOOLS_AWS_AWS_WORDS_H
#define TOOLS_AWS_AWS_WORDS_H

#include "store/op/op.h"

/** aws_words_option - the name of an option, without dashes and value; empty: @arg is not an option */
struct slice aws_words_option(const char *arg);

/**
 * aws_words_operation - the operation that a command line begins with, or OP_COUNT
 * @name:   "get-item", or the name of a command of itemctl
 * @called: set to true if itemctl has the operation only in the command call
 */
enum op_type aws_words_operation(const char *name, bool *called);

/** aws_words_marks - return true if no command of itemctl has the option @name; @called: as above */
bool aws_words_marks(struct slice name, enum op_type type, bool called);

/**
 * aws_words_are_api - return true if the line has a table and options of the API, and nothing of itemctl
 *
 * Then the answer is printed as the API gives it, unless --output asks for another format.
 */
bool aws_words_are_api(enum op_type type, int argc, char **argv);

/**
 * aws_words_replace - replace plain values of --key and --item by values that the command takes as words
 * @command: the command of itemctl
 * @argv:    words from the command on; changed in place to options that synonyms.h knows
 *
 * Return: true if a value was plain: then the line is not a request of the API
 */
bool aws_words_replace(struct call *c, const char *command, int argc, char **argv);

#endif
