/* merged - see merged.h; for fs/place/rows.c and row_stream_pages.c */
#include "store/engine/merged.h"

#include "store/base/core/merge.h"
#include "store/engine/engine.h"
#include "store/model/shard_order.h"
#include "store/op/op.h"

/* Items in pages: about PAGE_ALL for all requests together, and PAGE_LEAST to PAGE_MOST for one of several requests. */
enum { PAGE_ALL = 8192, PAGE_MOST = 1024, PAGE_LEAST = 2 };

/* One request and its present page. */
struct source {
	struct call calls[2]; /* memory of the page, and of the next one while it is read */
	unsigned turn;        /* index of the page's call */
	struct page page;
	size_t next;    /* index of the next item in the page */
	bool last;      /* no page follows */
	struct buf key; /* merge key of that item; on the heap */
};

struct merged {
	struct merged_in in;
	struct shard_order order;
	struct source *sources;
	struct arena arena; /* memory of the merge */
	struct merge merge;
	size_t known; /* sources whose first item is known; if n, the merge has begun */
	size_t lacks; /* the source whose next page merged_read() reads */
	bool moved;   /* the winner's item was returned */
};

static bool
merged_is_over(const struct source *s)
{
	return s->next == s->page.count && s->last;
}

/* ------------------------------------------------------------ opening, closing */

/* The items in a page, at most as many as are wanted; 0: as many as the engine gives. */
static uint64_t
page_size(const struct merged_in *in, bool filtered)
{
	size_t share = PAGE_ALL / in->n;
	uint64_t size = in->page;

	if (in->n > 1) {
		size = share < PAGE_LEAST ? PAGE_LEAST : share > PAGE_MOST ? PAGE_MOST : share;
	}
	if (filtered || in->most == 0) {
		return size;
	}
	return size == 0 || in->most < size ? in->most : size;
}

struct merged *
merged_open(const struct merged_in *in)
{
	struct merged *m = mem_new(struct merged);

	assert(in->n > 0);
	m->in = *in;
	if (in->n > 1) {
		m->order = *in->order;
	}
	m->sources = mem_array(struct source, in->n);
	arena_init(&m->arena, SIZE_MAX);
	for (size_t i = 0; i < in->n; i++) {
		struct read_in *read = op_read(&in->requests[i]);
		uint64_t size = page_size(in, read->filter.len > 0);

		read->has_limit = size > 0 && size <= INT32_MAX;
		read->limit = read->has_limit ? (uint32_t)size : 0;
		call_open(&m->sources[i].calls[0], in->now_ms, SIZE_MAX);
		call_open(&m->sources[i].calls[1], in->now_ms, SIZE_MAX);
	}
	return m;
}

void
merged_close(struct merged *m)
{
	if (m == NULL) {
		return;
	}
	for (size_t i = 0; i < m->in.n; i++) {
		call_close(&m->sources[i].calls[0]);
		call_close(&m->sources[i].calls[1]);
		buf_release(&m->sources[i].key);
	}
	free(m->sources);
	arena_drop(&m->arena);
	free(m);
}

/* The first chunk of an arena takes about 4 KB, even if less is used. */
static size_t
merged_arena_bytes(const struct arena *a)
{
	enum { CHUNK = 4096 };

	return a->used == 0 || a->used > CHUNK ? a->used : CHUNK;
}

size_t
merged_bytes(const struct merged *m)
{
	size_t bytes = sizeof(*m) + m->in.n * sizeof(*m->sources) + m->arena.used;

	for (size_t i = 0; i < m->in.n; i++) {
		const struct source *s = &m->sources[i];

		bytes += merged_arena_bytes(&s->calls[0].arena) +
			 merged_arena_bytes(&s->calls[1].arena) + s->key.cap;
	}
	return bytes;
}

/* ------------------------------------------------------------ pages */

/* Frees all memory of the call: there may be ten thousand sources. */
static void
empty(const struct merged *m, struct call *c)
{
	call_close(c);
	call_open(c, m->in.now_ms, SIZE_MAX);
}

int
merged_read(struct merged *m, struct call *c)
{
	struct source *s = &m->sources[m->lacks];
	struct op_in *in = &m->in.requests[m->lacks];
	struct call *next = &s->calls[1 - s->turn];
	struct op_out out = {.type = in->type};

	assert(m->lacks < m->in.n && s->next == s->page.count && !s->last);
	call_for(next, c);
	int r = engine_execute(m->in.engine, next, in, &out);

	if (r < 0) {
		r = call_fail(c, next->error.code, "%s", next->error.message);
		empty(m, next);
		return r;
	}
	empty(m, &s->calls[s->turn]);
	s->turn = 1 - s->turn;
	s->page = *op_page(in, &out);
	s->next = 0;
	s->last = s->page.last.n == 0;
	op_read(in)->start = s->page.last;
	return 0;
}

/* Prepares the next item of a source, or its end; false: the next page must be read first. */
static bool
merged_find_next(struct merged *m, size_t i)
{
	struct source *s = &m->sources[i];

	if (s->next == s->page.count && !s->last) {
		m->lacks = i;
		return false;
	}
	if (merged_is_over(s)) {
		empty(m, &s->calls[s->turn]);
	} else if (m->in.n > 1) {
		size_t at[SHARD_ORDER_MAX] = {0};

		buf_clear(&s->key);
		shard_order_put(&s->key, &m->order, &s->page.items[s->next], at);
	}
	return true;
}

/* ------------------------------------------------------------ merging */

static bool
merged_before(const void *arg, size_t a, size_t b)
{
	const struct merged *m = arg;
	const struct source *left = &m->sources[a], *right = &m->sources[b];

	if (merged_is_over(left) || merged_is_over(right)) {
		return !merged_is_over(left);
	}
	int order = slice_cmp(buf_view(&left->key), buf_view(&right->key));

	return m->in.backward ? order > 0 : order < 0;
}

static bool
merged_begin(struct merged *m)
{
	for (; m->known < m->in.n; m->known++) {
		if (!merged_find_next(m, m->known)) {
			return false;
		}
	}
	if (m->in.n > 1) {
		merge_init(&m->merge, &m->arena, m->in.n, merged_before, m);
	}
	return true;
}

static size_t
winner_of(const struct merged *m)
{
	return m->in.n > 1 ? merge_winner(&m->merge) : 0;
}

static bool
move_on(struct merged *m)
{
	if (!merged_find_next(m, winner_of(m))) {
		return false;
	}
	if (m->in.n > 1) {
		merge_replay(&m->merge);
	}
	m->moved = false;
	return true;
}

int
merged_next(struct merged *m, const struct item **out)
{
	if (m->known < m->in.n ? !merged_begin(m) : m->moved && !move_on(m)) {
		return MERGED_READ;
	}
	struct source *s = &m->sources[winner_of(m)];

	if (merged_is_over(s)) {
		return MERGED_END;
	}
	assert(s->next < s->page.count);
	*out = &s->page.items[s->next++];
	m->moved = true;
	return 0;
}
