/* flow_pages - a flow over pages of Query and Scan, for any engine */
#ifndef STORE_ENGINE_FLOW_PAGES_H
#define STORE_ENGINE_FLOW_PAGES_H

#include "store/engine/flow.h"

/** flow_pages_open - open without a request: errors of the engine come from flow_next(); pair with flow_close() */
struct flow *flow_pages_open(struct engine *e, struct call *c, const struct flow_in *in);

#endif
