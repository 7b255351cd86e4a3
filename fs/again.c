/* again - see again.h */
#include "fs/again.h"

#include "fs/loop.h"
#include "fs/mount_int.h"
#include "fs/request.h"

/* Of the request that this thread carries out; NULL: none, as in threads of our own. */
static _Thread_local struct again *again_here;

void
again_begin(struct again *a, struct loop *l)
{
	*a = (struct again){.loop = l};
	again_here = l->single ? NULL : a;
}

static bool
again_is_over(const void *asker)
{
	const struct again *a = asker;

	return fuse_session_exited(a->loop->se) != 0;
}

static void
again_end(struct again *a)
{
	again_here = NULL;
	if (a->m != NULL) {
		a->m->n_again--;
	}
	if (a->counted) {
		loop_found(a->loop);
	}
}

bool
again_wait(struct again *a)
{
	const struct call waits = {.given_up = again_is_over, .asker = a};

	if (!a->dropped) {
		again_end(a);
		return false;
	}
	a->asked = a->dropped = false;
	a->counted = a->counted || loop_search(a->loop);
	a->over = !a->counted || !backoff_pause(&a->backoff, &waits);
	return true;
}

bool
again_may(void)
{
	return again_here != NULL && !again_here->over;
}

bool
again_once(void)
{
	struct again *a = again_here;

	if (a == NULL) {
		return true;
	}
	bool first = !a->once;

	a->once = true;
	return first;
}

bool
again_ask(struct request *rq, int r)
{
	struct again *a = again_here;

	if (a == NULL || a->asked) {
		return a != NULL;
	}
	if (a->over || !backoff_passes(r) || fuse_req_interrupted(rq->fuse) != 0 ||
	    again_is_over(a)) {
		return false;
	}
	if (a->m == NULL) {
		a->m = rq->m;
		a->m->n_again++;
		a->backoff = backoff_start(rq->m->backoff_ms);
	}
	a->asked = backoff_plan(&a->backoff);
	return a->asked;
}

void
again_drop(struct request *rq)
{
	again_here->dropped = true;
	fuse_reply_none(rq->fuse);
}
