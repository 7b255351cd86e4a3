/* template_int - functions that the readers of templates share */
#ifndef TOOLS_MODEL_TEMPLATE_INT_H
#define TOOLS_MODEL_TEMPLATE_INT_H

#include "tools/model/template.h"
#include "tools/model/template_value.h"

/** template_add - append a table in the arena of the call; the caller fills it; valid until the next template_add() */
struct template_table *template_add(struct call *c, struct template_tables *out);

/** template_attribute - write {"AttributeName": @name, @member: @value} */
void template_attribute(struct json_writer *w, struct slice name, const char *member,
			struct slice value);

/** template_is_terraform - return true for a JSON configuration, output of "terraform show -json", or a state file */
bool template_is_terraform(const struct json *json);

/** template_read_terraform - append all aws_dynamodb_table resources; see template_read() */
void template_read_terraform(struct call *c, const struct json *json, struct template_tables *out);

#endif
