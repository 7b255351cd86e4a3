/* table_settings - the settings of a table other than keys, indexes and streams: compared and changed */
#ifndef TOOLS_MODEL_TABLE_SETTINGS_H
#define TOOLS_MODEL_TABLE_SETTINGS_H

#include "tools/model/model.h"

struct ctl;

/**
 * definition_check - check that the table @now can become like @wanted
 *
 * Errors:  -ERR_USAGE  the message names the member that cannot be changed
 */
int definition_check(struct call *c, const struct schema *now, const struct schema *wanted)
	must_check;

/**
 * definition_change - change each setting that the file contains and that differs, one request after the other
 *
 * Settings are billing mode and throughput, table class, encryption, on-demand and warm throughput (also of global
 * indexes that both have), deletion protection, and tags.  Members that the file does not contain are not changed.
 */
int definition_change(struct ctl *ctl, struct call *c, const struct model_table *wanted) must_check;

#endif
