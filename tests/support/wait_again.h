/*
 * wait_again - waiting for another thread or process by polling
 *
 *	unsigned tries = 0;
 *
 *	while (!has_happened() && wait_again(&tries)) {
 *	}
 */
#ifndef TESTS_SUPPORT_WAIT_AGAIN_H
#define TESTS_SUPPORT_WAIT_AGAIN_H

#include "store/base/core/base.h"

/** wait_again - sleep for a millisecond; Return: false after a minute, when it will not happen any more */
static inline bool
wait_again(unsigned *tries)
{
	enum { TRIES = 60000, PAUSE_US = 1000 };

	(void)usleep(PAUSE_US);
	return ++*tries < TRIES;
}

#endif
