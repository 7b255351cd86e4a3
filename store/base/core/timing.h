/*
 * timing - waiting times that tests can change
 *
 * ITEMFS_TIMING=hidden=600000,... in the environment overrides the times of timing.def.  A test sets a time to ten
 * minutes to show that it does not matter, and to a few milliseconds to see what follows it.  Users do not need it: the
 * manual pages do not mention it.
 */
#ifndef STORE_BASE_CORE_TIMING_H
#define STORE_BASE_CORE_TIMING_H

enum timing {
#define TIMING(name, word, ms) TIMING_##name,
#include "store/base/core/timing.def"
#undef TIMING
	TIMING_COUNT
};

/**
 * timing_ms - a waiting time in milliseconds, from ITEMFS_TIMING or timing.def
 * @t: a row of timing.def
 *
 * Errors:  aborts if ITEMFS_TIMING contains an unknown word or an invalid number
 * Thread:  any; the environment must not change at the same time
 */
unsigned timing_ms(enum timing t);

#endif
