/* impatient - see impatient.h */
#include "tools/impatient.h"

#include <stdlib.h>

#include "store/base/mem.h"

#include "tools/stop.h"

enum { WRITE_MS = 3000 };

struct impatient {
	struct engine engine;
	struct engine *below;
};

static struct engine *
impatient_below(struct engine *e)
{
	return ((struct impatient *)e)->below;
}

static bool
impatient_read(const void *asker)
{
	(void)asker;
	return stop_asked() != 0;
}

static bool
impatient_write(const void *asker)
{
	(void)asker;
	return stop_asked_for_ms(WRITE_MS);
}

/* Of a write that may have been made the error is what is known; all else was interrupted. */
static int
impatient_explain(struct call *c, const struct op_in *in, int r)
{
	bool waited = r == -ERR_UNREACHABLE || r == -ERR_GONE || error_throttled((enum err) - r);

	if (stop_asked() == 0 || !waited || (r == -ERR_UNREACHABLE && op_writes(in))) {
		return r;
	}
	c->error = (struct error){0};
	return stop_check(c);
}

static int
impatient_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	if (c->given_up != NULL) {
		return engine_execute(impatient_below(e), c, in, out);
	}
	c->given_up = op_writes(in) ? impatient_write : impatient_read;
	int r = engine_execute(impatient_below(e), c, in, out);

	c->given_up = NULL;
	return r < 0 ? impatient_explain(c, in, r) : r;
}

static struct feed *
impatient_feed(struct engine *e)
{
	return engine_feed(impatient_below(e));
}

static struct view *
impatient_view_open(struct engine *e)
{
	return engine_view_open(impatient_below(e));
}

static void
impatient_view_close(struct engine *e, struct view *view)
{
	engine_view_close(impatient_below(e), view);
}

static int
impatient_flow_open(struct engine *e, struct call *c, const struct flow_in *in, struct flow **out)
{
	return engine_flow_open(impatient_below(e), c, in, out);
}

static void
impatient_close(struct engine *e)
{
	engine_close(impatient_below(e));
	free(e);
}

struct engine *
impatient_open(struct engine *below)
{
	static const struct engine_ops ops = {
		.execute = impatient_execute,
		.feed = impatient_feed,
		.view_open = impatient_view_open,
		.view_close = impatient_view_close,
		.flow_open = impatient_flow_open,
		.close = impatient_close,
	};
	struct impatient *i = mem_new(struct impatient);

	*i = (struct impatient){.engine.ops = &ops, .below = below};
	return &i->engine;
}
