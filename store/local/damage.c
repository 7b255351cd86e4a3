/*
 * damage - from a read that met damage to the writers' queue, whose leader (txn_group.c) refuses every
 * write after an operation that failed so.
 */
#include "store/local/damage.h"

#include <assert.h>

#include "store/local/txn.h"

enum { CALL_BUDGET = 64 * 1024 };

static int
fail(struct txn *t, struct call *c, void *arg)
{
	(void)t;
	return call_fail(c, ERR_CORRUPT, "%s", (const char *)arg);
}

int
damage_seen(struct local *l, const struct call *c, int r)
{
	if (r != -ERR_CORRUPT || atomic_exchange(&l->damaged, true)) {
		return r;
	}
	struct call own;

	call_open(&own, c->now_ms, CALL_BUDGET);
	int refused =
		txn_run(l->queue, &own,
			&(struct txn_op){.run = fail, .arg = (void *)(uintptr_t)c->error.message});
	assert(refused < 0);
	call_close(&own);
	return r;
}
