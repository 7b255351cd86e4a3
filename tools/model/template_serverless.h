/*
 * template_serverless - the variables of serverless.yml: ${self:custom.x}, ${sls:stage}, ${opt:stage, 'dev'}
 *
 * Only the file is read.  A command-line option or environment variable has the default value after its comma.  Without
 * a default, the stage and the region are those of the provider, or else dev and us-east-1.  Any other variable is
 * replaced by the last part of its name, and is noted.
 */
#ifndef TOOLS_MODEL_TEMPLATE_SERVERLESS_H
#define TOOLS_MODEL_TEMPLATE_SERVERLESS_H

#include "tools/model/template_value.h"

/** template_serverless_is_one - return true if @json has the members "service" and "resources" */
bool template_serverless_is_one(const struct json *json);

/** template_serverless_text - replace variables in @text, except those of CloudFormation, such as ${AWS::Region} */
struct slice template_serverless_text(const struct template_scope *s, struct slice text);

/** template_serverless_value - return the object or array that the variable @text refers to, or NULL */
const struct json *template_serverless_value(const struct template_scope *s, struct slice text);

#endif
