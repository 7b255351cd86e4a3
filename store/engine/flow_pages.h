/* flow_pages - flow.h over pages of Query and Scan, which every engine has */
#ifndef STORE_ENGINE_FLOW_PAGES_H
#define STORE_ENGINE_FLOW_PAGES_H

#include "store/engine/flow.h"

/** flow_pages_open - nothing is asked yet: what the engine refuses, flow_next() tells */
struct flow *flow_pages_open(struct engine *e, struct call *c, const struct flow_in *in);

#endif
