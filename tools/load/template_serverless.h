/*
 * template_serverless - the variables of serverless.yml: ${self:custom.x}, ${sls:stage}, ${opt:stage, 'dev'}
 *
 * Nothing is asked for but the file: an option or a variable of the environment is what stands behind the comma.
 * Without that the stage and the region are the provider's, else dev and us-east-1; anything else is its own name's
 * last part, and is noted.
 */
#ifndef TOOLS_LOAD_TEMPLATE_SERVERLESS_H
#define TOOLS_LOAD_TEMPLATE_SERVERLESS_H

#include "tools/load/template_value.h"

/** template_serverless_is_one - has it resources in the place where serverless.yml has them? */
bool template_serverless_is_one(const struct json *json);

/** template_serverless_text - @text with its variables filled in; what is CloudFormation's, as ${AWS::Region}, stays */
struct slice template_serverless_text(const struct template_scope *s, struct slice text);

/** template_serverless_value - the object or array for which the whole of @text stands, or NULL */
const struct json *template_serverless_value(const struct template_scope *s, struct slice text);

#endif
