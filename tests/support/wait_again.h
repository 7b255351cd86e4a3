/*
 * wait_again - waiting for what another thread or process does, by asking
 *
 *	unsigned tries = 0;
 *
 *	while (!has_happened() && wait_again(&tries)) {
 *	}
 */
#ifndef TESTS_SUPPORT_WAIT_AGAIN_H
#define TESTS_SUPPORT_WAIT_AGAIN_H

#include <stdbool.h>
#include <unistd.h>

/** wait_again - a millisecond later; false after a minute: it will not happen */
static inline bool
wait_again(unsigned *tries)
{
	enum { TRIES = 60000, PAUSE_US = 1000 };

	(void)usleep(PAUSE_US);
	return ++*tries < TRIES;
}

#endif
