/* aws_hints - after a command line of the AWS tool that the API refused: the same line corrected */
#ifndef TOOLS_ADVICE_AWS_HINTS_H
#define TOOLS_ADVICE_AWS_HINTS_H

#include "tools/session/ctl.h"

/** aws_hints_find - append what is wrong with the request of "call" that was refused, and the typed line corrected; false: nothing is known */
bool aws_hints_find(const struct ctl *ctl, const struct call *c, struct buf *out);

/** aws_hints_json - the value of the option of @member, which is no JSON: below the error of @c the line with JSON, if it can be made of it */
void aws_hints_json(struct call *c, enum op_type type, struct slice member, struct slice text);

/** aws_hints_broken - append the typed line with the last word, which is no JSON, as JSON, and what is wrong; false: it can not be made of it */
bool aws_hints_broken(const struct ctl *ctl, const struct call *c, struct buf *out);

#endif
