/* clock - the only reader of the system's time; everything below a door is handed call.now_ms */
#ifndef STORE_BASE_CLOCK_H
#define STORE_BASE_CLOCK_H

#include <stdint.h>

/** clock_now_ms - Unix time in milliseconds */
uint64_t clock_now_ms(void);

/** clock_steady_ms - milliseconds that never go back, for waiting and measuring */
uint64_t clock_steady_ms(void);
uint64_t clock_steady_ns(void);

#endif
