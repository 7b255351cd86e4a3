/*
 * impatient - an engine that waits no longer once the program was asked to stop (stop.h)
 *
 * A read ends at once.  A write has 0.7 seconds to be answered, since otherwise its outcome is not
 * known.  Before stop_listen() it changes nothing.
 */
#ifndef TOOLS_IMPATIENT_H
#define TOOLS_IMPATIENT_H

#include "store/engine/engine.h"

/** impatient_open - @below is closed with it */
struct engine *impatient_open(struct engine *below);

#endif
