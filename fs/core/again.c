/* again - see again.h */
#include "fs/core/again.h"

#include <linux/fuse.h>

#include "fs/core/backoff.h"
#include "fs/core/loop.h"
#include "fs/core/mount_int.h"

/* The request that this thread processes; NULL: none, as in threads of the daemon itself. */
static _Thread_local struct again *again_here;

/* do_setattr() of libfuse clears the bit of the open file in the request, so each try needs the original. */
static uint32_t *
again_valid(const struct again *a)
{
	struct fuse_in_header *h = a->request->mem;
	bool setattr = (a->request->flags & FUSE_BUF_IS_FD) == 0 && h->opcode == FUSE_SETATTR;

	return setattr ? &((struct fuse_setattr_in *)(void *)(h + 1))->valid : NULL;
}

void
again_begin(struct again *a, struct loop *l, const struct fuse_buf *b)
{
	*a = (struct again){.loop = l, .request = b};
	const uint32_t *valid = again_valid(a);

	a->valid = valid == NULL ? 0 : *valid;
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
	uint32_t *valid = again_valid(a);

	if (valid != NULL) {
		*valid = a->valid;
	}
	return true;
}

bool
again_may(void)
{
	return again_here != NULL && !again_here->over;
}

void
again_done(void)
{
	if (again_here != NULL) {
		again_here->done = true;
	}
}

bool
again_is_done(void)
{
	return again_here != NULL && again_here->done;
}

bool
again_ask(struct mount *m, fuse_req_t req, int r)
{
	struct again *a = again_here;

	if (a == NULL || a->asked) {
		return a != NULL;
	}
	if (a->over || !backoff_passes(r) || fuse_req_interrupted(req) != 0 || again_is_over(a)) {
		return false;
	}
	if (a->m == NULL) {
		a->m = m;
		a->m->n_again++;
		a->backoff = backoff_start(m->backoff_ms);
	}
	a->asked = backoff_plan(&a->backoff);
	return a->asked;
}

void
again_drop(fuse_req_t req)
{
	assert(again_here != NULL && again_here->asked);
	again_here->dropped = true;
	fuse_reply_none(req);
}
