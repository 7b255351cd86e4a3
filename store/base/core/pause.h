/* pause - waiting between two tries of a request */
#ifndef STORE_BASE_CORE_PAUSE_H
#define STORE_BASE_CORE_PAUSE_H

#include "store/base/core/call.h"

/** pause_ms - sleep; false: nobody waits for the call any more, found within 50 ms */
bool pause_ms(const struct call *c, unsigned ms) __attribute__((warn_unused_result));

#endif
