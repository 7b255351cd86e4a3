/* allowance - rate= and max_read= */
#include "fs/daemon/allowance.h"

#include <limits.h>

#include "store/base/core/timing.h"
#include "store/base/text/url.h"
#include "store/engine/rate.h"
#include "store/open.h"

#include "fs/core/loop.h"
#include "fs/core/mount_int.h"
#include "fs/daemon/options.h"
#include "fs/saved/refused.h"

unsigned
allowance_max_read(const struct options *o)
{
	bool far = o->store != NULL && url_is_far(o->store);

	if (o->has_max_read) {
		return o->max_read;
	}
	return far ? ALLOWANCE_FAR_UNITS : 0;
}

int
allowance_check(struct call *c, const struct options *o)
{
	struct rate rate;

	if (o->rate == NULL) {
		return 0;
	}
	if (!rate_parse(o->rate, &rate)) {
		return call_fail(
			c, ERR_VALIDATION,
			"rate=%s: expected units per second, such as rate=100, or 1%% to 100%% of the "
			"provisioned units of a table, such as rate=25%%",
			o->rate);
	}
	return store_is_remote(o->store)
		       ? 0
		       : call_fail(
				 c, ERR_VALIDATION,
				 "rate=%s is only for endpoints: a store in a directory costs nothing",
				 o->rate);
}

/* ------------------------------------------------------------ waits */

static struct mount *
allowance_mount(const struct call *c)
{
	return (struct mount *)(uintptr_t)c->origin; /* NOLINT(performance-no-int-to-ptr) */
}

/* Before a wait, let the loop have one more thread for other requests.  false: it has too many */
static bool
allowance_step_aside(const struct call *c)
{
	struct mount *m = allowance_mount(c);

	return m == NULL || m->loop == NULL || loop_search(m->loop);
}

static void
allowance_come_back(struct call *c)
{
	struct mount *m = allowance_mount(c);

	if (m != NULL && m->loop != NULL) {
		loop_found(m->loop);
	}
}

static bool
allowance_pace(struct call *c, const struct rate *wanted)
{
	(void)wanted;
	return allowance_step_aside(c);
}

static bool
allowance_hold(struct call *c, const struct rate *wanted)
{
	struct mount *m = allowance_mount(c);

	if (!c->patient || m == NULL || !allowance_step_aside(c)) {
		return false;
	}
	refused_add(
		&m->hub->refused,
		&(struct refusal){
			.time_ms = c->now_ms,
			.mount = m->mountpoint,
			.uid = c->uid,
			.path = slice_from(m->mountpoint),
			.errnum = 0,
			.name = "-",
			.sentence = arena_print(
				&c->arena,
				"max_read=%.0f: reads wait, because this mount has consumed more read units than "
				"that within a minute; mount with a larger max_read=, or 0 for no limit",
				wanted->reads_at_once)});
	return true;
}

unsigned
allowance_backoff_ms(const struct options *o)
{
	const unsigned for_ever = UINT_MAX;

	if (!o->has_timeout_request) {
		return timing_ms(TIMING_BACKOFF);
	}
	return o->timeout_request_s == 0 || o->timeout_request_s > for_ever / 1000
		       ? for_ever
		       : o->timeout_request_s * 1000;
}

struct engine *
allowance_open(struct engine *below, const struct options *o)
{
	unsigned units = allowance_max_read(o);
	struct rate rate = {.option = "rate=",
			    .waits = {.begin = allowance_pace, .end = allowance_come_back}};
	const struct rate most = {
		.option = "max_read=",
		.read_units = units * 1000.0 / timing_ms(TIMING_MAX_READ),
		.reads_at_once = units,
		.waits = {.begin = allowance_hold, .end = allowance_come_back},
	};

	if (o->rate != NULL && rate_parse(o->rate, &rate)) {
		below = rate_open(below, &rate);
	}
	return units == 0 ? below : rate_open(below, &most);
}
