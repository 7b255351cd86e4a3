/* aws_hints - after a command line of the AWS tool that the API refused: the same line corrected */
#ifndef TOOLS_AWS_HINTS_H
#define TOOLS_AWS_HINTS_H

#include "tools/ctl.h"

/**
 * aws_hints_find - append what to type instead: of reserved words, a key condition on an index, --billing-mode
 *
 * Return: false: nothing is known, or the request was not typed with options.
 */
bool aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

#endif
