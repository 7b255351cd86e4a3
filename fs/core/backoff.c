/* backoff - see backoff.h */
#include "fs/core/backoff.h"

#include "store/base/core/clock.h"
#include "store/base/core/pause.h"

enum { BACKOFF_FIRST_MS = 20, BACKOFF_LONGEST_MS = 500 };

struct backoff
backoff_start(unsigned most_ms)
{
	return (struct backoff){.until_ms = clock_steady_ms() + most_ms,
				.pause_ms = BACKOFF_FIRST_MS};
}

bool
backoff_passes(int r)
{
	return r == -ERR_THROTTLED || r == -ERR_THROTTLED_ON_DEMAND || r == -ERR_CONFLICT ||
	       r == -ERR_BUSY;
}

bool
backoff_plan(struct backoff *b)
{
	uint64_t now = clock_steady_ms();
	/* Random between half and all of the pause, so that two clients in conflict do not retry in step. */
	uint64_t ms = b->pause_ms / 2 + clock_steady_ns() % (b->pause_ms / 2 + 1);

	if (now >= b->until_ms) {
		return false;
	}
	b->next_ms = now + ms < b->until_ms ? now + ms : b->until_ms;
	b->pause_ms = b->pause_ms * 2 < BACKOFF_LONGEST_MS ? b->pause_ms * 2 : BACKOFF_LONGEST_MS;
	return true;
}

bool
backoff_is_due(const struct backoff *b)
{
	return clock_steady_ms() >= b->next_ms;
}

bool
backoff_pause(const struct backoff *b, const struct call *c)
{
	uint64_t now = clock_steady_ms();

	return pause_ms(c, now < b->next_ms ? (unsigned)(b->next_ms - now) : 0);
}
