/*
 * clock - system time and steady time, and a time as text
 *
 * Code that serves a request uses call.now_ms, which the front end reads once.  These functions are for front ends,
 * background tasks, waiting, measuring and times of files.
 */
#ifndef STORE_BASE_CORE_CLOCK_H
#define STORE_BASE_CORE_CLOCK_H

#include <stdint.h>

#include "store/base/core/buf.h"

#define NS_PER_MS UINT64_C(1000000)
#define NS_PER_S UINT64_C(1000000000)

/** clock_now_ms - Unix time in milliseconds */
uint64_t clock_now_ms(void);

/** clock_now_ns - Unix time in nanoseconds, for times of files */
uint64_t clock_now_ns(void);

/** clock_steady_ms, clock_steady_ns - CLOCK_MONOTONIC, which never goes back, for waiting and measuring */
uint64_t clock_steady_ms(void);
uint64_t clock_steady_ns(void);

/** clock_put - append Unix time in milliseconds, in UTC, as 2026-11-20T09:01:02.345 */
void clock_put(struct buf *out, uint64_t ms);

#endif
