/* scanners - see scanners.h */
#include "fs/core/scanners.h"

bool
scanners_opens(struct scanners *s, pid_t thread, uint64_t now_ms)
{
	struct scanner *one = &s->at[(unsigned)thread % SCANNERS_MAX];

	if (thread == 0) {
		return false;
	}
	lock_scope(&s->lock);
	if (one->thread != thread || now_ms - one->last_ms > SCANNERS_WITHIN_MS) {
		*one = (struct scanner){.thread = thread};
	}
	one->last_ms = now_ms;
	one->opens += one->opens <= SCANNERS_OPENS;
	return one->opens > SCANNERS_OPENS;
}
