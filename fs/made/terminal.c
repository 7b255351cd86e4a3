/*
 * terminal - see terminal.h; between FUSE and outflow.c
 *
 * A waiting READ has an interrupt function, which takes outflow.lock. libfuse calls it with a lock of the request held
 * that fuse_req_interrupt_func() takes, too. So fuse_req_interrupt_func() is never called with outflow.lock held;
 * tap.lock may be held. The function is removed before the answer, so that no interrupt finds an outflow that is gone.
 */
#include "fs/made/terminal.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "store/base/core/cleanup.h"
#include "store/base/core/clock.h"
#include "store/base/core/lock.h"
#include "store/base/core/mem.h"

#include "fs/core/memory_account.h"
#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/made/outflow.h"

/* The handle of a generated file. */
struct tap {
	struct tap *next; /* in mount.terminals */
	struct handle *handle;
	pthread_mutex_t lock;    /* guards outflow */
	struct outflow *outflow; /* started by the last READ at 0; NULL: there was none */
};

/* A READ that waits. */
struct parked {
	struct outflow_waiter waiter; /* first */
	fuse_req_t req;
	struct outflow *outflow;
	struct charge charge;
};

static void
terminal_parked_free(struct parked *p)
{
	charge_end(&p->charge);
	free(p);
}

void
terminals_init(struct terminals *all)
{
	(void)pthread_mutex_init(&all->lock, NULL);
	(void)pthread_mutex_init(&all->count_lock, NULL);
	(void)pthread_cond_init(&all->fewer, NULL);
}

void
terminals_release(struct terminals *all)
{
	(void)pthread_cond_destroy(&all->fewer);
	(void)pthread_mutex_destroy(&all->count_lock);
	(void)pthread_mutex_destroy(&all->lock);
}

/* ------------------------------------------------------------ READ */

static void
reply(fuse_req_t req, const struct outflow_answer *a)
{
	if (a->errnum != 0) {
		(void)fuse_reply_err(req, a->errnum);
	} else {
		(void)fuse_reply_iov(req, a->parts, a->n);
	}
}

static void
parked_take(struct outflow_waiter *w)
{
	fuse_req_interrupt_func(((struct parked *)w)->req, NULL, NULL);
}

static void
parked_answer(struct outflow_waiter *w, const struct outflow_answer *a)
{
	struct parked *p = (struct parked *)w;

	reply(p->req, a);
	terminal_parked_free(p);
}

static void
terminal_interrupted(fuse_req_t req, void *arg)
{
	struct parked *p = arg;

	if (outflow_leave(p->outflow, &p->waiter)) {
		(void)fuse_reply_err(req, EINTR);
		terminal_parked_free(p);
	}
}

static void
terminal_park(const struct tap *t, fuse_req_t req, uint64_t offset, size_t size)
{
	assert(lock_held(&t->lock));
	struct outflow *o = t->outflow;
	struct charge charge = {.account = t->handle->charge.account};

	if (!charge_to(&charge, ACCOUNT_OBJECT_BYTES)) {
		(void)fuse_reply_err(req, ENOSPC);
		return;
	}
	struct parked *p = mem_new(struct parked);

	*p = (struct parked){
		.waiter = {.offset = offset,
			   .size = size,
			   .take = parked_take,
			   .answer = parked_answer},
		.req = req,
		.outflow = o,
		.charge = charge,
	};
	fuse_req_interrupt_func(req, terminal_interrupted, p);
	if (!outflow_park(o, &p->waiter)) {
		fuse_req_interrupt_func(req, NULL, NULL);
		(void)fuse_reply_err(req, EINTR);
		terminal_parked_free(p);
	}
}

/* Start an outflow of the newest state in place of the present one. */
static struct outflow *
terminal_begin(struct mount *m, struct tap *t, fuse_req_t req)
{
	assert(lock_held(&t->lock));
	struct outflow *o = NULL;
	struct request rq;

	request_open(&rq, req);
	int r = outflow_new(m, &rq.c, t->handle->node, fuse_req_ctx(req)->uid, &o);

	outflow_drop(t->outflow);
	t->outflow = o;
	if (r != 0) {
		request_fail(&rq, r, t->handle->node, NULL);
	}
	request_close(&rq);
	return o;
}

/*
 * Return: whether a READ at @offset starts a new outflow. One at 0 that was interrupted continues: otherwise a signal
 * every second would keep it from its end.
 */
static bool
terminal_begins(const struct tap *t, uint64_t offset)
{
	return offset == 0 && (t->outflow == NULL || !outflow_is_untold(t->outflow));
}

void
terminal_read(struct mount *m, struct tap *t, fuse_req_t req, uint64_t offset, size_t size)
{
	struct outflow_answer a;
	lock_scope(&t->lock);
	struct outflow *o = terminal_begins(t, offset) ? terminal_begin(m, t, req) : t->outflow;

	if (o == NULL) {
		if (offset > 0) {
			(void)fuse_reply_err(req, EINVAL);
		}
		return;
	}
	if (!outflow_read(o, offset, size, &a)) {
		terminal_park(t, req, offset, size);
		return;
	}
	reply(req, &a);
	outflow_done(o);
}

/* ------------------------------------------------------------ lives */

/* RELEASE: end the outflow, and answer waiting READs. */
static void
terminal_close(struct mount *m, struct handle *h)
{
	struct tap *t = h->terminal;

	(void)pthread_mutex_lock(&m->terminals.lock);
	struct tap **at = &m->terminals.first;

	while (*at != t) {
		at = &(*at)->next;
	}
	*at = t->next;
	(void)pthread_mutex_unlock(&m->terminals.lock);
	/* The thread that answered the last READ may still be in terminal_read(). */
	(void)pthread_mutex_lock(&t->lock);
	(void)pthread_mutex_unlock(&t->lock);
	outflow_drop(t->outflow);
	(void)pthread_mutex_destroy(&t->lock);
	free(t);
}

struct tap *
terminal_open(struct mount *m, struct handle *h)
{
	struct tap *t = mem_new(struct tap);

	t->handle = h;
	(void)pthread_mutex_init(&t->lock, NULL);
	lock_scope(&m->terminals.lock);
	t->next = m->terminals.first;
	m->terminals.first = t;
	h->close_made = terminal_close;
	return t;
}

/* Skip a handle whose lock is held: its READ may take long, and the thread that passes on changes must not wait. */
static void
terminal_tidy(struct tap *t, uint64_t now_ns)
{
	uint64_t patience_ns = OUTFLOW_PATIENCE_S * NS_PER_S;

	if (pthread_mutex_trylock(&t->lock) != 0) {
		return;
	}
	if (t->outflow != NULL && now_ns > patience_ns) {
		outflow_tidy(t->outflow, now_ns - patience_ns);
	}
	(void)pthread_mutex_unlock(&t->lock);
}

void
terminals_tidy(struct mount *m, uint64_t now_ns)
{
	if (now_ns < m->terminals.tidied_ns + NS_PER_S) {
		return;
	}
	m->terminals.tidied_ns = now_ns;
	lock_scope(&m->terminals.lock);
	for (struct tap *t = m->terminals.first; t != NULL; t = t->next) {
		terminal_tidy(t, now_ns);
	}
}
