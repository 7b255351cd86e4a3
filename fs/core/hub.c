/* hub - see hub.h */
#include "fs/core/hub.h"

#include <sys/uio.h>

#include "store/base/core/clock.h"
#include "store/base/core/timing.h"
#include "store/base/core/workers.h"
#include "store/base/system/say.h"
#include "store/engine/feed.h"

#include "fs/core/mount_int.h"
#include "fs/saved/refused.h"
#include "fs/saved/rejected.h"
#include "fs/saved/scratch_area.h"

enum {
	NOTIFY_INC_EPOCH = 8, /* FUSE protocol 7.44; libfuse 3.14 has no function for it */
	WORKERS_MAX = 4,      /* threads that read for generated files */
};

struct hub *
hub_new(struct engine *e, const char *store, const char *dir, const char *shown)
{
	struct hub *h = mem_new(struct hub);

	(void)pthread_mutex_init(&h->lock, NULL);
	h->engine = e;
	h->settle_ms = timing_ms(TIMING_SETTLE);
	h->store = mem_string(store);
	refused_init(&h->refused, REFUSED_MAX);
	refused_init(&h->answers, REFUSED_ANSWERS_MAX);
	refused_init(&h->remarks, REFUSED_ANSWERS_MAX);
	refused_init(&h->missed, REFUSED_ANSWERS_MAX);
	rejected_init(&h->rejected, dir, shown);
	scratch_area_init(&h->area, dir, shown);
	buf_init(&h->recovered, NULL);
	scratch_area_recover(&h->area, &h->rejected, clock_now_ms(), &h->recovered);
	h->workers = workers_new(WORKERS_MAX);
	return h;
}

void
hub_free(struct hub *h)
{
	if (h == NULL) {
		return;
	}
	workers_free(h->workers);
	refused_release(&h->refused);
	refused_release(&h->answers);
	refused_release(&h->remarks);
	refused_release(&h->missed);
	rejected_release(&h->rejected);
	scratch_area_release(&h->area);
	buf_release(&h->recovered);
	free(h->store);
	(void)pthread_mutex_destroy(&h->lock);
	free(h);
}

/* Merge two lists of lines by time, with which each line starts. */
static struct refused_out
hub_merge_lines(struct arena *a, const struct refused_out *one, const struct refused_out *other)
{
	size_t n = one->n_lines + other->n_lines;
	struct slice *lines = arena_new(a, struct slice, n);
	size_t i = 0, j = 0;

	for (size_t k = 0; k < n; k++) {
		bool first = j == other->n_lines ||
			     (i < one->n_lines && slice_cmp(one->lines[i], other->lines[j]) <= 0);

		lines[k] = first ? one->lines[i++] : other->lines[j++];
	}
	return (struct refused_out){.lines = lines, .n_lines = n};
}

void
hub_lines(struct hub *h, struct call *c, const struct refused_reader *reader,
	  struct refused_out *out)
{
	struct refused_reader others = *reader;
	struct refused_out more;

	others.meant = reader->path.len == 0;
	refused_list(&h->refused, c, reader, out);
	struct refused *const rest[] = {&h->answers, &h->remarks, &h->missed};

	for (size_t i = 0; i < sizeof(rest) / sizeof(rest[0]); i++) {
		refused_list(rest[i], c, &others, &more);
		*out = hub_merge_lines(&c->arena, out, &more);
	}
}

void
hub_report(struct hub *h)
{
	struct slice rest = buf_view(&h->recovered);

	while (rest.len > 0) {
		say("%s", rest.at);
		rest = slice_skip(rest, strlen(rest.at) + 1);
	}
	buf_clear(&h->recovered);
}

int
hub_refused(void *arg, struct call *c, const struct refused_in *in, struct refused_out *out)
{
	const struct refused_reader reader = {.path = in->path, .meant = in->path.len == 0};

	hub_lines(arg, c, &reader, out);
	return 0;
}

void
hub_add(struct hub *h, struct mount *m)
{
	lock_scope(&h->lock);
	m->next = h->mounts;
	h->mounts = m;
}

void
hub_remove(struct hub *h, struct mount *m)
{
	lock_scope(&h->lock);
	for (struct mount **at = &h->mounts; *at != NULL; at = &(*at)->next) {
		if (*at == m) {
			*at = m->next;
			break;
		}
	}
}

/* ------------------------------------------------------------ reserved names */

bool
hub_reserve(struct hub *h, struct slice name, struct reserved **out)
{
	lock_scope(&h->lock);
	for (const struct reserved *r = h->reserved; r != NULL; r = r->next) {
		if (slice_eq(slice_of(r->name, r->len), name)) {
			return false;
		}
	}
	struct reserved *r = mem_zeroed(1, sizeof(*r) + name.len);

	r->len = name.len;
	memcpy(r->name, name.at, name.len);
	r->next = h->reserved;
	h->reserved = r;
	*out = r;
	return true;
}

void
hub_unreserve(struct hub *h, struct reserved *r)
{
	if (r == NULL) {
		return;
	}
	lock_scope(&h->lock);
	for (struct reserved **at = &h->reserved; *at != NULL; at = &(*at)->next) {
		if (*at == r) {
			*at = r->next;
			break;
		}
	}
	free(r);
}

/* ------------------------------------------------------------ notifying other mounts */

/* For a kernel that does not know the message, the notifications of the invalidation thread must suffice. */
void
hub_epoch_of(const struct mount *m)
{
	struct {
		uint32_t len;
		int32_t code;
		uint64_t unique;
	} header = {.len = sizeof(header), .code = NOTIFY_INC_EPOCH};

	if (!m->has_epochs) {
		return;
	}
	ssize_t n = write(fuse_session_fd(m->session), &header, sizeof(header));

	(void)n;
}

void
hub_epoch(struct hub *h, struct mount *m)
{
	lock_scope(&h->lock);
	for (const struct mount *at = h->mounts; at != NULL; at = at->next) {
		if (at != m || at->index_known) {
			hub_epoch_of(at);
		}
	}
}

void
hub_settle(struct hub *h, struct mount *m, uint64_t seq)
{
	const void *except = m->index_known ? NULL : m;

	if (mount_is_remote(m) && m->index_known) {
		hub_epoch_of(m);
	}
	if (m->feed != NULL && seq != 0 && !feed_wait(m->feed, seq, except, h->settle_ms)) {
		hub_epoch(h, m);
	}
}
