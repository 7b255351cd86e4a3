/* model_workbench - tables of a NoSQL Workbench model, {"DataModel": [...]}, as CreateTable operations */
#ifndef TOOLS_MODEL_MODEL_WORKBENCH_H
#define TOOLS_MODEL_MODEL_WORKBENCH_H

#include "tools/model/model.h"

/** model_workbench_is - return true if @json has a list of tables as its member DataModel */
bool model_workbench_is(const struct json *json);

/**
 * model_workbench_read - read all tables of the model @json
 * @json: must be a Workbench model, see model_workbench_is(); borrowed until the call ends
 * @out:  zeroed; its tables are in the arena of the call
 *
 * Errors:  -ERR_USAGE  the message names the table
 */
int model_workbench_read(struct call *c, const struct json *json, struct model *out) must_check;

#endif
