/* aws_shorthand - the AWS tool's shorthand for structures: A=b,C=[d,e],F={G=h} */
#ifndef TOOLS_AWS_AWS_SHORTHAND_H
#define TOOLS_AWS_AWS_SHORTHAND_H

#include "store/base/text/json.h"

/**
 * aws_shorthand - convert shorthand to JSON; member names decide about numbers (...Units) and booleans (...Enabled)
 *
 * Errors:  -ERR_USAGE  invalid shorthand
 */
int aws_shorthand(struct call *c, struct json_writer *w, struct slice text) must_check;

/** aws_shorthand_scalar - write a value as text, number or boolean, depending on the name of its member */
void aws_shorthand_scalar(struct json_writer *w, struct slice name, struct slice value);

#endif
