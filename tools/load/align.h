/* align - a table that is there becomes as a definition says */
#ifndef TOOLS_LOAD_ALIGN_H
#define TOOLS_LOAD_ALIGN_H

#include "tools/load/model.h"

struct ctl;

/**
 * align - settings, stream, global indexes, what table_settings.h changes, time to live; one after the other
 *
 * Errors:  -ERR_USAGE  another key or other local indexes, less warm throughput, which cannot be changed: then
 *          nothing is
 */
int align(struct ctl *ctl, struct call *c, const struct model_table *wanted)
	__attribute__((warn_unused_result));

#endif
