/*
 * damage - report of damage to the writers' queue
 *
 * The file queues an operation that fails with -ERR_CORRUPT. After that the leader (txn_group.c) refuses every write.
 */
#include "store/local/commit/damage.h"

#include "store/base/system/say.h"
#include "store/local/commit/txn.h"

enum { CALL_BUDGET = 64 * 1024 };

static int
damage_fail(struct txn *t, struct call *c, void *arg)
{
	const struct error *why = arg;

	(void)t;
	return call_fail(c, ERR_CORRUPT, "%s", why->message);
}

int
damage_seen(struct local *l, const struct call *c, int r)
{
	if (r != -ERR_CORRUPT || atomic_exchange(&l->damaged, true)) {
		return r;
	}
	struct error why = c->error;
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	int refused = txn_run(l->queue, &own, &(struct txn_op){.run = damage_fail, .arg = &why});
	assert(refused < 0);
	call_close(&own);
	return r;
}

void
damage_pass_over(struct call *c)
{
	say("%s: it is skipped", c->error.message);
	c->error = (struct error){0};
}
