/* impatient - see impatient.h */
#include "tools/session/impatient.h"

#include <stdatomic.h>

#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/engine/engine.h"
#include "store/op/op.h"
#include "store/open.h"
#include "store/own.h"

#include "tools/session/ctl.h"
#include "tools/system/stop.h"

enum { LOOK_MS = 500 };

struct impatient_engine {
	struct engine engine;
	const struct ctl *ctl;
};

static atomic_bool
	impatient_said; /* the note is printed once in this process, not by each thread */

/* Check twice a second whether the owner is stopped.  Print a note at the first check that finds it stopped. */
static bool
impatient_of_owner(struct impatience *i)
{
	uint64_t now = clock_steady_ms();

	if (i->ctl->store == NULL || store_is_remote(i->ctl->store) || now < i->look_ms) {
		return i->owner != 0;
	}
	int owner = store_stopped_owner(i->ctl->store);

	i->look_ms = now + LOOK_MS;
	if (owner == 0) {
		i->since_ms = 0;
		return false;
	}
	if (i->since_ms == 0) {
		i->since_ms = now;
	}
	if (!atomic_exchange(&impatient_said, true)) {
		ctl_note(i->ctl,
			 "waiting for the process %d, which has the store open and is stopped; to "
			 "continue it: kill -CONT %d",
			 owner, owner);
	}
	i->owner = now - i->since_ms >= timing_ms(TIMING_STOPPED) ? owner : 0;
	return i->owner != 0;
}

/* Print a note if opening the store waits.  The time counts from the first wait: a pipe may have been read before. */
static void
impatient_say_owner(struct impatience *i)
{
	cleanup(buf_release) struct buf owner = {0};
	uint64_t now = clock_steady_ms();

	if (!i->opens || store_is_remote(i->ctl->store)) {
		return;
	}
	if (i->waits_ms == 0) {
		i->waits_ms = now + timing_ms(TIMING_WAITING);
	}
	if (now >= i->waits_ms && !atomic_load(&impatient_said) &&
	    store_put_owner(i->ctl->store, &owner) && !atomic_exchange(&impatient_said, true)) {
		ctl_note(i->ctl, "waiting for %.*s, which has the store open",
			 SLICE_ARG(buf_view(&owner)));
	}
}

static bool
impatient_is(const void *asker)
{
	struct impatience *i =
		(struct impatience *)(uintptr_t)asker; /* NOLINT(performance-no-int-to-ptr) */
	bool stop = i->writes ? stop_asked_for_ms(timing_ms(TIMING_WRITE)) : stop_asked() != 0;

	stop = stop || impatient_of_owner(i);
	if (!stop) {
		impatient_say_owner(i);
	}
	return stop;
}

void
impatient_begin(struct impatience *i, const struct ctl *ctl, struct call *c, bool writes)
{
	*i = (struct impatience){
		.ctl = ctl, .look_ms = clock_steady_ms() + LOOK_MS, .writes = writes};
	c->given_up = impatient_is;
	c->asker = i;
}

/* Keep the error of a write that may have been executed; report any other request as interrupted. */
int
impatient_end(struct impatience *i, struct call *c, int r)
{
	bool waited = r == -ERR_UNREACHABLE || r == -ERR_GONE || r == -ERR_BUSY ||
		      error_throttled((enum err) - r);

	c->given_up = NULL;
	c->asker = NULL;
	if (r >= 0 || !waited) {
		return r;
	}
	if (i->owner != 0) {
		c->error = (struct error){0};
		return call_fail(c, ERR_BUSY,
				 "the process %d, which has the store open, is stopped%s", i->owner,
				 i->writes ? ": when it continues, the change may still be made"
					   : "");
	}
	if (stop_asked() == 0 || (r == -ERR_UNREACHABLE && i->writes)) {
		return r;
	}
	c->error = (struct error){0};
	return stop_check(c);
}

static int
impatient_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct impatience i;

	if (c->given_up != NULL) {
		return engine_execute(e->below, c, in, out);
	}
	impatient_begin(&i, ((struct impatient_engine *)e)->ctl, c, op_writes(in));
	return impatient_end(&i, c, engine_execute(e->below, c, in, out));
}

static int
impatient_pass(struct engine *e, struct call *c, const char *name, struct slice body,
	       struct slice *answer)
{
	enum op_type type = op_find(slice_from(name));
	const struct op_in in = {.type = type == OP_COUNT ? OP_PUT_ITEM : type};
	struct impatience i;

	impatient_begin(&i, ((struct impatient_engine *)e)->ctl, c, op_writes(&in));
	return impatient_end(&i, c, engine_pass(e->below, c, name, body, answer));
}

struct engine *
impatient_open(const struct ctl *ctl, struct engine *below)
{
	static const struct engine_ops ops = {
		.execute = impatient_execute,
		.pass = impatient_pass,
		.close = engine_below_close,
		.shares_reads = true,
	};
	struct impatient_engine *e = mem_new(struct impatient_engine);

	*e = (struct impatient_engine){{&ops, below}, ctl};
	return &e->engine;
}
