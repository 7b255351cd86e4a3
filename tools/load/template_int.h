/* template_int - what the readers of templates share */
#ifndef TOOLS_LOAD_TEMPLATE_INT_H
#define TOOLS_LOAD_TEMPLATE_INT_H

#include "tools/load/template.h"
#include "tools/load/template_value.h"

/** template_add - room for one more table, in the call's arena */
struct template_table *template_add(struct call *c, struct template_tables *out);

/** template_attribute - {"AttributeName": @name, @member: @value} */
void template_attribute(struct json_writer *w, struct slice name, const char *member,
			struct slice value);

/** template_is_terraform - configuration in JSON, a plan or state of "terraform show -json", or a state file? */
bool template_is_terraform(const struct json *json);

/** template_read_terraform - as template_read() */
void template_read_terraform(struct call *c, const struct json *json, struct template_tables *out);

#endif
