/* records - a flow of shards.c's lines.  Behind it: outflow.c. */
#include "fs/records.h"

#include <stdlib.h>

#include "store/base/clock.h"
#include "store/base/mem.h"

#include "fs/shards.h"

enum {
	PAGE_BUDGET = 64 * 1024 * 1024,
	TURN_NS = 10 *
		  NS_PER_MS, /* whoever waits is looked after then: an endpoint may take its time */
};

struct records {
	struct flow flow; /* first */
	struct shards *shards;
};

static int
step(struct records *r, struct call *c, struct buf *out)
{
	struct call own;

	call_open(&own, c->now_ms, PAGE_BUDGET);
	own.given_up = c->given_up;
	own.asker = c->asker;
	int e = shards_read(r->shards, &own, out);

	if (e < 0) {
		e = call_fail(c, own.error.code, "%s", own.error.message);
	}
	call_close(&own);
	return e;
}

static int
next(struct flow *f, struct call *c, struct buf *out, size_t bytes)
{
	uint64_t end_ns = clock_steady_ns() + TURN_NS;
	size_t enough = out->len + bytes;
	int e = 0;

	while (e == 0 && out->len < enough && clock_steady_ns() < end_ns) {
		e = step((struct records *)f, c, out);
	}
	return e > 0 ? FLOW_END : e;
}

static void
close_records(struct flow *f)
{
	shards_close(((struct records *)f)->shards);
	free(f);
}

static const struct flow_ops records_ops = {.next = next, .close = close_records};

int
records_flow(struct mount *m, struct call *c, const struct place *p, struct flow **out)
{
	struct shards *shards = NULL;
	int e = shards_open(m, c, p, SHARDS_OLDEST, &shards);

	if (e != 0) {
		return e;
	}
	struct records *r = mem_new(struct records);

	*r = (struct records){.flow = {.ops = &records_ops}, .shards = shards};
	*out = &r->flow;
	return 0;
}
