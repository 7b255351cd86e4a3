/* aws_hints - corrected command lines for requests of the AWS tool that the API refused */
#ifndef TOOLS_ADVICE_AWS_HINTS_H
#define TOOLS_ADVICE_AWS_HINTS_H

#include "tools/session/ctl.h"

/** aws_hints_find - append the fault of a request of "call" that was refused, and the corrected line; false: unknown */
bool aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

/**
 * aws_hints_json - add a line with valid JSON to the error of @c, if the value can be corrected
 * @member: member of the request, whose option has the value
 * @text:   the value, which is not JSON
 */
void aws_hints_json(struct call *c, enum op_type type, struct slice member, struct slice text);

/**
 * aws_hints_broken - append what is wrong with the second word, which is not JSON, and the typed line with valid JSON
 *
 * Return: false: the word cannot be corrected; nothing is appended
 */
bool aws_hints_broken(const struct ctl *ctl, const struct call *c, struct buf *out);

#endif
