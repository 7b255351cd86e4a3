/* turn - how long a chore may go on before another one has its turn */
#ifndef STORE_LOCAL_RECORDS_TURN_H
#define STORE_LOCAL_RECORDS_TURN_H

#include <stdatomic.h>
#include <stdbool.h>

#include "store/base/core/clock.h"

struct turn {
	const atomic_bool *stop; /* the store is being closed */
	uint64_t until_ms;       /* of the steady clock */
};

/** turn_over - asked between two steps; each turn has one step at least, unless it is to stop */
static inline bool
turn_over(const struct turn *t)
{
	return atomic_load(t->stop) || clock_steady_ms() >= t->until_ms;
}

#endif
