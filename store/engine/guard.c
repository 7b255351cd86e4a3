/* guard - see guard.h */
#include "store/engine/guard.h"

#include "store/engine/engine.h"
#include "store/op/op.h"

struct guard {
	struct engine engine;
	guard_fn *write;
	guard_fn *read; /* or NULL */
	void *arg;
	char *why; /* the message of guard_refuse(); owned */
};

/* Whether it is an operation that write() replaces. */
static bool
guard_holds(const struct op_in *in)
{
	return in->type != OP_SYNC && op_writes(in);
}

static int
guard_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct guard *g = (struct guard *)e;

	if (guard_holds(in)) {
		return g->write(g->arg, g->engine.below, c, in, out);
	}
	int r = g->read == NULL ? GUARD_PASS : g->read(g->arg, g->engine.below, c, in, out);

	return r == GUARD_PASS ? engine_execute(g->engine.below, c, in, out) : r;
}

static bool
guard_submit(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out,
	     engine_done_fn *done, void *arg)
{
	return !guard_holds(in) && ((struct guard *)e)->read == NULL &&
	       engine_submit(e->below, c, in, out, done, arg);
}

/* Requests that may write go through guard_execute(). */
static int
guard_pass(struct engine *e, struct call *c, const char *name, struct slice body,
	   struct slice *answer)
{
	struct guard *g = (struct guard *)e;
	const struct op_in in = {.type = op_find(slice_from(name))};

	return in.type == OP_COUNT || op_writes(&in)
		       ? ENGINE_NO_PASS
		       : engine_pass(g->engine.below, c, name, body, answer);
}

static void
guard_close(struct engine *e)
{
	struct guard *g = (struct guard *)e;

	engine_close(g->engine.below);
	free(g->why);
	free(g);
}

struct engine *
guard_open(struct engine *below, guard_fn *write, guard_fn *read, void *arg)
{
	static const struct engine_ops ops = {
		.execute = guard_execute,
		.submit = guard_submit,
		.pass = guard_pass,
		.close = guard_close,
		.shares_reads = true,
	};
	struct guard *g = mem_new(struct guard);

	assert(write != NULL);
	*g = (struct guard){.engine = {&ops, below}, .write = write, .read = read, .arg = arg};
	return &g->engine;
}

static int
guard_say_no(void *arg, struct engine *below, struct call *c, const struct op_in *in,
	     struct op_out *out)
{
	(void)below;
	(void)in;
	(void)out;
	return call_fail(c, ERR_GUARDED, "%s", (const char *)arg);
}

struct engine *
guard_refuse(struct engine *below, const char *why)
{
	struct engine *e = guard_open(below, guard_say_no, NULL, NULL);
	struct guard *g = (struct guard *)e;

	g->why = mem_string(why);
	g->arg = g->why;
	return e;
}
