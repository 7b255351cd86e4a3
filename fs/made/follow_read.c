/* follow_read - see follow_int.h; ops_made.c passes READs and POLLs; follow.c and tail.c pass lines */
#include <inttypes.h>
#include <poll.h>

#include "store/base/core/clock.h"

#include "fs/core/memory_account.h"
#include "fs/file/request.h"
#include "fs/made/follow_int.h"

enum { KEEP_BYTES = 64 * 1024 }; /* memory that a follower keeps when it has no lines */

/* A READ that waits for lines. */
struct parked {
	struct parked *next;
	fuse_req_t req;
	size_t size;
	struct usage usage;
};

static void
follow_read_parked_free(struct parked *p)
{
	usage_end(&p->usage);
	free(p);
}

/* ------------------------------------------------------------ what there is to read */

static bool
has_lost(const struct follower *f)
{
	return f->lost > 0 || f->lost_unknown;
}

static bool
readable(const struct follower *f)
{
	return follow_unread(f) > 0 || has_lost(f) || f->ended || f->ends || f->m->follow.over;
}

void
follow_count(struct follower *f)
{
	assert(lock_held(&f->m->follow.lock));
	usage_set(&f->usage, ACCOUNT_OBJECT_BYTES + f->lines.cap);
}

/* Count the buffer's growth, which at most doubles. */
static bool
has_room(struct follower *f, size_t more)
{
	assert(lock_held(&f->m->follow.lock));
	size_t need = f->lines.len + more;

	return need <= f->lines.cap || usage_resize(&f->usage, ACCOUNT_OBJECT_BYTES + 2 * need);
}

static void
forget_read(struct follower *f)
{
	struct slice rest = slice_skip(buf_view(&f->lines), f->read);

	if (f->lines.at != NULL && rest.len > 0) {
		memmove(f->lines.at, rest.at, rest.len);
	}
	f->lines.len = rest.len;
	f->read = 0;
	if (rest.len == 0 && f->lines.cap > KEEP_BYTES) {
		buf_release(&f->lines);
		buf_init(&f->lines, NULL);
		follow_count(f);
	}
}

static void
note_lost(struct follower *f, struct slice number)
{
	struct call c;

	call_open(&c, clock_now_ms(), KEEP_BYTES);
	const char *until =
		f->walk != NULL
			? ""
			: arena_print(&c.arena, " up to sequence number %" PRIu64, f->lost_seq);

	request_log(f->m, &c, f->uid, EOVERFLOW, f->handle->node,
		    arena_print(&c.arena, "the reader is too slow: it has lost %.*s changes%s",
				SLICE_ARG(number), until));
	call_close(&c);
}

void
follow_put_lost(struct follower *f)
{
	assert(lock_held(&f->m->follow.lock));
	struct buf *b = &f->lines;

	buf_str(b, "{\"eventName\":\"LOST\",\"seq\":");
	if (f->walk == NULL) {
		buf_fmt(b, "\"%021llu\"", (unsigned long long)f->lost_seq);
	} else {
		buf_str(b, "null");
	}
	buf_str(b, ",\"lost\":");
	size_t at = b->len;

	if (f->lost_unknown) {
		buf_str(b, "null");
		note_lost(f, SLICE("an unknown number of"));
	} else {
		buf_fmt(b, "%llu", (unsigned long long)f->lost);
		note_lost(f, slice_of(b->at + at, b->len - at));
	}
	buf_str(b, "}\n");
	f->lost = 0;
	f->lost_unknown = false;
}

static void
follow_read_answer(struct follower *f, fuse_req_t req, size_t size)
{
	assert(lock_held(&f->m->follow.lock));
	if (f->m->follow.over) {
		(void)fuse_reply_err(req, EINTR);
		return;
	}
	if (follow_unread(f) == 0 && has_lost(f)) {
		follow_put_lost(f); /* all lines before it have been read */
	}
	size_t n = follow_unread(f) < size ? follow_unread(f) : size;

	(void)fuse_reply_buf(req, n == 0 ? NULL : f->lines.at + f->read, n);
	f->read += n;
	if (follow_unread(f) == 0 || f->read > FOLLOW_BYTES / 2) {
		forget_read(f);
	}
	tail_go_on(f->m);
}

