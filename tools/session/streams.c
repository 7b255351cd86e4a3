/*
 * streams - see streams.h
 *
 * States of a stream:
 *
 *   WAITING --thread--> FETCHING --> READY --streams_next()--> WAITING   there is more
 *                                                         \--> DONE      that was the last page
 */
#include "tools/session/streams.h"

#include <stdatomic.h>

#include "store/base/core/pause.h"
#include "store/engine/engine.h"
#include "store/model/item.h"
#include "store/op/op.h"

#include "tools/session/ctl.h"
#include "tools/system/stop.h"
#include "tools/text/patience.h"

enum { JOBS_MAX = 64 };

enum stream_state { STREAM_WAITING, STREAM_FETCHING, STREAM_READY, STREAM_DONE };

struct stream {
	struct op_in in;
	enum stream_state state;
	uint64_t wanted; /* items still to be read; UINT64_MAX: all */
	struct stream_page pages[2];
	unsigned current; /* index of the page that the caller uses; the other one is filled */
};

struct streams {
	struct streams_options o;
	struct stream *streams;
	pthread_mutex_t m;    /* guards the states, turn and stop */
	pthread_cond_t work;  /* a stream is STREAM_WAITING, or stop is set */
	pthread_cond_t ready; /* a stream is STREAM_READY */
	atomic_bool stop;
	size_t turn; /* index of the stream where find_state() begins */
	pthread_t threads[JOBS_MAX];
	unsigned n_threads;
	struct call scratch; /* for streams_fetch() without threads; each thread has its own */
};

static void
streams_page_clear(struct stream_page *p)
{
	call_clear(&p->call);
	buf_clear(&p->text);
	p->page = (struct page){0};
}

static void
page_release(struct stream_page *p)
{
	call_close(&p->call);
	buf_release(&p->text);
}

/* Set the part of a request that changes from page to page.  @p: the page to fill */
static void
continue_from(struct streams *s, struct stream *st, struct stream_page *p)
{
	struct read_in *read = op_read(&st->in);
	const struct item *last = &st->pages[st->current].page.last;

	if (last->n > 0) {
		read->start = *last;
	}
	if (st->wanted < UINT32_MAX && (!read->has_limit || read->limit > st->wanted)) {
		read->has_limit = true;
		read->limit = (uint32_t)st->wanted;
	}
	if (s->o.text != NULL) {
		read->text = *s->o.text;
		read->text.out = &p->text;
	}
}

static bool
is_ended(const void *asker)
{
	const struct streams *s = asker;

	return s->stop || stop_asked() != 0;
}

static int
streams_ask(struct streams *s, struct stream *st, struct call *c, struct op_out *out)
{
	const struct call pause = {.given_up = is_ended, .asker = s};
	struct patience patience;

	patience_begin(&patience);
	for (;;) {
		int r = engine_execute(s->o.engine, c, &st->in, out);

		if (r == 0 || !s->o.patient || stop_asked() != 0 ||
		    !patience_may_pass(c->error.code, false)) {
			return r;
		}
		if (patience_is_over(&patience)) {
			return patience_give_up(c, &patience);
		}
		if (!pause_ms(&pause, patience_pause_ms(&patience))) {
			return r;
		}
		c->error = (struct error){0};
		*out = (struct op_out){.type = st->in.type};
	}
}

/*
 * Fill the page that the caller does not use.  If items are transient, they are allocated in @scratch: memory that is
 * reused for each page stays in the processor's cache.
 */
static void
streams_fetch(struct streams *s, struct stream *st, struct call *scratch)
{
	struct stream_page *p = &st->pages[1 - st->current];
	struct call *c = s->o.transient ? scratch : &p->call;
	struct op_out out = {.type = st->in.type};

	call_clear(scratch);
	streams_page_clear(p);
	continue_from(s, st, p);
	if (streams_ask(s, st, c, &out) < 0) {
		if (c == scratch) {
			(void)ctl_adopt(&p->call, scratch);
		}
		return;
	}
	p->page = st->in.type == OP_QUERY ? out.query.page : out.scan.page;
	if (st->wanted != UINT64_MAX) {
		st->wanted -= p->page.count < st->wanted ? p->page.count : st->wanted;
	}
	if (s->o.prepare != NULL && p->page.items != NULL) {
		s->o.prepare(s->o.arg, p);
	}
	if (c == scratch) {
		p->page.items = NULL;
		p->page.last = item_copy(&p->call.arena, &p->page.last);
	}
}

/* ------------------------------------------------------------ threads */

static struct stream *
find_state(struct streams *s, enum stream_state state)
{
	/* In this order: a thread may run before n_threads counts it. */
	assert(lock_held(&s->m) || s->n_threads == 0);
	for (size_t i = 0; i < s->o.n; i++) {
		size_t at = (s->turn + i) % s->o.n;

		if (s->streams[at].state == state) {
			s->turn = at + 1;
			return &s->streams[at];
		}
	}
	return NULL;
}

