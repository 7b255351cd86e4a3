/* impatient - see impatient.h */
#include "tools/impatient.h"

#include "store/base/mem.h"

#include "tools/stop.h"

enum { WRITE_MS = 700 };

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
		return engine_execute(e->below, c, in, out);
	}
	c->given_up = op_writes(in) ? impatient_write : impatient_read;
	int r = engine_execute(e->below, c, in, out);

	c->given_up = NULL;
	return r < 0 ? impatient_explain(c, in, r) : r;
}

static int
impatient_pass(struct engine *e, struct call *c, const char *name, struct slice body,
	       struct slice *answer)
{
	enum op_type type = op_find(slice_from(name));
	const struct op_in in = {.type = type == OP_COUNT ? OP_PUT_ITEM : type};

	c->given_up = op_writes(&in) ? impatient_write : impatient_read;
	int r = engine_pass(e->below, c, name, body, answer);

	c->given_up = NULL;
	return r < 0 ? impatient_explain(c, &in, r) : r;
}

struct engine *
impatient_open(struct engine *below)
{
	static const struct engine_ops ops = {
		.execute = impatient_execute,
		.feed = engine_below_feed,
		.pass = impatient_pass,
		.view_open = engine_below_view_open,
		.view_close = engine_below_view_close,
		.flow_open = engine_below_flow_open,
		.close = engine_below_close,
	};
	struct engine *e = mem_new(struct engine);

	*e = (struct engine){&ops, below};
	return e;
}
