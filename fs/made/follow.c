/*
 * follow - see follow.h; opens and closes followers, and makes lines from the feed
 *
 * No notification is made with follow.lock held; answers to requests are (follow_read.c). libfuse calls the interrupt
 * function with the request's own lock held, so that lock precedes follow.lock.
 */
#include "fs/made/follow.h"

#include "store/base/core/thread.h"
#include "store/engine/change_line.h"
#include "store/engine/feed.h"
#include "store/engine/stream_walk.h"
#include "store/model/schema.h"
#include "store/model/stream_arn.h"

#include "fs/core/memory_account.h"
#include "fs/core/mount_int.h"
#include "fs/file/request.h"
#include "fs/made/follow_int.h"
#include "fs/made/records.h"

void
follow_init(struct follow_list *l)
{
	(void)pthread_mutex_init(&l->lock, NULL);
	thread_cond_init(&l->due);
}

void
follow_release(struct follow_list *l)
{
	(void)pthread_cond_destroy(&l->due);
	(void)pthread_mutex_destroy(&l->lock);
}

/* ------------------------------------------------------------ open and close */

static size_t
count_of(const struct follow_list *l, uint32_t uid)
{
	size_t n = 0;

	for (const struct follower *f = l->first; f != NULL; f = f->next) {
		n += f->uid == uid;
	}
	return n;
}

/* All followers of a table that tail(1) reads have the same size, whenever they were opened. */
static uint64_t
follow_size_of(const struct follow_list *l, struct slice table)
{
	assert(lock_held(&l->lock));
	uint64_t size = 0;

	for (const struct follower *f = l->first; f != NULL; f = f->next) {
		if (f->ends && f->told > size && slice_eq(f->schema->table, table)) {
			size = f->told;
		}
	}
	return size;
}

uint64_t
follow_size(struct mount *m, struct slice table)
{
	lock_scope(&m->follow.lock);
	return follow_size_of(&m->follow, table);
}

static struct follower *
follow_make(struct request *rq, struct handle *h, const struct schema *schema,
	    struct stream_walk *walk)
{
	struct mount *m = rq->m;
	struct follower *f = mem_new(struct follower);

	*f = (struct follower){
		.m = m,
		.handle = h,
		.uid = rq->c.uid,
		.usage = {.account = h->usage.account},
		.from = m->feed == NULL ? 0 : feed_newest(m->feed),
		.walk = walk,
		.ends = request_is_by(rq, "tail"),
	};
	arena_init(&f->arena, SIZE_MAX);
	f->schema = schema_copy(&f->arena, schema);
	buf_init(&f->lines, NULL);
	f->told = follow_size_of(&rq->m->follow, f->schema->table);
	follow_count(f);
	return f;
}

/* Open the records of the table's stream, from now on. */
static int
begin_walk(struct request *rq, const struct place *p, const struct schema **schema,
	   struct stream_walk **out)
{
	struct stream_walk_in in = {.from = STREAM_WALK_NEWEST, .goes_on = true};
	int r = records_stream(rq->m, &rq->c, p, schema, &in.stream);

	return r != 0 ? r : stream_walk_open(rq->m->engine, &rq->c, &in, out);
}

void
follow_free(struct follower *f)
{
	if (f->poll != NULL) {
		fuse_pollhandle_destroy(f->poll);
	}
	stream_walk_close(f->walk);
	buf_release(&f->lines);
	usage_end(&f->usage);
	arena_drop(&f->arena);
	free(f);
}

/* Called after its last READ was answered. */
static void
follow_close(struct mount *m, struct handle *h)
{
	struct follower *f = h->follower;

	(void)pthread_mutex_lock(&m->follow.lock);
	struct follower **at = &m->follow.first;

	while (*at != f) {
		at = &(*at)->next;
	}
	*at = f->next;
	m->follow.n--;
	f->closed = true;
	bool asking = f->asking;

	(void)pthread_mutex_unlock(&m->follow.lock);
	if (!asking) {
		follow_free(f);
	}
}

