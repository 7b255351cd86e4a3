/* shared - see shared.h */
#include "store/shared.h"

#include "store/base/core/clock.h"
#include "store/base/core/thread.h"
#include "store/base/core/timing.h"
#include "store/engine/engine.h"

enum { OWNERS_MAX = 16 }; /* maximum number of owners that may end during one request */

struct shared {
	struct engine engine;
	const char *dir; /* heap */
	shared_open_fn *open;
	pthread_rwlock_t lock; /* guards now and owners; held for reading during an operation */
	struct engine *now;
	unsigned owners; /* number of earlier owners */
};

/* Opens the engine of the next owner, unless another thread has done so since owner @before. */
static int
shared_find_next(struct shared *s, struct call *c, unsigned before)
{
	uint64_t until = clock_steady_ms() + timing_ms(TIMING_OPEN);
	struct engine *next = NULL;

	write_scope(&s->lock);
	assert(s->owners >= before);
	if (s->owners != before) {
		return 0;
	}
	int r = s->open(c, s->dir, until, &next);

	if (r == 0) {
		engine_close(s->now);
		s->now = next;
		s->owners++;
	}
	return r;
}

static int
shared_ask(struct shared *s, struct call *c, const struct op_in *in, struct op_out *out,
	   unsigned *owners)
{
	read_scope(&s->lock);
	*owners = s->owners;
	return engine_execute(s->now, c, in, out);
}

static int
shared_execute(struct engine *e, struct call *c, const struct op_in *in, struct op_out *out)
{
	struct shared *s = (struct shared *)e;
	unsigned owners;
	int r = shared_ask(s, c, in, out, &owners);

	for (int i = 0; r == -ERR_GONE && i < OWNERS_MAX; i++) {
		c->error = (struct error){0};
		r = shared_find_next(s, c, owners);
		if (r == 0) {
			r = shared_ask(s, c, in, out, &owners);
		}
	}
	return r;
}

/* There is a feed if this process has become the owner, which it then remains. */
static struct feed *
shared_feed(struct engine *e)
{
	struct shared *s = (struct shared *)e;

	read_scope(&s->lock);
	return engine_feed(s->now);
}

static void
shared_close(struct engine *e)
{
	struct shared *s = (struct shared *)e;

	engine_close(s->now);
	(void)pthread_rwlock_destroy(&s->lock);
	free((char *)s->dir);
	free(s);
}

struct engine *
shared_new(const char *dir, struct engine *now, shared_open_fn *open)
{
	static const struct engine_ops ops = {
		.execute = shared_execute, .feed = shared_feed, .close = shared_close};
	struct shared *s = mem_new(struct shared);

	assert(now != NULL);
	*s = (struct shared){.engine.ops = &ops, .dir = mem_string(dir), .open = open, .now = now};
	thread_rwlock_init(&s->lock);
	return &s->engine;
}
