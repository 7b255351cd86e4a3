/* mount_int - see mount_int.h */
#include "fs/core/mount_int.h"

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/core/timing.h"
#include "store/engine/feed.h"

enum { OWN_BUDGET = 64 * 1024 * 1024 };

const char *
mount_read_only(const struct mount *m)
{
	return m->ro && m->ro_why[0] != '\0' ? m->ro_why : "this is read-only";
}

bool
mount_is_out_of_patience(const void *asker)
{
	const struct mount *m = asker;

	return clock_steady_ns() >= m->patience_ns;
}

void
mount_renew_patience(struct mount *m)
{
	if (!mount_is_out_of_patience(m)) {
		m->patience_ns = clock_steady_ns() + timing_ms(TIMING_MOUNT_END) * NS_PER_MS;
	}
}

void
mount_receive_own(struct mount *m)
{
	if (m->reader != NULL) {
		feed_skip_own(m->reader, false);
	}
}

void
mount_index_known(struct mount *m)
{
	if (!m->index_known) {
		mount_receive_own(m);
		m->index_known = true;
	}
}

void
mount_call_open(struct mount *m, struct call *c)
{
	if (m->patience_ns != THREAD_FOR_EVER) {
		mount_renew_patience(m);
	}
	call_open(c, clock_now_ms(), OWN_BUDGET);
	c->origin = m;
	c->given_up = mount_is_out_of_patience;
	c->asker = m;
}
