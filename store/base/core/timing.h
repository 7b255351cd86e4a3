/*
 * timing - the programs' waiting times that tests change
 *
 * ITEMFS_TIMING=hidden=600000,... in the environment gives other times than those in timing.def.  A test sets a time to ten minutes
 * to show that it plays no part, and to a few milliseconds to see what comes after it.  Users have no need of it: the manual pages
 * do not mention it.
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
 * timing_ms - how long to wait
 * @t:   a row of timing.def
 *
 * Shape:   milliseconds, from timing.def or from ITEMFS_TIMING
 * Errors:  aborts at a word of ITEMFS_TIMING that timing.def does not have, or a number that is none
 * Thread:  any; the environment must not change at the same time
 */
unsigned timing_ms(enum timing t);

#endif