int
follow_open(struct request *rq, struct handle *h, const struct place *p)
{
	struct follow_list *l = &rq->m->follow;
	const struct schema *schema = p->schema;
	struct stream_walk *walk = NULL;
	int r = rq->m->feed != NULL ? 0 : begin_walk(rq, p, &schema, &walk);

	if (r != 0) {
		return r;
	}
	lock_scope(&l->lock);
	if (count_of(l, rq->c.uid) >= FOLLOWERS_MAX) {
		r = call_fail(&rq->c, ERR_LIMIT,
			      "%d .stream files are open already: close one of them",
			      FOLLOWERS_MAX);
	} else if (walk != NULL) {
		r = tail_start(rq->m, &rq->c);
	}
	if (r < 0) {
		stream_walk_close(walk);
		return r;
	}
	mount_receive_own(rq->m);
	struct follower *f = follow_make(rq, h, schema, walk);

	f->next = l->first;
	l->first = f;
	l->n++;
	h->follower = f;
	h->close_made = follow_close;
	tail_go_on(rq->m);
	return 0;
}

/* ------------------------------------------------------------ the feed */

static bool
follow_is_of(const struct follower *f, const struct change *ch)
{
	return ch->seq > f->from && slice_eq(f->schema->table, ch->table);
}

/* The line of a change. The follower's schema serves, since the key of a table cannot change while it exists. */
static struct slice
line_of(struct call *c, const struct follower *f, const struct change *ch)
{
	struct stream_record line = {
		.event = !ch->has_new  ? STREAM_REMOVE
			 : ch->has_old ? STREAM_MODIFY
				       : STREAM_INSERT,
		.seq = stream_seq(&c->arena, ch->seq),
		.service = ch->service,
		.keys = ch->has_new ? ch->updated : ch->old,
	};
	struct buf b;

	if (ch->has_new) {
		line.new_image = ch->updated;
	}
	if (ch->has_old) {
		line.old_image = ch->old;
	}
	buf_init(&b, &c->arena);
	change_line_put(&b, f->schema, f->m->form.typed, &line);
	return buf_view(&b);
}

void
follow_tell(struct mount *m, struct call *c, const struct change *ch)
{
	struct woken w = {.n = 0};
	struct slice line = {0};

	if (m->follow.n == 0 || ch->altered || ch->times_only) {
		return;
	}
	(void)pthread_mutex_lock(&m->follow.lock);
	for (struct follower *f = m->follow.first; f != NULL; f = f->next) {
		if (!follow_is_of(f, ch) || f->ended) {
			continue;
		}
		if (ch->dropped) {
			f->ended = true;
		} else {
			line = line.len > 0 ? line : line_of(c, f, ch);
			follow_add(f, ch->seq, line);
		}
		follow_distribute(f, &w);
	}
	(void)pthread_mutex_unlock(&m->follow.lock);
	follow_wake(&w);
}

void
follow_lost(struct mount *m, uint64_t seq)
{
	struct woken w = {.n = 0};

	(void)pthread_mutex_lock(&m->follow.lock);
	for (struct follower *f = m->follow.first; f != NULL; f = f->next) {
		if (seq > f->from) { /* otherwise it began after those changes */
			f->lost_unknown = true;
			f->lost_seq = seq;
			follow_distribute(f, &w);
		}
	}
	(void)pthread_mutex_unlock(&m->follow.lock);
	follow_wake(&w);
}

void
follow_end(struct mount *m)
{
	struct woken w = {.n = 0};

	(void)pthread_mutex_lock(&m->follow.lock);
	m->follow.over = true;
	(void)pthread_cond_signal(&m->follow.due);
	for (struct follower *f = m->follow.first; f != NULL; f = f->next) {
		follow_distribute(f, &w);
	}
	(void)pthread_mutex_unlock(&m->follow.lock);
	follow_wake(&w);
}