/* Answer the parked READs while there is something to read. */
static void
follow_read_serve(struct follower *f)
{
	while (f->parked != NULL && readable(f)) {
		struct parked *p = f->parked;

		f->parked = p->next;
		follow_read_answer(f, p->req, p->size);
		follow_read_parked_free(p);
	}
}

void
follow_add(struct follower *f, uint64_t seq, struct slice line)
{
	assert(lock_held(&f->m->follow.lock));
	size_t unread = follow_unread(f);

	if (has_lost(f) || (unread > 0 && unread + line.len > FOLLOW_BYTES) ||
	    !has_room(f, line.len)) {
		f->lost++;
		f->lost_seq = seq;
	} else {
		buf_slice(&f->lines, line);
		f->told += line.len;
		follow_count(f);
	}
}

/* ------------------------------------------------------------ READ */

/* Remove the parked READ of this request from its follower, or return NULL. */
static struct parked *
take_parked(struct follower *f, fuse_req_t req)
{
	for (struct parked **at = &f->parked; *at != NULL; at = &(*at)->next) {
		struct parked *p = *at;

		if (p->req == req) {
			*at = p->next;
			return p;
		}
	}
	return NULL;
}

/*
 * Interrupt function: the reader got a signal. A READ that is not parked yet, or no longer, is not found. Its follower
 * may be gone; the mount is not.
 */
static void
follow_read_interrupted(fuse_req_t req, void *arg)
{
	struct mount *m = arg;
	struct parked *p = NULL;
	lock_scope(&m->follow.lock);

	for (struct follower *f = m->follow.first; f != NULL && p == NULL; f = f->next) {
		p = take_parked(f, req);
	}
	if (p != NULL) {
		follow_read_parked_free(p);
		(void)fuse_reply_err(req, EINTR);
	}
}

static void
follow_read_park(struct follower *f, fuse_req_t req, size_t size)
{
	assert(lock_held(&f->m->follow.lock) && !readable(f));
	struct usage usage = {.account = f->usage.account};
	struct parked **at = &f->parked;

	if (!usage_resize(&usage, ACCOUNT_OBJECT_BYTES)) {
		(void)fuse_reply_err(req, ENOSPC);
		return;
	}
	struct parked *p = mem_new(struct parked);

	*p = (struct parked){.req = req, .size = size, .usage = usage};
	while (*at != NULL) {
		at = &(*at)->next;
	}
	*at = p;
}

void
follow_read(struct follower *f, fuse_req_t req, size_t size, bool now)
{
	if (!now) {
		fuse_req_interrupt_func(req, follow_read_interrupted, f->m);
	}
	lock_scope(&f->m->follow.lock);
	if (readable(f)) {
		follow_read_answer(f, req, size);
	} else if (now) {
		(void)fuse_reply_err(req, EAGAIN);
	} else if (fuse_req_interrupted(req)) {
		(void)fuse_reply_err(req, EINTR);
	} else {
		follow_read_park(f, req, size);
	}
}

/* ------------------------------------------------------------ POLL */

void
follow_poll(struct follower *f, fuse_req_t req, struct fuse_pollhandle *ph)
{
	struct fuse_pollhandle *old = ph;

	(void)pthread_mutex_lock(&f->m->follow.lock);
	bool ready = readable(f);

	if (!ready && ph != NULL) {
		old = f->poll;
		f->poll = ph;
	}
	(void)pthread_mutex_unlock(&f->m->follow.lock);
	if (old != NULL) {
		fuse_pollhandle_destroy(old);
	}
	(void)fuse_reply_poll(req, ready ? POLLIN | POLLRDNORM : 0);
}

void
follow_distribute(struct follower *f, struct woken *w)
{
	assert(lock_held(&f->m->follow.lock));
	follow_read_serve(f);
	if (f->poll != NULL && readable(f)) {
		if (w->n == w->cap) {
			w->cap = w->cap == 0 ? FOLLOWERS_MAX : 2 * w->cap;
			w->at = mem_resized(w->at, w->cap, sizeof(struct fuse_pollhandle *));
		}
		w->at[w->n++] = f->poll;
		f->poll = NULL;
	}
}

void
follow_wake(struct woken *w)
{
	for (size_t i = 0; i < w->n; i++) {
		(void)fuse_lowlevel_notify_poll(w->at[i]);
		fuse_pollhandle_destroy(w->at[i]);
	}
	free(w->at);
}
