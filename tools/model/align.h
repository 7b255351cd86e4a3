/* align - changes an existing table so that it matches a definition */
#ifndef TOOLS_MODEL_ALIGN_H
#define TOOLS_MODEL_ALIGN_H

#include "tools/model/model.h"

struct ctl;

/**
 * align - change an existing table
 *
 * Steps, in this order: settings of this store, stream, global indexes to drop, the settings of table_settings.h,
 * global indexes to add, time to live.
 *
 * Errors:  -ERR_USAGE  another key, other local indexes or less warm throughput: these cannot be changed, so nothing is
 */
int align(struct ctl *ctl, struct call *c, const struct model_table *wanted) must_check;

#endif
