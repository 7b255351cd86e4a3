/*
 * generated - see generated.h; between FUSE and producer.c
 *
 * A waiting READ has an interrupt function, which takes producer.lock. libfuse calls it with a lock of the request held
 * that fuse_req_interrupt_func() takes, too. So fuse_req_interrupt_func() is never called with producer.lock held;
 * generated_handle.lock may be held. The function is removed before the answer, so that no interrupt finds a producer
 * that is gone.
 */
#include "fs/made/generated.h"

#include "store/base/core/clock.h"

#include "fs/core/memory_account.h"
#include "fs/file/handle.h"
#include "fs/file/request.h"
#include "fs/made/producer.h"

/* The handle of a generated file. */
struct generated_handle {
	struct generated_handle *next; /* in mount.generated_list */
	struct handle *handle;
	pthread_mutex_t lock;      /* guards producer */
	struct producer *producer; /* started by the last READ at 0; NULL: there was none */
};

/* A READ that waits. */
struct parked {
	struct producer_waiter waiter; /* first */
	fuse_req_t req;
	struct producer *producer;
	struct usage usage;
};

static void
generated_parked_free(struct parked *p)
{
	usage_end(&p->usage);
	free(p);
}

void
generated_list_init(struct generated_list *all)
{
	(void)pthread_mutex_init(&all->lock, NULL);
	(void)pthread_mutex_init(&all->count_lock, NULL);
	(void)pthread_cond_init(&all->fewer, NULL);
}

void
generated_list_release(struct generated_list *all)
{
	(void)pthread_cond_destroy(&all->fewer);
	(void)pthread_mutex_destroy(&all->count_lock);
	(void)pthread_mutex_destroy(&all->lock);
}

/* ------------------------------------------------------------ READ */

static void
reply(fuse_req_t req, const struct producer_answer *a)
{
	if (a->errnum != 0) {
		(void)fuse_reply_err(req, a->errnum);
	} else {
		(void)fuse_reply_iov(req, a->parts, a->n);
	}
}

static void
parked_take(struct producer_waiter *w)
{
	fuse_req_interrupt_func(((struct parked *)w)->req, NULL, NULL);
}

static void
parked_answer(struct producer_waiter *w, const struct producer_answer *a)
{
	struct parked *p = (struct parked *)w;

	reply(p->req, a);
	generated_parked_free(p);
}

static void
generated_interrupted(fuse_req_t req, void *arg)
{
	struct parked *p = arg;

	if (producer_leave(p->producer, &p->waiter)) {
		(void)fuse_reply_err(req, EINTR);
		generated_parked_free(p);
	}
}

static void
generated_park(const struct generated_handle *t, fuse_req_t req, uint64_t offset, size_t size)
{
	assert(lock_held(&t->lock));
	struct producer *o = t->producer;
	struct usage usage = {.account = t->handle->usage.account};

	if (!usage_resize(&usage, ACCOUNT_OBJECT_BYTES)) {
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
		.producer = o,
		.usage = usage,
	};
	fuse_req_interrupt_func(req, generated_interrupted, p);
	if (!producer_park(o, &p->waiter)) {
		fuse_req_interrupt_func(req, NULL, NULL);
		(void)fuse_reply_err(req, EINTR);
		generated_parked_free(p);
	}
}

/* Start a producer of the newest state in place of the present one. */
static struct producer *
generated_begin(struct mount *m, struct generated_handle *t, fuse_req_t req)
{
	assert(lock_held(&t->lock));
	struct producer *o = NULL;
	cleanup(request_close) struct request rq;

	request_open(&rq, req);
	int r = producer_new(m, &rq.c, t->handle->node, fuse_req_ctx(req)->uid, &o);

	producer_drop(t->producer);
	t->producer = o;
	if (r != 0) {
		request_fail(&rq, r, t->handle->node, NULL);
	}
	return o;
}

/*
 * Return: whether a READ at @offset starts a new producer. One at 0 that was interrupted continues: otherwise a signal
 * every second would keep it from its end.
 */
static bool
generated_begins(const struct generated_handle *t, uint64_t offset)
{
	return offset == 0 && (t->producer == NULL || !producer_is_untold(t->producer));
}

void
generated_read(struct mount *m, struct generated_handle *t, fuse_req_t req, uint64_t offset,
	       size_t size)
{
	struct producer_answer a;
	lock_scope(&t->lock);
	struct producer *o = generated_begins(t, offset) ? generated_begin(m, t, req) : t->producer;

	if (o == NULL) {
		if (offset > 0) {
			(void)fuse_reply_err(req, EINVAL);
		}
		return;
	}
	if (!producer_read(o, offset, size, &a)) {
		generated_park(t, req, offset, size);
		return;
	}
	reply(req, &a);
	producer_done(o);
}

/* ------------------------------------------------------------ lives */

/* RELEASE: end the producer, and answer waiting READs. */
static void
generated_close(struct mount *m, struct handle *h)
{
	struct generated_handle *t = h->generated;

	(void)pthread_mutex_lock(&m->generated_list.lock);
	struct generated_handle **at = &m->generated_list.first;

	while (*at != t) {
		at = &(*at)->next;
	}
	*at = t->next;
	(void)pthread_mutex_unlock(&m->generated_list.lock);
	/* The thread that answered the last READ may still be in generated_read(). */
	(void)pthread_mutex_lock(&t->lock);
	(void)pthread_mutex_unlock(&t->lock);
	producer_drop(t->producer);
	(void)pthread_mutex_destroy(&t->lock);
	free(t);
}

void
generated_open(struct mount *m, struct handle *h)
{
	struct generated_handle *t = mem_new(struct generated_handle);

	t->handle = h;
	(void)pthread_mutex_init(&t->lock, NULL);
	lock_scope(&m->generated_list.lock);
	t->next = m->generated_list.first;
	m->generated_list.first = t;
	h->generated = t;
	h->close_made = generated_close;
}

/* Skip a handle whose lock is held: its READ may take long, and the thread that passes on changes must not wait. */
static void
generated_tidy(struct generated_handle *t, uint64_t now_ns)
{
	uint64_t patience_ns = PRODUCER_PATIENCE_S * NS_PER_S;

	if (pthread_mutex_trylock(&t->lock) != 0) {
		return;
	}
	if (t->producer != NULL && now_ns > patience_ns) {
		producer_tidy(t->producer, now_ns - patience_ns);
	}
	(void)pthread_mutex_unlock(&t->lock);
}

void
generated_list_tidy(struct mount *m, uint64_t now_ns)
{
	if (now_ns < m->generated_list.tidied_ns + NS_PER_S) {
		return;
	}
	m->generated_list.tidied_ns = now_ns;
	lock_scope(&m->generated_list.lock);
	for (struct generated_handle *t = m->generated_list.first; t != NULL; t = t->next) {
		generated_tidy(t, now_ns);
	}
}
