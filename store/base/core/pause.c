/* pause - see pause.h */
#include "store/base/core/pause.h"

#include <time.h>

#include "store/base/core/clock.h"

enum { STEP_MS = 50 };

bool
pause_ms(const struct call *c, unsigned ms)
{
	uint64_t until = clock_steady_ms() + ms;

	for (;;) {
		uint64_t now = clock_steady_ms();

		if (call_given_up(c)) {
			return false;
		}
		if (now >= until) {
			return true;
		}
		uint64_t left = until - now < STEP_MS ? until - now : STEP_MS;

		(void)nanosleep(&(struct timespec){.tv_nsec = (long)left * 1000000L}, NULL);
	}
}
