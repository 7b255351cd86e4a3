/* clock - see clock.h */
#include "store/base/core/clock.h"

#include <stdlib.h>
#include <time.h>

static uint64_t
read_ns(clockid_t id)
{
	struct timespec ts;

	if (clock_gettime(id, &ts) != 0) {
		abort();
	}
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

uint64_t
clock_now_ms(void)
{
	return read_ns(CLOCK_REALTIME) / 1000000;
}

uint64_t
clock_now_ns(void)
{
	return read_ns(CLOCK_REALTIME);
}

uint64_t
clock_steady_ms(void)
{
	return clock_steady_ns() / 1000000;
}

uint64_t
clock_steady_ns(void)
{
	return read_ns(CLOCK_MONOTONIC);
}

void
clock_put(struct buf *out, uint64_t ms)
{
	time_t seconds = (time_t)(ms / 1000);
	struct tm tm = {0};
	char date[32];

	(void)gmtime_r(&seconds, &tm);
	(void)strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	buf_fmt(out, "%s.%03u", date, (unsigned)(ms % 1000));
}
