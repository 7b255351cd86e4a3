/* aws_shorthand - the AWS command line's short form of structures: A=b,C=[d,e],F={G=h} */
#ifndef TOOLS_AWS_AWS_SHORTHAND_H
#define TOOLS_AWS_AWS_SHORTHAND_H

#include "store/base/text/json.h"

/**
 * aws_shorthand - write it as JSON; numbers and truth values by the names that have them (...Units, ...Enabled)
 *
 * Errors:  -ERR_USAGE  it is none
 */
int aws_shorthand(struct call *c, struct json_writer *w, struct slice text)
	__attribute__((warn_unused_result));

/** aws_shorthand_scalar - a value as text, number or truth value, by the name of its member */
void aws_shorthand_scalar(struct json_writer *w, struct slice name, struct slice value);

#endif
