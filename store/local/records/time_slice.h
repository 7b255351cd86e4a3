/* time_slice - end of a background task's time slice */
#ifndef STORE_LOCAL_RECORDS_TIME_SLICE_H
#define STORE_LOCAL_RECORDS_TIME_SLICE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "store/base/core/clock.h"

struct time_slice {
	const atomic_bool *stop; /* set when the store is being closed */
	uint64_t until_ms;       /* end of the time slice, on the steady clock */
};

/**
 * time_slice_over - whether the time slice has ended
 *
 * A task calls it between two steps, so each time slice has at least one step unless the store is being closed.
 */
static inline bool
time_slice_over(const struct time_slice *t)
{
	return atomic_load(t->stop) || clock_steady_ms() >= t->until_ms;
}

#endif