static void *
fetcher(void *arg)
{
	struct streams *s = arg;
	cleanup(call_close) struct call scratch;

	call_open(&scratch, s->o.now_ms, CALL_BUDGET);
	lock_scope(&s->m);

	while (!s->stop) {
		struct stream *st = find_state(s, STREAM_WAITING);

		if (st == NULL) {
			(void)pthread_cond_wait(&s->work, &s->m);
			continue;
		}
		st->state = STREAM_FETCHING;
		(void)pthread_mutex_unlock(&s->m);
		streams_fetch(s, st, &scratch);
		(void)pthread_mutex_lock(&s->m);
		st->state = STREAM_READY;
		(void)pthread_cond_signal(&s->ready);
	}
	return NULL;
}

struct streams *
streams_new(const struct streams_options *o)
{
	struct streams *s = mem_new(struct streams);
	struct stream *streams = mem_array(struct stream, o->n);

	s->o = *o;
	s->streams = streams;
	for (size_t i = 0; i < o->n; i++) {
		streams[i].in = o->requests[i];
		streams[i].wanted = o->most == 0 ? UINT64_MAX : o->most;
		for (int p = 0; p < 2; p++) {
			streams[i].pages[p].stream = i;
			call_open(&streams[i].pages[p].call, o->now_ms, CALL_BUDGET);
		}
	}
	call_open(&s->scratch, o->now_ms, CALL_BUDGET);
	(void)pthread_mutex_init(&s->m, NULL);
	(void)pthread_cond_init(&s->work, NULL);
	(void)pthread_cond_init(&s->ready, NULL);
	unsigned jobs = o->jobs < JOBS_MAX ? o->jobs : JOBS_MAX;

	/* Fewer threads than requested are enough: without any, the caller fetches the pages itself. */
	while (jobs > 1 && s->n_threads < jobs && s->n_threads < o->n &&
	       pthread_create(&s->threads[s->n_threads], NULL, fetcher, s) == 0) {
		s->n_threads++;
	}
	return s;
}

void
streams_free(struct streams *s)
{
	if (s == NULL) {
		return;
	}
	(void)pthread_mutex_lock(&s->m);
	s->stop = true;
	(void)pthread_cond_broadcast(&s->work);
	(void)pthread_mutex_unlock(&s->m);
	for (unsigned i = 0; i < s->n_threads; i++) {
		(void)pthread_join(s->threads[i], NULL);
	}
	for (size_t i = 0; i < s->o.n; i++) {
		for (int p = 0; p < 2; p++) {
			page_release(&s->streams[i].pages[p]);
		}
	}
	(void)pthread_mutex_destroy(&s->m);
	(void)pthread_cond_destroy(&s->work);
	(void)pthread_cond_destroy(&s->ready);
	call_close(&s->scratch);
	free(s->streams);
	free(s);
}

/* Pass the filled page to the caller. */
static int
streams_take(struct streams *s, struct call *c, struct stream *st, struct stream_page **out)
{
	struct stream_page *p = &st->pages[1 - st->current];

	assert(s->n_threads == 0 || (lock_held(&s->m) && st->state == STREAM_READY));
	if (p->call.error.code != ERR_NONE) {
		st->state = STREAM_DONE;
		return ctl_adopt(c, &p->call);
	}
	st->current = 1 - st->current;
	st->state = p->page.last.n > 0 && st->wanted > 0 ? STREAM_WAITING : STREAM_DONE;
	if (st->state == STREAM_WAITING) {
		(void)pthread_cond_signal(&s->work);
	}
	*out = p;
	return 0;
}

int
streams_next(struct streams *s, struct call *c, size_t i, struct stream_page **out)
{
	assert(i < s->o.n);
	struct stream *st = &s->streams[i];

	if (s->n_threads == 0) {
		if (st->state == STREAM_DONE) {
			return STREAMS_END;
		}
		streams_fetch(s, st, &s->scratch);
		return streams_take(s, c, st, out);
	}
	lock_scope(&s->m);
	while (st->state == STREAM_WAITING || st->state == STREAM_FETCHING) {
		(void)pthread_cond_wait(&s->ready, &s->m);
	}
	return st->state == STREAM_DONE ? STREAMS_END : streams_take(s, c, st, out);
}

int
streams_any(struct streams *s, struct call *c, struct stream_page **out)
{
	if (s->n_threads == 0) {
		struct stream *st = find_state(s, STREAM_WAITING);

		return st == NULL ? STREAMS_END
				  : streams_next(s, c, (size_t)(st - s->streams), out);
	}
	lock_scope(&s->m);
	for (;;) {
		struct stream *st = find_state(s, STREAM_READY);

		if (st != NULL) {
			return streams_take(s, c, st, out);
		}
		if (find_state(s, STREAM_WAITING) == NULL &&
		    find_state(s, STREAM_FETCHING) == NULL) {
			return STREAMS_END;
		}
		(void)pthread_cond_wait(&s->ready, &s->m);
	}
}
