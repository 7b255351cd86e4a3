/* clock - the only reader of the system's time; everything below a door is handed call.now_ms */
#ifndef STORE_BASE_CORE_CLOCK_H
#define STORE_BASE_CORE_CLOCK_H

#include <stdint.h>

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

/** clock_now_ms - Unix time in milliseconds */
uint64_t clock_now_ms(void);

/** clock_now_ns - the same in nanoseconds, for times of files */
uint64_t clock_now_ns(void);

/** clock_steady_ms - milliseconds that never go back, for waiting and measuring */
uint64_t clock_steady_ms(void);
uint64_t clock_steady_ns(void);

#endif
