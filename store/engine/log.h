/* log - an engine around an engine that writes one line for each operation */
#ifndef STORE_ENGINE_LOG_H
#define STORE_ENGINE_LOG_H

#include "store/engine/engine.h"

/**
 * log_open - say what @below is asked and how it went
 * @below: owned from here on; engine_close() closes both
 * @fd:    where lines go; borrowed
 *
 * Shape:   "GetItem 12 us\n" or "PutItem 8 us ConditionalCheckFailedException: text (file:line)\n"
 * Thread:  any; a line is one write()
 */
struct engine *log_open(struct engine *below, int fd);

#endif
