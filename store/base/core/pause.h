/* pause - wait between two attempts of a request */
#ifndef STORE_BASE_CORE_PAUSE_H
#define STORE_BASE_CORE_PAUSE_H

#include "store/base/core/call.h"

/** pause_ms - sleep for @ms; Return: false, within 50 ms, if the requester has given up (call_given_up()) */
bool pause_ms(const struct call *c, unsigned ms) must_check;

#endif
