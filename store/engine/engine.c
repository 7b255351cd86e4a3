/* engine - see engine.h; asserts the contract of all back ends */
#include "store/engine/engine.h"

#include "store/engine/row_stream.h"
#include "store/op/op.h"

int
engine_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	if (arena_over(&c->arena)) {
		return call_fail_over(c, op_name(in->type));
	}
	int r = e->ops->execute(e, c, in, out);

	/* Only a read may fail now: a write that has committed must not turn into an error. */
	if (r == 0 && arena_over(&c->arena) && !op_writes(in)) {
		r = call_fail_over(c, op_name(in->type));
	}
	assert(r <= 0 && -r == (int)c->error.code);
	return r;
}

bool
engine_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	      engine_done_fn *done, void *arg)
{
	return e->ops->submit != NULL && !arena_over(&c->arena) &&
	       e->ops->submit(e, c, in, out, done, arg);
}

struct feed *
engine_feed(struct engine *e)
{
	if (e->ops->feed == NULL) {
		return e->below == NULL ? NULL : engine_feed(e->below);
	}
	return e->ops->feed(e);
}

int
engine_pass(struct engine *e, struct call *c, const char *name, struct slice body,
	    struct slice *answer)
{
	return e->ops->pass == NULL ? ENGINE_NO_PASS : e->ops->pass(e, c, name, body, answer);
}

/* The engine that has the views and row streams of @e. */
static struct engine *
engine_of_reads(struct engine *e)
{
	while (e->ops->shares_reads) {
		e = e->below;
	}
	return e;
}

struct view *
engine_view_open(struct engine *e)
{
	e = engine_of_reads(e);
	return e->ops->view_open == NULL ? NULL : e->ops->view_open(e);
}

void
engine_view_close(struct engine *e, struct view *view)
{
	if (view != NULL) {
		e = engine_of_reads(e);
		e->ops->view_close(e, view);
	}
}

int
engine_row_stream_open(struct engine *e, struct call *c, const struct row_stream_in *in,
		       struct row_stream **out)
{
	e = engine_of_reads(e);
	if (e->ops->row_stream_open == NULL) {
		*out = row_stream_pages_open(e, c, in);
		return 0;
	}
	int r = e->ops->row_stream_open(e, c, in, out);

	assert(r <= 0 && -r == (int)c->error.code);
	return r;
}

void
engine_close(struct engine *e)
{
	if (e != NULL) {
		e->ops->close(e);
	}
}

/* ------------------------------------------------------------ wrapping engines */

int
engine_below_pass(struct engine *e, struct call *c, const char *name, struct slice body,
		  struct slice *answer)
{
	return engine_pass(e->below, c, name, body, answer);
}

void
engine_below_close(struct engine *e)
{
	engine_close(e->below);
	free(e);
}
