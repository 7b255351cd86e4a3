/* aws_detection - detection of command lines that only the command call can execute */
#ifndef TOOLS_AWS_AWS_DETECTION_H
#define TOOLS_AWS_AWS_DETECTION_H

#include "store/op/op.h"

/**
 * aws_detection_operation - the operation that a command line begins with, or OP_COUNT
 * @name:   "get-item", or the name of a command of itemctl
 * @called: set to true if itemctl has the operation only in the command call
 */
enum op_type aws_detection_operation(const char *name, bool *called);

/** aws_detection_marks - return true if no command of itemctl has the option @name; @called: as above */
bool aws_detection_marks(struct slice name, enum op_type type, bool called);

/**
 * aws_detection_plain - return true if the line has a table and options of the API, and nothing of itemctl
 *
 * Then the answer is printed as the API gives it, unless --output asks for another format.
 */
bool aws_detection_plain(enum op_type type, int argc, char **argv);

#endif
